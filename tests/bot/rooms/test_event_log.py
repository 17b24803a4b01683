"""A log's views: folded on from the moment before, they are what the whole log folds to."""

import random

import pytest

from bot.rooms.stored import EventLog
from engine import OFFERED, Ruleset, view
from engine.events import Event
from sandbox.random_games import every_setup, play_random_game


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.id)
def test_a_view_folded_on_is_the_view_of_the_whole_log(rules: Ruleset) -> None:
    setups = [setup for setup in every_setup() if setup.ruleset == rules.id]
    for seed in range(5):
        rng = random.Random(f"log/{rules.id}/{seed}")
        setup = rng.choice(setups)
        _, events, _ = play_random_game(setup, rng)
        log, left = EventLog(events[:20]), list(events[20:])
        while left:
            more: list[Event] = [left.pop(0) for _ in range(min(len(left), rng.randint(1, 9)))]
            log = log.followed_by(more)
            for seat in rng.sample([None, *range(setup.players)], 2):
                assert log.view(seat) == view(tuple(log), seat)


def test_a_log_of_many_moments_is_folded_from_the_first() -> None:
    _, events, _ = play_random_game(next(iter(every_setup())), random.Random("moments"))
    log = EventLog(events[:1])
    for event in events[1:-1]:
        log = log.followed_by([event])
    assert log.view(None) == view(tuple(log), None)
