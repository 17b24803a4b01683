"""The bot's pace: slots one after another, and a clock that stops while Telegram makes all wait."""

from __future__ import annotations

from threading import Thread

import pytest

from infra.store.pace import Pace, TakenSlots, with_pause
from infra.store.table import DynamoTable
from tests.infra.conftest import NOW, Clock


@pytest.fixture
def pace(table: DynamoTable, clock: Clock) -> Pace:
    return Pace(table, clock, per_second=10, burst=5)


def pause(pace: Pace, clock: Clock, seconds: float) -> None:
    pace.change(lambda state: with_pause(state, clock() + seconds, clock()))


def moment(slots: TakenSlots) -> float:
    return round(slots.first + slots.shift - NOW, 3)


def test_after_a_rest_a_burst_goes_at_once(pace: Pace) -> None:
    assert [moment(pace.take(1)) for _ in range(8)] == [-0.5, -0.4, -0.3, -0.2, -0.1, 0.0, 0.1, 0.2]


def test_several_slots_are_taken_by_one_request(pace: Pace) -> None:
    assert moment(pace.take(25)) == -0.5
    assert moment(pace.take(1)) == 2.0
    assert pace.backlog() == pytest.approx(2.1)


def test_what_was_not_used_is_not_saved_up(pace: Pace, clock: Clock) -> None:
    pace.take(25)
    clock.now = NOW + 3600
    assert moment(pace.take(1)) == 3600 - 0.5
    assert pace.backlog() == 0


def test_another_process_goes_on_where_this_one_is(pace: Pace, table: DynamoTable, clock: Clock) -> None:
    pace.take(25)
    assert moment(Pace(table, clock, per_second=10, burst=5).take(5)) == 2.0
    assert moment(pace.take(1)) == 2.5


def test_a_pause_moves_every_slot_in_order(pace: Pace, table: DynamoTable, clock: Clock) -> None:
    early, late = pace.take(20), pace.take(5)
    pause(Pace(table, clock, per_second=10, burst=5), clock, 60)
    shift = pace.read_shift()
    assert (early.first + shift, late.first + shift) == (NOW + 59.5, NOW + 61.5)
    assert moment(pace.take(1)) == 62.0


def test_an_idle_bots_pause_gives_nobody_an_earlier_slot(pace: Pace, clock: Clock) -> None:
    pause(pace, clock, 60)
    assert moment(pace.take(1)) == 60.0
    clock.now = NOW + 30
    assert moment(pace.take(1)) == 60.1


def test_of_several_pauses_the_longest_counts(pace: Pace, table: DynamoTable, clock: Clock) -> None:
    other = Pace(table, clock, per_second=10, burst=5)
    pause(pace, clock, 30)
    pause(other, clock, 10)
    pause(pace, clock, 40)
    assert pace.paused_until() == NOW + 40
    assert moment(other.take(1)) == 40.0


def test_many_at_once_get_slots_of_their_own(table: DynamoTable, clock: Clock) -> None:
    taken: list[float] = []

    def take() -> None:
        mine = Pace(table, clock, per_second=10, burst=5)
        for _ in range(5):
            taken.append(moment(mine.take(1)))

    threads = [Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
        if "amazonaws" in table.client.meta.endpoint_url:
            thread.join()  # moto supports only one
    for thread in threads:
        thread.join()
    assert sorted(taken) == [round(-0.5 + 0.1 * number, 3) for number in range(20)]


class TestAClockThatWasAhead:
    """A clock that was ahead must not mute the bot for as long."""

    AHEAD = 86_400

    @pytest.fixture
    def left(self, pace: Pace, clock: Clock) -> Pace:
        """Return the pace a day later, after it was used and paused."""
        clock.now = NOW + self.AHEAD
        pace.take(25)
        pause(pace, clock, 60)
        clock.now = NOW
        return pace

    def test_the_next_slots_are_free_at_once(self, left: Pace, table: DynamoTable, clock: Clock) -> None:
        for each in (Pace(table, clock, per_second=10, burst=5), left):
            assert -1 <= moment(each.take(1)) <= 1

    def test_nothing_seems_to_wait_or_to_be_paused(self, left: Pace) -> None:
        assert (left.backlog(), left.paused_until()) == (0, 0)

    def test_a_pause_counts_again(self, left: Pace, clock: Clock) -> None:
        pause(left, clock, 30)
        assert left.paused_until() == NOW + 30
        assert moment(left.take(1)) == 30.0

    def test_order_is_kept_afterwards(self, left: Pace) -> None:
        first = [moment(left.take(1)) for _ in range(8)]
        assert first == sorted(set(first))


def test_the_operator_ends_the_whole_bots_wait(pace: Pace, table: DynamoTable, clock: Clock) -> None:
    pace.take(2500)
    pause(pace, clock, 3600)
    Pace(table, clock, per_second=10, burst=5).reset()
    assert pace.paused_until() <= NOW
    assert -0.5 <= moment(pace.take(1)) <= 0.5
