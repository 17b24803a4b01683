"""Whole games in which minds play the seats, straight on the engine; each knows only what it may see.

A seat plays as a level of ``ai.choose`` says, or by lot (``RANDOM``), with a character of its own. Claims are
made as soon as there is something to claim, in seat order, and heard by everybody.
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field

import ai
from engine import (
    Chance,
    Event,
    Game,
    Question,
    Reply,
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
#: After these facts somebody may have something to claim.
_TELLING = (Enacted, Vetoed, Peeked, Investigated)


def seat_chance(key: str, seat: int, question: int | str) -> Chance:
    """Return the chance for one seat's decision: a separate stream, independent of the deal."""
    return Chance(hmac.digest(key.encode(), f"ai/{seat}/{question}".encode(), hashlib.sha256).hex())


def shared_chance(key: str, question: int) -> Chance:
    """Return the chance shared by all seats asked a question, which makes their ballots move together."""
    return Chance(hmac.digest(key.encode(), f"ai/shared/{question}".encode(), hashlib.sha256).hex())


class Listener:
    """A seat (None: the table) that hears events as they happen, and what it may see of them."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.table = Table()
        self.facts: list[Fact] = []
        self._view: View | None = None

    def hear(self, events: Sequence[Event]) -> None:
        """Note the part of these events that it may know."""
        for event in events:
            whole = event.to is None or self.seat in event.to
            fact = event.fact if whole else event.fact.scrub()
            if fact is not None:
                fact.fold(self.table)
                self.facts.append(fact)
                self._view = None

    @property
    def view(self) -> View:
        """Return the seat's present view. Its table changes with later events."""
        if self._view is None:
            self._view = View(self.seat, self.table, tuple(self.facts))
        return self._view


@dataclass(slots=True)
class MindsPlayed:
    """A game that was played: how it ended, all events and claims, and every answer in order."""

    game: Game
    events: list[Event] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    #: The answers; None if the clock closed a meeting.
    replies: list[Reply | None] = field(default_factory=list)


class MindGame:
    """A running game between seats of given levels."""

    def __init__(self, setup: Setup, chance: Chance, levels: Sequence[str]) -> None:
        self.levels = levels
        self.characters = [ai.character_of(f"{chance.key}/{seat}") for seat in range(setup.players)]
        self.seats = [Listener(seat) for seat in range(setup.players)]
        self.key = chance.key
        game, told = start(setup, chance)
        self.played = MindsPlayed(game)
        self._hear(told)

    def play(self) -> MindsPlayed:
        """Play to the end."""
        while self.played.game.question is not None:
            self.step()
        return self.played

    def step(self) -> None:
        """Let everybody who is asked answer the open question; a meeting closes by time."""
        question = self.played.game.question
        assert question is not None
        for seat in question.seats:
            self.do(Reply(seat, question.number, self.choice(seat, question)))
        if question.meeting:
            self.do(None)

    def choice(self, seat: int, question: Question) -> int:
        """Return a seat's answer."""
        asked = question_for(self.played.game, seat)
        assert asked is not None
        level = self.levels[seat]
        chance = seat_chance(self.key, seat, question.number)
        if level == RANDOM:
            return chance.pick("lot", range(len(asked.options[asked.seats.index(seat)])))
        shared = shared_chance(self.key, question.number)
        known, character = self.seats[seat].view, self.characters[seat]
        return ai.choose(known, asked, self.played.claims, chance, level, shared, character)

    def do(self, reply: Reply | None) -> None:
        """Give an answer (None: the clock's), and let all seats hear of it and claim."""
        game = self.played.game
        self.played.game, told = time_out(game) if reply is None else answer(game, reply)
        self.played.replies.append(reply)
        self._hear(told)

    def _hear(self, told: Sequence[Event]) -> None:
        self.played.events += told
        for listener in self.seats:
            listener.hear(told)
        if self.played.game.question is not None and any(isinstance(event.fact, _TELLING) for event in told):
            self._speak()

    def _speak(self) -> None:
        for seat, level in enumerate(self.levels):
            if level != RANDOM:
                chance = seat_chance(self.key, seat, f"say/{self.played.game.asked}")
                known, character = self.seats[seat].view, self.characters[seat]
                self.played.claims += ai.say(known, self.played.claims, chance, level, character)


def mind_game(setup: Setup, chance: Chance, levels: Sequence[str]) -> MindsPlayed:
    """Play a whole game; ``levels`` by seat."""
    return MindGame(setup, chance, levels).play()
