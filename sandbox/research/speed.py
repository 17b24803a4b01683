"""Measure how long a decision takes, and its ratio to a belief in the same run."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import ai
from ai import memory
from engine import Chance, Question, Setup, View, question_for
from sandbox.computer_games import NOVICE, ComputerGame, seat_chance

#: A nomination is timed after at least this many rounds, if a game lasts so long.
ROUNDS = 12
#: How often a call is timed.
TIMES = 9


@dataclass(frozen=True, slots=True)
class Speed:
    """Milliseconds of processor time. All caches are cleared before each call."""

    setup: Setup
    rounds: int
    belief: float
    decision: float


def measure_speeds() -> tuple[Speed, ...]:
    """Measure ten players of the published game (exact beliefs) and sixteen of XL (sampled beliefs)."""
    return tuple(measure_speed(setup) for setup in (Setup("classic@1", 10), Setup("xl@1", 16)))


def measure_speed(setup: Setup) -> Speed:
    """Time the beliefs and the decision of a seat that nominates late in a game."""
    game, view, question = late_nomination(setup)
    claims, chance = tuple(game.played.claims), seat_chance("speed", question.seats[0], 0)
    belief = time_call(lambda: ai.beliefs(view, claims))
    decision = time_call(lambda: ai.choose(view, question, claims, chance, "seasoned"))
    return Speed(setup, view.table.round, belief, decision)


def late_nomination(setup: Setup) -> tuple[ComputerGame, View, Question]:
    """Return the first nomination after ``ROUNDS`` rounds: the game, the seat's view and its question."""
    for number in range(100):
        game = ComputerGame(setup, Chance(f"{number:064x}"), [NOVICE] * setup.players)
        while (question := game.played.game.question) is not None:
            view = game.seats[question.seats[0]].view
            if question.step == "nominate" and view.table.round >= ROUNDS:
                asked = question_for(game.played.game, question.seats[0])
                assert asked is not None
                return game, view, asked
            game.step()
    raise LookupError(f"no game of {setup} lasts {ROUNDS} rounds")


def time_call(call: Callable[[], object]) -> float:
    """Return the median processor time of a call with empty caches, in milliseconds."""
    times = []
    for _ in range(TIMES):
        memory.forget()
        began = time.process_time()
        call()
        times.append(1000 * (time.process_time() - began))
    return median(times)
