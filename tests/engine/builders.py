"""Terse helpers to play a game in a test.

    play = Play(5, roles="lllfh", deck="fff lff")
    play.elect(2).discard("fascist").enact("fascist")
    play.told(Enacted)          # facts of the last call
    play.all(Enacted)           # facts since the start

Seats are numbers; without ``first`` seat 0 is the first candidate. The asked seat answers: a helper
takes no seat if the open question already says which.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import engine
from engine.facts import CandidacyPassed, Enacted, Fact
from engine.question import JA, NEIN

F = TypeVar("F", bound=Fact)
LETTERS = {"l": "liberal", "f": "fascist", "c": "communist", "h": "hitler"}
VOTES = {"j": JA, "n": NEIN}
#: Classic tiles that give every hand of three in the first five sessions one Liberal and two Fascist ones.
EVEN_DECK = "lff lff lff lff lff lf"


def names(text: str | Sequence[str]) -> tuple[str, ...]:
    """Return tiles or roles from letters (``"lff"``; spaces are for reading), or from names as they are."""
    if isinstance(text, str):
        return tuple(LETTERS[letter] for letter in text.replace(" ", ""))
    return tuple(text)


def _seat(number: int | None) -> engine.Seat | None:
    return None if number is None else engine.Seat(number)


def seats(*numbers: int) -> tuple[engine.Seat, ...]:
    return tuple(map(engine.Seat, numbers))


def _option(option: int | str) -> engine.Option:
    return engine.Seat(option) if isinstance(option, int) else option


def in_order(board: engine.Board) -> tuple[str, ...]:
    """Return the board's roles in the board's order: in classic, Liberals first and Hitler last."""
    return tuple(role for role, count in board.roles.items() for _ in range(count))


def open_question(game: engine.Game, seat: int | None = None) -> engine.Question:
    """Return the question that is asked, whole or as a seat sees it. Fail if there is none."""
    question = game.question if seat is None else engine.question_for(game, engine.Seat(seat))
    assert question is not None, "nothing is asked"
    return question


class Play:
    """A game being played, with everything that was told."""

    game: engine.Game
    #: Everything since the start, and the events of the last call.
    events: list[engine.Event]
    new: tuple[engine.Event, ...]

    def __init__(
        self,
        players: int = 7,
        ruleset: str = "classic@1",
        *,
        roles: str | Sequence[str] | None = None,
        first: int | None = 0,
        deck: str | Sequence[str] | None = None,
        decks: Sequence[str | Sequence[str]] = (),
        key: str = "00",
        options: Mapping[str, str] | None = None,
        board: engine.Board | None = None,
        chance: engine.Chance | None = None,
    ) -> None:
        """Start a game from an explicit deal.

        ``roles`` by seat (default: as the board lists them); ``deck`` the first draw pile, ``decks``
        all of them (default: even hands where the board has the published deck). Orders may be given
        from the top on as far as they matter. ``chance`` instead: no explicit deal at all.
        """
        self.setup = engine.Setup(ruleset, players, dict(options or {}), board)
        if chance is None:
            printed = engine.board_of(self.setup)
            if deck is None and not decks and printed.deck == {"liberal": 6, "fascist": 11}:
                deck = EVEN_DECK
            piles = [names(pile) for pile in (*([deck] if deck is not None else []), *decks)]
            chance = engine.dealt(
                in_order(printed) if roles is None else names(roles), _seat(first), piles, key
            )
        self.events = []
        self._take(engine.start(self.setup, chance))
        self.first = self.game

    # --- playing ----------------------------------------------------------------------------------

    def say(self, option: int | str, seat: int | None = None) -> "Play":
        """Let a seat (default: the only one that has not answered) choose an option by its name."""
        if seat is None:
            (seat,) = self.waiting or self.asked
        return self._take(
            engine.answer(self.game, engine.reply(self.game, engine.Seat(seat), _option(option)))
        )

    def send(self, seat: int, choice: int, question: int | None = None) -> "Play":
        """Send a raw reply, by the option's index."""
        number = self.question.number if question is None else engine.QuestionNumber(question)
        return self._take(engine.answer(self.game, engine.Reply(engine.Seat(seat), number, choice)))

    def nominate(self, seat: int) -> "Play":
        self.expect("nominate")
        return self.say(seat)

    def vote(self, ballots: str) -> "Play":
        """Vote for the seats that may, in seat order: ``j``, ``n``, and ``.`` for none yet."""
        self.expect("ballot")
        seats = self.asked
        assert len(ballots) == len(seats), f"{len(seats)} seats vote"
        told: list[engine.Event] = []
        for seat, ballot in zip(seats, ballots, strict=True):
            if ballot != ".":
                told += self.say(VOTES[ballot], seat).new
        self.new = tuple(told)
        return self

    def elect(self, chancellor: int | None = None) -> "Play":
        """Nominate (default: the first eligible seat) and elect with every voice."""
        return self.nominate(self.choices[0] if chancellor is None else chancellor).vote("j" * self.voters)

    def reject(self, chancellor: int | None = None) -> "Play":
        """Nominate (default: the first eligible seat) and vote down with every voice."""
        return self.nominate(self.choices[0] if chancellor is None else chancellor).vote("n" * self.voters)

    def discard(self, tile: str) -> "Play":
        """Discard a tile as the President, by name or letter."""
        self.expect("discard")
        return self.say(LETTERS.get(tile, tile))

    def enact(self, tile: str) -> "Play":
        """Enact a tile as the Chancellor, by name or letter."""
        self.expect("enact")
        return self.say(LETTERS.get(tile, tile))

    def ask_veto(self) -> "Play":
        self.expect("enact")
        return self.say("veto")

    def veto(self, agreed: bool) -> "Play":
        """Answer the request as the President."""
        self.expect("veto")
        return self.say(JA if agreed else NEIN)

    def target(self, seat: int) -> "Play":
        """Name a seat, as the player who is asked for one."""
        return self.say(seat)

    def clock(self) -> "Play":
        """Let the clock answer for those who have not."""
        return self._take(engine.time_out(self.game))

    def clock_out(self) -> "Play":
        """Let the clock answer until the game is over."""
        while self.step is not None:
            self.clock()
        return self

    def session(self, tile: str) -> "Play":
        """Enact this tile as an elected government: the other kind is discarded if there is a choice."""
        tile = LETTERS.get(tile, tile)
        self.expect("discard")
        spare = [option for option in self.choices if option != tile]
        self.say(spare[0] if spare else tile)
        told = self.new
        self.enact(tile)
        self.new = (*told, *self.new)
        return self

    def govern(self, tile: str, chancellor: int | None = None) -> "Play":
        """Play a whole round without the slot's power: nominate, elect, enact this tile."""
        return self.elect(chancellor).session(tile)

    def rounds(self, count: int, tile: str) -> "Play":
        """Play this many whole rounds, each of which enacts this tile."""
        for _ in range(count):
            self.govern(tile)
        return self

    def chaos(self) -> "Play":
        """Vote governments down until the top tile is played."""
        while not self.reject().told(Enacted):
            pass
        return self

    def until_fascist(self, count: int) -> "Play":
        """Enact Fascist tiles up to this many; the last one's power is still to be used.

        Powers on the way, and elections, take the first legal seat that is not Hitler.
        """
        while self.track("fascist") < count:
            self.ready(self.track("fascist")).govern("fascist", self.harmless)
        return self

    def ready(self, count: int) -> "Play":
        """Do the same, and use the last power too: a nomination is due."""
        self.until_fascist(count)
        return self if self.step == "nominate" else self.target(self.harmless)

    @property
    def harmless(self) -> int:
        """Return the first seat that may be chosen and is not Hitler."""
        return next(seat for seat in self.choices if self.table.roles[seat] != "hitler")

    def doctored(self, **changes: Any) -> "Play":
        """Change the table by hand, for states that take long to reach. The events do not show it."""
        self.game = replace(self.game, table=replace(self.game.table.copy(), **changes))
        return self

    # --- looking ----------------------------------------------------------------------------------

    @property
    def table(self) -> Any:
        return self.game.table

    @property
    def question(self) -> engine.Question:
        assert self.game.question is not None, "nothing is asked"
        return self.game.question

    @property
    def step(self) -> str | None:
        """Return what is asked: ``nominate``, ``ballot``, ``discard`` …; None after the end."""
        return self.game.question.step if self.game.question else None

    @property
    def asked(self) -> tuple[engine.Seat, ...]:
        """Return the seats that are asked, including those in a meeting."""
        return self.question.seats

    @property
    def waiting(self) -> tuple[engine.Seat, ...]:
        return engine.waiting_on(self.game)

    @property
    def choices(self) -> Any:
        """Return what the first seat asked may choose."""
        return self.question.options[0]

    @property
    def voters(self) -> int:
        return len(self.table.able())

    @property
    def hand(self) -> str:
        """Return the hand as sorted letters, to compare."""
        return letters(self.table.hand)

    def question_for(self, seat: int | None) -> engine.Question | None:
        return engine.question_for(self.game, _seat(seat))

    def view(self, seat: int | None) -> engine.View:
        return engine.view(self.events, _seat(seat))

    def told(self, kind: type[F]) -> list[F]:
        """Return facts of a kind from the last call."""
        return [event.fact for event in self.new if isinstance(event.fact, kind)]

    def all(self, kind: type[F]) -> list[F]:
        """Return facts of a kind since the start."""
        return [event.fact for event in self.events if isinstance(event.fact, kind)]

    def event(self, kind: type[Fact]) -> engine.Event:
        """Return the one event of a kind from the last call."""
        (event,) = [event for event in self.new if isinstance(event.fact, kind)]
        return event

    def kinds(self) -> list[str]:
        """Return the names of the facts from the last call, in order."""
        return [type(event.fact).__name__ for event in self.new]

    def candidates(self) -> list[int]:
        return [fact.seat for fact in self.all(CandidacyPassed)]

    def track(self, colour: str) -> int:
        return len(self.table.tracks[colour])

    def refused(self, seat: int, option: int | str) -> str:
        """Return the reason why a seat may not choose an option; fail if it may."""
        try:
            engine.answer(self.game, engine.reply(self.game, engine.Seat(seat), _option(option)))
        except engine.Illegal as illegal:
            return illegal.reason
        raise AssertionError(f"{seat} may choose {option!r}")

    def expect(self, step: str) -> None:
        """Fail with both names when something else is asked."""
        assert self.step == step, f"asked is {self.step}, not {step}"

    def _take(self, result: tuple[engine.Game, tuple[engine.Event, ...]]) -> "Play":
        self.game, self.new = result
        self.events += self.new
        return self


def letters(tiles: Sequence[str]) -> str:
    """Return tiles as letters in alphabetical order: ``"ffl"``."""
    return "".join(sorted(tile[0] for tile in tiles))


def tiles_of(table: Any) -> Counter[str]:
    tracks = [tile for track in table.tracks.values() for tile in track]
    return Counter([*table.pile, *table.discards, *table.hand, *tracks, *table.removed])


def with_veto(players: int = 9, **more: Any) -> Play:
    """Return a game with five Fascist policies, the fifth one's power used, and a nomination due."""
    return Play(players, **more).ready(5)


def three_left() -> Play:
    """Return a game of five after four sessions and two chaos tiles: three tiles are left, Fascist on top."""
    play = Play(5, deck="lff lff f l lff lff f").govern("l").govern("l").chaos().chaos()
    return play.govern("l").govern("f")
