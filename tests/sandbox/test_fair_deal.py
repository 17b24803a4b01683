"""An operator with an accomplice gains nothing from a deal."""

import random

import pytest

from engine import Seat, start
from engine.proof import chance
from sandbox.fair_deal import HITLER, SIDE, SIDE_OF_5, Goal, abandoned, dealt, foreknown, unforeseen
from sandbox.measurements import share


@pytest.mark.parametrize("goal", [SIDE_OF_5, SIDE, HITLER])
def test_the_attacks_see_the_roles_that_the_engine_deals(goal: Goal) -> None:
    for number in range(20):
        sealed = bytes([number])
        drawn = chance(sealed, goal.setup, game=1, attempt=1, round=2, randomness=b"5")
        roles = start(goal.setup, drawn)[0].table.roles
        assert dealt(goal.setup, drawn) == roles
        met = [goal.met(sealed, Seat(seat), 1, 1, 2, b"5") for seat in range(goal.players)]
        assert met == [role in goal.roles for role in roles]


@pytest.mark.parametrize("goal", [SIDE, HITLER])
def test_no_choice_of_seed_beats_an_unforeseen_round(goal: Goal) -> None:
    interval = share(unforeseen(goal, 300, random.Random(1), seeds=8), 300)
    assert interval.low <= goal.chance() <= interval.high


def test_a_known_round_would_always_win() -> None:
    # So the attack can work: only the earlier seal prevents it.
    assert foreknown(HITLER, 30, random.Random(1)) == 30


@pytest.mark.parametrize("goal", [SIDE, HITLER])
def test_giving_up_attempts_brings_what_the_docs_say_and_no_more(goal: Goal) -> None:
    for k, found in enumerate(abandoned(goal, 3, 1000, random.Random(2)), start=1):
        interval = share(found, 1000)
        assert interval.low <= goal.chance(k) <= interval.high
