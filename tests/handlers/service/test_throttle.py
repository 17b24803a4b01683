"""Limits on one person's requests. An update that Telegram repeats counts once."""

from handlers.service import admission
from handlers.service.admission import MINUTE, Throttle
from tests.infra.conftest import Clock


def test_an_update_that_comes_again_counts_once() -> None:
    asked = Throttle(Clock(), 2)
    assert [asked.allows("Anna", 1) for _ in range(9)] == [True] * 9
    assert asked.allows("Anna", 2)
    assert not asked.allows("Anna", 3)
    assert asked.allows("Anna", 1), "it was allowed when it first came"


def test_a_refused_update_stays_refused() -> None:
    clock = Clock()
    asked = Throttle(clock, 1)
    assert asked.allows("Anna", 1)
    assert not asked.allows("Anna", 2)
    clock.now += MINUTE + 1
    assert not asked.allows("Anna", 2)
    assert asked.allows("Anna", 3), "and it takes nobody's place"


def test_an_allowed_update_stays_allowed() -> None:
    clock = Clock()
    asked = Throttle(clock, 1)
    assert asked.allows("Anna", 1)
    clock.now += MINUTE + 1
    assert asked.allows("Anna", 2)
    assert asked.allows("Anna", 1)


def test_one_persons_updates_are_not_anothers() -> None:
    asked = Throttle(Clock(), 1)
    assert asked.allows("Anna", 1)
    assert not asked.allows("Anna", 2)
    assert asked.allows("Ben", 2)


def test_what_names_no_update_counts_each_time() -> None:
    asked = Throttle(Clock(), 2)
    assert [asked.allows("Anna") for _ in range(3)] == [True, True, False]


def test_no_more_updates_are_remembered_than_there_is_room_for() -> None:
    asked = Throttle(Clock(), 1)
    for number in range(admission.MOST_UPDATES + 100):
        asked.allows("Anna", number)
    assert len(asked._decided) == admission.MOST_UPDATES
