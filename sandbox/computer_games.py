"""Play games on the engine alone, with a computer in every seat that knows only what its seat may see.

A seat plays at a level of ``ai.choose`` with its own character, or picks at random (``RANDOM``). Seats make
their claims as soon as they can, in seat order, and everybody hears them.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Self

import ai
from engine import (
    SEATS,
    Chance,
    Event,
    Question,
    Reply,
    Seat,
    Setup,
    View,
    answer,
    question_for,
    start,
    time_out,
)
from engine.claim import Claim
from engine.facts import Enacted, Fact, Investigated, Peeked, Vetoed
from engine.table import Table

RANDOM = "random"
NOVICE = "novice"
SEASONED = "seasoned"
#: A seat may make a claim after these facts.
_TELLING = (Enacted, Vetoed, Peeked, Investigated)


def seat_chance(key: str, seat: Seat | str, question: int | str) -> Chance:
    """Return the ``Chance`` of one seat's decision, independent of the deal and of other decisions.

    With "shared" for the seat, all seats share it at a question, so that their ballots are correlated.
    """
    return Chance(hmac.digest(key.encode(), f"ai/{seat}/{question}".encode(), hashlib.sha256).hex())


class Listener:
    """Collect what one seat may know of the events (``seat`` None: what everybody may know)."""

    def __init__(self, seat: Seat | None) -> None:
        self.seat = seat
        self.table = Table()
        self.facts: list[Fact] = []
        self._view: View | None = None

    def hear(self, events: Sequence[Event]) -> None:
        """Add the parts of new events that the seat may know."""
        for event in events:
            whole = event.to is None or self.seat in event.to
            fact = event.fact if whole else event.for_others
            if fact is not None:
                fact.fold(self.table)
                self.facts.append(fact)
                self._view = None

    @property
    def view(self) -> View:
        """Return the seat's view. Later events change the view's table in place."""
        if self._view is None:
            self._view = View(self.seat, self.table, tuple(self.facts))
        return self._view


class ComputerGame:
    """A game between computers with all its events, claims and answers so far; ``levels`` by seat."""

    def __init__(self, setup: Setup, chance: Chance, levels: Sequence[str]) -> None:
        self.levels = levels
        self.characters = [ai.character_of(f"{chance.key}/{seat}") for seat in range(setup.players)]
        self.seats = [Listener(seat) for seat in SEATS[: setup.players]]
        self.key = chance.key
        self.events: list[Event] = []
        self.claims: list[Claim] = []
        #: The answers in order; None where the clock closed a meeting.
        self.replies: list[Reply | None] = []
        self.game, told = start(setup, chance)
        self._hear(told)

    def play(self) -> Self:
        """Play to the end and return the game."""
        while self.game.question is not None:
            self.step()
        return self

    def step(self) -> None:
        """Let all asked seats answer the open question. The clock then closes a meeting."""
        question = self.game.question
        assert question is not None
        for seat in question.seats:
            self.do(Reply(seat, question.number, self.choice(seat, question)))
        if question.meeting:
            self.do(None)

    def choice(self, seat: Seat, question: Question) -> int:
        """Return the option that a seat chooses."""
        asked = question_for(self.game, seat)
        assert asked is not None
        level = self.levels[seat]
        chance = seat_chance(self.key, seat, question.number)
        if level == RANDOM:
            return chance.pick("lot", range(len(asked.options[asked.seats.index(seat)])))
        shared = seat_chance(self.key, "shared", question.number)
        known, character = self.seats[seat].view, self.characters[seat]
        return ai.choose(known, asked, self.claims, chance, level, shared, character)

    def do(self, reply: Reply | None) -> None:
        """Apply an answer (None: the clock runs out); all seats hear of it and may make claims."""
        self.game, told = time_out(self.game) if reply is None else answer(self.game, reply)
        self.replies.append(reply)
        self._hear(told)

    def _hear(self, told: Sequence[Event]) -> None:
        self.events += told
        for listener in self.seats:
            listener.hear(told)
        if self.game.question is not None and any(isinstance(event.fact, _TELLING) for event in told):
            self._speak()

    def _speak(self) -> None:
        for seat, level in zip(SEATS, self.levels, strict=False):
            if level != RANDOM:
                chance = seat_chance(self.key, seat, f"say/{self.game.asked}")
                known, character = self.seats[seat].view, self.characters[seat]
                self.claims += ai.say(known, self.claims, chance, level, character)


def play_computer_game(setup: Setup, chance: Chance, levels: Sequence[str]) -> ComputerGame:
    """Play a whole game between computers; ``levels`` by seat."""
    return ComputerGame(setup, chance, levels).play()
