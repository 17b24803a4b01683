"""Telling somebody about a game: their view, the players' names, and the words of their language."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from itertools import takewhile
from typing import Any

from bot.display.signs import NOTES
from bot.display.words import Html, Words, name, plain_name
from bot.rooms.model import Note, Player
from engine import View
from engine.custom import PARTIES
from engine.facts import CandidacyPassed
from engine.steps.dealing import PARTY as OWN_PARTY
from engine.tiles import kind, power

#: Between a seat's number and its name, and between the tiles of a hand: a line is not broken there.
_NO_BREAK = "\u00a0"
#: The length of a seat's number and name in a long text.
_SHORT = 29


def seat_mark(seat: int) -> str:
    """Return a seat's number, as in the picture, with a sign: alone too it never reads as a count."""
    return f"#{seat + 1}"


def called(players: Sequence[Player], seat: int) -> str:
    """Return a seat's plain name in a game: number and player's name. Two people may have the same."""
    return f"{seat_mark(seat)}{_NO_BREAK}{players[seat].shown}"


@lru_cache(maxsize=256)
def seat_name(players: tuple[Player, ...], seat: int) -> Html:
    """Return a seat's number and name for a text, in bold."""
    return Html(f"<b>{name(called(players, seat))}</b>")


@dataclass(frozen=True, slots=True)
class Telling:
    """A telling: what lines, prompts and boards are made from. It holds nothing its hearer may not know."""

    view: View
    players: tuple[Player, ...]
    words: Words
    #: The reader's own private notes, by seat: their signs are next to names.
    notes: Mapping[int, Note] = field(default_factory=dict)

    def html(self, key: str, **values: object) -> Html:
        """Return a text of the catalogue."""
        return self.words.html(key, **values)

    def seat(self, seat: int) -> Html:
        """Return a seat's number with its player's name, in bold."""
        return self._noted(seat, seat_name(self.players, seat))

    def _noted(self, seat: int, called: Html) -> Html:
        note = self.notes.get(seat)
        return called if note is None else Html(f"{called}{_NO_BREAK}{NOTES[note]}")

    def seats(self, seats: Iterable[int]) -> Html:
        """Several players' names."""
        return self.words.listed([Telling.seat(self, seat) for seat in seats])

    def tile(self, tile: str) -> Html:
        """Return a tile's name, with the power that it carries."""
        label = self.html(f"tile.{kind(tile)}")
        carried = power(tile)
        return (
            label if carried is None else self.html("tile.with-power", tile=label, power=self.power(carried))
        )

    def tiles(self, tiles: Iterable[str]) -> Html:
        """Several tiles, in order."""
        return Html(" · ".join(self.tile(tile) for tile in tiles))

    def colours(self, colours: Iterable[str]) -> Html:
        """Colours of tiles, as a claim calls them."""
        return Html(" · ".join(self.html(f"colour.{colour}") for colour in colours))

    def hand(self, tiles: Sequence[str]) -> Html:
        """Several tiles, short: their signs, but the names of those that are more than their colour."""
        each = [self.html(f"sign.{tile}") if tile in PARTIES else self.tile(tile) for tile in tiles]
        return Html(("" if set(tiles) <= set(PARTIES) else _NO_BREAK).join(each))

    def party(self, party: str | None) -> Html:
        """Return a party's name."""
        return self.html(f"party.{party}")

    def role(self, role: str | None) -> Html:
        """Return a role's name."""
        return self.html(f"role.{role}")

    def envelope(self, role: str | None, party: str | None) -> Html:
        """Return a role's name, with the party where the role does not tell it: secret roles, converts."""
        own = role if role is None else OWN_PARTY.get(role, role)
        if party == own:
            return self.role(role)
        key = "own.converted" if own in PARTIES else "own.secret-role"
        return self.html(key, role=self.role(role), party=self.party(party))

    def power(self, power: str) -> Html:
        """Return a power's name."""
        return self.html(f"power.{power}")

    def is_back_in_turn(self, candidacy: CandidacyPassed) -> bool:
        """Return True if the candidacy before this one was a special election's, and this one is not."""
        earlier = takewhile(lambda fact: fact is not candidacy, self.view.facts)
        before = [fact for fact in earlier if isinstance(fact, CandidacyPassed)]
        return not candidacy.special and bool(before) and before[-1].special


class Compact(Telling):
    """Telling in a long text.

    Names are plain there, since Telegram formats only 100 things in a text. A very long name is cut.
    """

    __slots__ = ()

    def colours(self, colours: Iterable[str]) -> Html:
        """Colours of tiles by their signs."""
        return Html("".join(self.html(f"sign.{colour}") for colour in colours))

    def seat(self, seat: int) -> Html:
        """Return a seat's number with its player's name, shortened."""
        shown = Html(escape(plain_name(called(self.players, seat), _SHORT), quote=False))
        return self._noted(seat, shown)


#: How a fact is told: its line, or None where there is nothing to tell this time.
Line = Callable[[Telling, Any], Html | None]
