"""Measure how long a decision takes, as ratios within one run."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import ai
from ai import memory
from engine import Chance, Question, Setup, View, question_for
from engine.claim import Claim
from sandbox.minds import NOVICE, MindGame, seat_chance

#: The number of rounds after which a nomination is timed.
ROUNDS = 12
TIMES = 9


@dataclass(frozen=True, slots=True)
class Speed:
    """Milliseconds of processor time, each from scratch: all caches are cleared before it."""

    setup: Setup
    rounds: int
    belief: float
    decision: float


@dataclass(frozen=True, slots=True)
class Moment:
    """A nomination that is due."""

    view: View
    question: Question
    claims: tuple[Claim, ...]


def speeds() -> tuple[Speed, ...]:
    """Measure ten players of the published game (exact), and sixteen of XL (a sample)."""
    return tuple(measured(setup) for setup in (Setup("classic@1", 10), Setup("xl@1", 16)))


def measured(setup: Setup) -> Speed:
    """Measure the belief of the seat that nominates in a long game, and its decision."""
    moment = late(setup)
    chance = seat_chance("speed", moment.question.seats[0], 0)
    belief = timed(lambda: ai.beliefs(moment.view, moment.claims))
    decision = timed(lambda: ai.choose(moment.view, moment.question, moment.claims, chance, "seasoned"))
    return Speed(setup, moment.view.table.round, belief, decision)


def late(setup: Setup) -> Moment:
    """Return the latest nomination of the first game with this many rounds, or of the longest of a few."""
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
    game = MindGame(setup, chance, [NOVICE] * setup.players)
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


def timed(call: Callable[[], object]) -> float:
    """Return the median processor time of a call from scratch, in milliseconds."""
    times = []
    for _ in range(TIMES):
        memory.forget()
        began = time.process_time()
        call()
        times.append(1000 * (time.process_time() - began))
    return median(times)
