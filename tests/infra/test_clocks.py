"""Stored times far ahead are ignored, so that a clock that was ahead cannot mute the bot."""

from __future__ import annotations

from bot.conversation import limits
from bot.conversation.outcome import Context
from bot.rooms.model import Room
from bot.rooms.names import ChatId, UserId
from infra.outbox.plan import (
    FARTHEST_SLOT_SECONDS,
    FIRST_SLOT_WAIT,
    LIMIT_FOR_POSTS,
    LONGEST_PAUSE,
    GroupQuota,
    Wait,
    split_slot_runs,
)
from infra.store.items import LONGEST_LEASE, Change, Lease, OutboxEntry, Remembered, RoomItem
from infra.store.orders import Orders
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable
from tests.infra.conftest import NOW, Clock
from tests.infra.outbox.wireless import plan

DAY = 86_400.0


def test_a_pause_of_a_chat_is_believed_for_an_hour_at_most() -> None:
    entry = OutboxEntry(5, "sendMessage", {"text": "x"})
    cases = ((-1, False), (1, True), (LONGEST_PAUSE, True), (LONGEST_PAUSE + 1, False), (DAY, False))
    for ahead, paused in cases:
        (step,) = plan({"1": entry}, Remembered(pauses={5: NOW + ahead}), None, NOW)
        assert isinstance(step, Wait) == paused


def test_a_groups_minute_is_not_used_up_by_tomorrow() -> None:
    entry = OutboxEntry(-5, "sendMessage", {"text": "x"})
    assert GroupQuota([NOW + DAY + number for number in range(LIMIT_FOR_POSTS)]).take(entry, NOW) is None
    assert GroupQuota([NOW - number for number in range(LIMIT_FOR_POSTS)][::-1]).take(entry, NOW) is not None


def test_a_rooms_slots_of_tomorrow_are_void() -> None:
    assert split_slot_runs([(NOW + DAY, 3)], NOW, 0.1) == ([], [])
    far = (NOW + FARTHEST_SLOT_SECONDS, 3)
    assert split_slot_runs([far], NOW, 0.1) == ([], [far])
    assert len(split_slot_runs([(NOW + FIRST_SLOT_WAIT, 3)], NOW, 0.1)[0]) == 3


def test_a_lease_of_tomorrow_may_be_taken(table: DynamoTable, clock: Clock) -> None:
    rooms = Rooms(table, clock)
    entry = OutboxEntry(5, "sendMessage", {"text": "x"})
    for until, free in ((NOW + DAY, True), (NOW + LONGEST_LEASE - 1, False)):
        key = f"room#{int(until)}"
        made = rooms.create(key, Change(schema=1, entries=(entry,), lease=Lease("a clock ahead", until)))
        assert isinstance(made, RoomItem)
        assert made.is_lease_free(NOW) == free
        taken = rooms.take_lease(key, Lease("me", NOW + 45))
        assert taken is not None
        assert taken.held_by("me") == free


def test_commands_of_tomorrow_leave_a_group_its_answers() -> None:
    context = Context(int(NOW), "", "bot", b"", False, None)
    room = Room(ChatId(-5), acts=tuple((7, int(NOW + DAY)) for _ in range(LIMIT_FOR_POSTS)))
    assert limits.count_act(room, UserId(7), context) == Room(ChatId(-5), acts=((7, int(NOW)),))


def test_orders_are_read_again_by_a_clock_that_was_set_back(table: DynamoTable, clock: Clock) -> None:
    clock.now = NOW + DAY
    orders = Orders(table, clock)
    assert not orders.current().paused
    clock.now = NOW
    Orders(table, clock).pause(True)
    assert orders.current().paused
