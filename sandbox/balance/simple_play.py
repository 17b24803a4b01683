"""Games in which every seat follows a few plain rules for its party, and knows only what it may see.

A seat folds the facts that it may know onto a table of its own, as its view would; and everybody keeps the
same public record of who was in office when what was enacted. Nobody talks, so nobody is believed.
"""

import random
from collections.abc import Sequence

from engine import (
    Chance,
    Event,
    Game,
    Question,
    Reply,
    Setup,
    answer,
    board_of,
    question_for,
    start,
    time_out,
)
from engine.facts import Enacted, Fact, Peeked
from engine.table import Table
from engine.tiles import track
from sandbox.balance.policy import Mind, choose
from sandbox.random_play import key


class Seats:
    """The minds of all seats, fed with what each may know."""

    def __init__(self, setup: Setup, rng: random.Random) -> None:
        board = board_of(setup)
        self.minds = [Mind(seat, Table(), board, rng) for seat in range(setup.players)]
        #: By seat, how much the public record speaks against it: above 0 it enacted what Liberals fear.
        self.record = [0.0] * setup.players
        for mind in self.minds:
            mind.record = self.record

    def hear(self, events: Sequence[Event]) -> None:
        """Let every seat see of these events what it may."""
        for event in events:
            hidden = event.fact if event.to is None else event.fact.scrub()
            for mind in self.minds:
                fact = event.fact if event.to is not None and mind.seat in event.to else hidden
                if fact is not None:
                    fact.fold(mind.table)
                if isinstance(fact, Peeked) and fact.seat == mind.seat:
                    mind.peeked = fact.pile
            self._note(event.fact)

    def _note(self, fact: Fact) -> None:
        if not isinstance(fact, Enacted) or fact.chaos or fact.track is None:
            return
        table = self.minds[0].table
        against = -1.0 if track(fact.tile) == "liberal" else 1.0
        for seat, weight in ((table.president, 0.5), (table.chancellor, 1.0)):
            if seat is not None:
                self.record[seat] += against * weight

    def answer(self, seat: int, question: Question) -> int:
        """The index of the option that a seat chooses."""
        options = question.options[question.seats.index(seat)]
        return options.index(choose(self.minds[seat], question.step, options))


def simple_game(setup: Setup, rng: random.Random) -> tuple[Game, list[Event], int]:
    """A whole game by simple rules: the game at its end, all events, and how many answers were given."""
    game, told = start(setup, Chance(key(rng)))
    seats, events, answers = Seats(setup, rng), list(told), 0
    seats.hear(told)
    while (asked := game.question) is not None:
        for seat in asked.seats:
            question = question_for(game, seat)
            assert question is not None
            game, told = answer(game, Reply(seat, asked.number, seats.answer(seat, question)))
            seats.hear(told)
            events += told
            answers += 1
        if asked.meeting:
            game, told = time_out(game)
            seats.hear(told)
            events += told
    return game, events, answers
