"""The view, names and words with which a reader is told about a game."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from typing import Any

from markupsafe import Markup, escape

from bot.display.signs import NOTES
from bot.display.words import Words, bold, name, plain_name
from bot.rooms.model import Note, Player
from engine import SEATS, Board, Seat, View, board_of
from engine.board import PARTIES, Party, Role
from engine.facts import CandidacyPassed
from engine.frozen import frozen
from engine.question import JA, NEIN
from engine.rulesets.red_dawn import smear
from engine.steps.dealing import PARTY as OWN_PARTY
from engine.table import NOT_HITLER
from engine.tiles import kind, power

#: A space at which lines do not break. It separates a seat's number from its name, and the tiles of a hand.
_NO_BREAK = "\u00a0"
#: The most characters of a seat's number and name in a long text.
_SHORT = 29


def seat_mark(seat: Seat) -> str:
    """Return a seat's number as in the picture, with a sign so that nobody takes it for a count."""
    return f"#{seat + 1}"


def called(player: Player, seat: Seat) -> str:
    """Return a seat's number and its player's name, as plain text. Two people may have the same name."""
    return f"{seat_mark(seat)}{_NO_BREAK}{player.shown}"


@lru_cache(maxsize=512)
def seat_name(shown: str, seat: Seat, note: Note | None = None, *, short: bool = False) -> Markup:
    """Return a seat's number and name for a text, in bold, and the sign of the reader's note on it.

    ``shown``: the player's name as others read it. ``short``: cut a very long name, and do not make it bold.
    """
    plain = f"{seat_mark(seat)}{_NO_BREAK}{shown}"
    shown = escape(plain_name(plain, _SHORT)) if short else bold(name(plain))
    return shown if note is None else shown + _NO_BREAK + NOTES[note]


@frozen
class Telling:
    """The source of lines, prompts and boards for one reader. It has nothing that the reader may not know."""

    view: View
    players: tuple[Player, ...]
    words: Words
    #: By seat, the reader's own private notes. Their signs appear next to names.
    notes: Mapping[Seat, Note] = field(default_factory=dict)

    @cached_property
    def html(self) -> Callable[..., Markup]:
        """The function that returns a text of the catalogue, see ``Words.html``."""
        return self.words.html

    @cached_property
    def board(self) -> Board:
        """The board that the game is played on."""
        return board_of(self.view.setup)

    @cached_property
    def compact(self) -> "Compact":
        """The telling for a long text, with shorter names."""
        return Compact(self.view, self.players, self.words, self.notes)

    @cached_property
    def nearly_full(self) -> list[str]:
        """The parties whose track one more policy fills."""
        placed, tracks = self.view.table.tracks, self.board.tracks
        return [colour for colour, slots in tracks.items() if len(placed.get(colour, ())) == len(slots) - 1]

    @cached_property
    def not_hitler(self) -> frozenset[Seat]:
        """The seats of which everybody knows that they are not Hitler.

        Besides those that the game said it of, these are the seats after whose smear the game went on.
        """
        table = self.view.table
        shown = frozenset(table.tagged(NOT_HITLER))
        smeared = {fact.target for fact in self.view.facts if isinstance(fact, smear.Smeared)}
        if not smeared or table.winners is not None or smear.ENDING not in self.board.endings:
            return shown
        return shown | smeared

    def seat(self, seat: Seat) -> Markup:
        """Return a seat's number with its player's name, in bold."""
        return seat_name(self.players[seat].shown, seat, self.notes.get(seat))

    def seats(self, seats: Iterable[Seat]) -> Markup:
        """Return a list of seats, each with its number and player's name, in bold."""
        return self.words.listed([Telling.seat(self, seat) for seat in seats])

    def tile(self, tile: str) -> Markup:
        """Return a tile's name, with the power that it carries."""
        label = self.html(f"tile.{kind(tile)}")
        carried = power(tile)
        if carried is None:
            return label
        return self.html("tile.with-power", tile=label, power=self.html(f"power.{carried}"))

    def tiles(self, tiles: Iterable[str]) -> Markup:
        """Return the names of several tiles, in order."""
        return Markup(" · ").join([self.tile(tile) for tile in tiles])

    def colours(self, colours: Iterable[str]) -> Markup:
        """Return the names of several tile colours, as in a claim."""
        return Markup(" · ").join([self.html(f"colour.{colour}") for colour in colours])

    def hand(self, tiles: Sequence[str]) -> Markup:
        """Return several tiles in short: the sign of an ordinary tile, the name of a special one."""
        each = [self.html(f"sign.{tile}") if tile in PARTIES else self.tile(tile) for tile in tiles]
        return Markup("" if set(tiles) <= set(PARTIES) else _NO_BREAK).join(each)

    def envelope(self, role: Role | None, party: Party | None) -> Markup:
        """Return a role's name. For a secret role or a convert, add the party."""
        own = role if role is None else OWN_PARTY.get(role, role)
        if party == own:
            return self.html(f"role.{role}")
        key = "own.converted" if own in PARTIES else "own.secret-role"
        return self.html(key, role=self.html(f"role.{role}"), party=self.html(f"party.{party}"))

    def is_back_in_turn(self, candidacy: CandidacyPassed | None = None) -> bool:
        """Return True if this candidacy is not a special election's, but the one before it was.

        Without ``candidacy``, answer for the latest one.
        """
        before = now = False
        for fact in self.view.facts:
            if isinstance(fact, CandidacyPassed):
                before, now = now, fact.special
                if fact is candidacy:
                    break
        return before and not now


class Compact(Telling):
    """A telling for a long text.

    Names are not bold, because Telegram formats only 100 things in a text. A very long name is cut.
    """

    def colours(self, colours: Iterable[str]) -> Markup:
        """Return the signs of several tile colours."""
        return Markup("").join([self.html(f"sign.{colour}") for colour in colours])

    def seat(self, seat: Seat) -> Markup:
        """Return a seat's number with its player's name, shortened."""
        return seat_name(self.players[seat].shown, seat, self.notes.get(seat), short=True)


#: Returns the line that tells a fact; None if there is nothing to tell this time.
Line = Callable[[Telling, Any], Markup | None]


def tells(key: str, *fields: str) -> Line:
    """Return a fact's line from the catalogue. Its values are these fields of the fact, in words.

    The fields ``party``, ``role``, ``tile`` and ``power`` are what they say. All others are seats.
    """

    def told(t: Telling, fact: Any) -> Markup:
        values = {}
        for field_name in fields:
            value = getattr(fact, field_name)
            if field_name in ("party", "role", "power"):
                values[field_name] = t.html(f"{field_name}.{value}")
            else:
                values[field_name] = t.tile(value) if field_name == "tile" else t.seat(value)
        return t.html(key, **values)

    return told


def ballot_lines(t: Telling, ballots: Sequence[str | None]) -> list[Markup]:
    """Return a line for each kind of ballot that was cast, with the seats. ``ballots`` are by seat."""
    lines = []
    for ballot in (JA, NEIN):
        voters = [seat for seat, cast in zip(SEATS, ballots, strict=False) if cast == ballot]
        if voters:
            lines.append(t.html(f"voted.{ballot}", count=len(voters), seats=t.seats(voters)))
    return lines
