"""Measure how long a decision takes, and its ratio to a belief in the same run."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import ai
from ai import memory
from engine import Chance, Question, Setup, View, question_for
from engine.claim import Claim
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


@dataclass(frozen=True, slots=True)
class Moment:
    """The state in which a seat must nominate."""

    view: View
    question: Question
    claims: tuple[Claim, ...]


def measure_speeds() -> tuple[Speed, ...]:
    """Measure ten players of the published game (exact beliefs) and sixteen of XL (sampled beliefs)."""
    return tuple(measure_speed(setup) for setup in (Setup("classic@1", 10), Setup("xl@1", 16)))


def measure_speed(setup: Setup) -> Speed:
    """Time the beliefs and the decision of a seat that nominates late in a game."""
    moment = late_nomination(setup)
    chance = seat_chance("speed", moment.question.seats[0], 0)
    belief = time_call(lambda: ai.beliefs(moment.view, moment.claims))
    decision = time_call(lambda: ai.choose(moment.view, moment.question, moment.claims, chance, "seasoned"))
    return Speed(setup, moment.view.table.round, belief, decision)


def late_nomination(setup: Setup) -> Moment:
    """Return the last nomination of the first game with ``ROUNDS`` rounds, or of the longest of twelve."""
    best: Moment | None = None
    for number in range(12):
        found = _last_nomination(setup, Chance(f"{number:064x}"))
        if best is None or found.view.table.round > best.view.table.round:
            best = found
        if best.view.table.round >= ROUNDS:
            break
    assert best is not None
    return best


def _last_nomination(setup: Setup, chance: Chance) -> Moment:
    game = ComputerGame(setup, chance, [NOVICE] * setup.players)
    moment: Moment | None = None
    while (question := game.played.game.question) is not None:
        if question.step == "nominate":
            seat = question.seats[0]
            asked = question_for(game.played.game, seat)
            assert asked is not None
            seen = game.seats[seat].view
            known = View(seat, seen.table.copy(), seen.facts)
            moment = Moment(known, asked, tuple(game.played.claims))
        game.step()
    assert moment is not None
    return moment


def time_call(call: Callable[[], object]) -> float:
    """Return the median processor time of a call with empty caches, in milliseconds."""
    times = []
    for _ in range(TIMES):
        memory.forget()
        began = time.process_time()
        call()
        times.append(1000 * (time.process_time() - began))
    return median(times)
