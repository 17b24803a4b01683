"""Rooms: one conditional write for each change, conflicts that return the newer item, leases."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from bot.rooms.names import ChatId, RoomName
from infra.store.items import Change, Conflict, Lease, OutboxEntry, Patch, Picture, Remembered, RoomItem
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable, StoreRefused, StoreUnavailable
from tests.infra.conftest import NOW, Clock

KEY = RoomName(ChatId(-100123)).key
HELLO = OutboxEntry(-100123, "sendMessage", {"text": "hello"})
BYE = OutboxEntry(7, "sendMessage", {"text": "bye"}, name="bye")
LOBBY: Patch = {"message_ids": {"lobby": 5}}
BOARD: Picture = {"name": "abc", "id": "AgAC"}


def stored(result: RoomItem | Conflict | None) -> RoomItem:
    assert isinstance(result, RoomItem)
    return result


def lease(owner: str, seconds: float = 30, now: float = NOW) -> Lease:
    return Lease(owner, now + seconds)


@pytest.fixture
def room(rooms: Rooms) -> RoomItem:
    return stored(rooms.create(KEY, Change(body=b"one", schema=3, update_id=1)))


def test_a_created_room_reads_back_as_it_was_written(rooms: Rooms) -> None:
    change = Change(
        body=b"{}" * 500, schema=2, update_id=9, entries=[HELLO, BYE], lease=lease("me"), due=NOW + 60.5,
        remembered={"message_ids": {"lobby": 5}, "pictures": {"board": BOARD}},
    )  # fmt: skip
    made = stored(rooms.create(KEY, change))
    assert rooms.load(KEY) == made
    assert made == RoomItem(
        KEY, 1, 2, b"{}" * 500, (9,), {"000000001.000": HELLO, "000000001.001": BYE},
        Remembered(message_ids={"lobby": 5}, pictures={"board": BOARD}), lease("me"), NOW + 60.5,
        write_token=made.write_token,
    )  # fmt: skip


def test_a_room_never_written_is_none(rooms: Rooms) -> None:
    assert rooms.load(KEY) is None


def test_creating_an_existing_room_is_a_conflict(rooms: Rooms, room: RoomItem) -> None:
    assert rooms.create(KEY, Change(body=b"mine")) == Conflict(room)


def test_a_save_writes_body_update_entries_and_messages_together(rooms: Rooms, room: RoomItem) -> None:
    change = Change(body=b"two", schema=4, update_id=2, entries=[HELLO], remembered=LOBBY)
    saved = stored(rooms.save(room, change))
    assert (saved.version, saved.schema, saved.body, saved.updates) == (2, 4, b"two", (1, 2))
    assert dict(saved.outbox) == {"000000002.000": HELLO}
    assert saved.remembered == Remembered({"lobby": 5})
    assert rooms.load(KEY) == saved


def test_a_save_leaves_what_the_change_does_not_name(rooms: Rooms, room: RoomItem) -> None:
    noted: Patch = {"message_ids": {"a": 1, "b": 2}, "tries": (1, NOW)}
    full = stored(rooms.save(room, Change(entries=[HELLO], remembered=noted, due=NOW + 9)))
    forgotten: Patch = {"message_ids": {"b": None, "never": None}, "erasure": None}
    after = stored(rooms.save(full, Change(remembered=forgotten)))
    assert after.body == b"one"
    assert (after.outbox, after.remembered) == (full.outbox, Remembered({"a": 1}, tries=(1, NOW)))
    assert after.due == full.due
    never = stored(rooms.save(after, Change(due=None, remove=list(full.outbox))))
    assert (never.due, dict(never.outbox)) == (None, {})


def test_a_lost_race_brings_the_item_that_won(rooms: Rooms, room: RoomItem) -> None:
    winner = stored(rooms.save(room, Change(body=b"first", update_id=2, entries=[HELLO])))
    assert rooms.save(room, Change(body=b"second", update_id=3)) == Conflict(winner)
    assert stored(rooms.save(winner, Change(body=b"both", update_id=3))).updates == (1, 2, 3)


def test_saving_a_vanished_room_is_a_conflict(rooms: Rooms, room: RoomItem, table: DynamoTable) -> None:
    table.call("delete_item", Key={"pk": {"S": KEY}, "sk": {"S": "room"}})
    assert rooms.save(room, Change(body=b"x")) == Conflict(None)


def test_the_last_hundred_updates_are_remembered(rooms: Rooms, room: RoomItem) -> None:
    for update in (*range(900, 1000), 5):
        room = stored(rooms.save(room, Change(update_id=update)))
    assert len(room.updates) == 100
    assert room.knows(5)
    assert room.knows(999)
    assert not room.knows(900)


class TestLease:
    def test_is_taken_by_the_save_that_wants_it(self, rooms: Rooms, room: RoomItem) -> None:
        assert stored(rooms.save(room, Change(entries=[HELLO], lease=lease("me")))).held_by("me")

    def test_stays_with_its_holder(self, rooms: Rooms, room: RoomItem) -> None:
        held = stored(rooms.save(room, Change(entries=[HELLO], lease=lease("first"))))
        after = stored(rooms.save(held, Change(entries=[HELLO], lease=lease("second"))))
        assert after.held_by("first")
        assert len(after.outbox) == 2

    def test_taken_since_the_read_is_no_conflict(self, rooms: Rooms, room: RoomItem) -> None:
        rooms.take_lease(KEY, lease("other"))
        assert stored(rooms.save(room, Change(entries=[HELLO], lease=lease("me")))).held_by("other")

    def test_given_back_since_the_read_is_ours(self, rooms: Rooms, room: RoomItem) -> None:
        seen = stored(rooms.save(room, Change(entries=[HELLO], lease=lease("other"))))
        rooms.finish_sending(KEY, "other", ())
        assert stored(rooms.save(seen, Change(entries=[HELLO], lease=lease("me")))).held_by("me")

    def test_that_expired_is_taken_over(self, rooms: Rooms, room: RoomItem, clock: Clock) -> None:
        dead = stored(rooms.save(room, Change(entries=[HELLO], lease=lease("dead"))))
        clock.now += 31
        mine = Change(entries=[HELLO], lease=lease("me", now=clock.now))
        assert stored(rooms.save(dead, mine)).held_by("me")

    def test_that_expired_and_was_taken_conflicts(self, rooms: Rooms, room: RoomItem, clock: Clock) -> None:
        dead = stored(rooms.save(room, Change(entries=[HELLO], lease=lease("dead"))))
        clock.now += 31
        rooms.take_lease(KEY, lease("quick", now=clock.now))
        result = rooms.save(dead, Change(entries=[HELLO], lease=lease("me", now=clock.now)))
        assert isinstance(result, Conflict)
        assert result.item is not None
        assert result.item.held_by("quick")

    def test_can_be_prolonged_by_its_holder_only(self, rooms: Rooms, room: RoomItem) -> None:
        mine = stored(rooms.save(room, Change(entries=[HELLO], lease=lease("me"))))
        longer = stored(rooms.save(mine, Change(entries=[HELLO], lease=lease("me", 60))))
        assert longer.lease == lease("me", 60)
        assert stored(rooms.take_lease(KEY, lease("me", 90))).lease == lease("me", 90)
        assert stored(rooms.take_lease(KEY, lease("other", 99))).lease == lease("me", 90)

    def test_of_a_room_that_is_gone_is_none(self, rooms: Rooms) -> None:
        assert rooms.take_lease(KEY, lease("me")) is None
        assert rooms.finish_sending(KEY, "me", ()) is None


class TestClear:
    def test_removes_what_was_sent_and_remembers_its_messages(self, rooms: Rooms, room: RoomItem) -> None:
        full = stored(rooms.save(room, Change(entries=[HELLO, BYE], lease=lease("me"))))
        first, second = full.outbox
        after = stored(rooms.finish_sending(KEY, "me", [first], LOBBY))
        assert list(after.outbox) == [second]
        assert after.remembered == Remembered({"lobby": 5})
        assert (after.lease, after.version) == (None, full.version)

    def test_shows_what_others_added_meanwhile(self, rooms: Rooms, room: RoomItem) -> None:
        full = stored(rooms.save(room, Change(entries=[HELLO], lease=lease("me"))))
        rooms.save(full, Change(body=b"two", entries=[BYE], lease=lease("other")))
        after = stored(rooms.finish_sending(KEY, "me", list(full.outbox)))
        assert list(after.outbox.values()) == [BYE]
        assert (after.body, after.lease) == (b"two", None)

    def test_without_the_lease_changes_nothing(self, rooms: Rooms, room: RoomItem, clock: Clock) -> None:
        full = stored(rooms.save(room, Change(entries=[HELLO], lease=lease("slow"))))
        clock.now += 31
        rooms.take_lease(KEY, lease("quick", now=clock.now))
        after = stored(rooms.finish_sending(KEY, "slow", list(full.outbox), LOBBY))
        assert after.held_by("quick")
        assert len(after.outbox) == 1
        assert after.remembered == Remembered()

    def test_does_not_make_a_save_that_read_before_it_fail(self, rooms: Rooms, room: RoomItem) -> None:
        full = stored(rooms.save(room, Change(entries=[HELLO], lease=lease("me"))))
        rooms.finish_sending(KEY, "me", list(full.outbox), LOBBY)
        after = stored(rooms.save(full, Change(body=b"two", entries=[BYE], lease=lease("other"))))
        assert list(after.outbox.values()) == [BYE]
        assert (after.held_by("other"), after.remembered) == (True, Remembered({"lobby": 5}))


class TestDue:
    def test_is_listed_earliest_first_until_a_time(self, rooms: Rooms) -> None:
        for chat, due in ((-1, 50), (-2, 10), (-3, 90)):
            rooms.create(RoomName(ChatId(chat)).key, Change(due=NOW + due))
        rooms.create(RoomName(ChatId(-4)).key, Change())
        rooms_due = [(RoomName(ChatId(-2)).key, NOW + 10), (RoomName(ChatId(-1)).key, NOW + 50)]
        assert list(rooms.due(NOW + 60)) == rooms_due

    def test_goes_on_page_by_page_past_rooms_of_the_same_time(self, rooms: Rooms) -> None:
        wanted = [(RoomName(ChatId(-chat)).key, NOW + chat // 4) for chat in range(10)]
        for key, due in wanted:
            rooms.create(key, Change(due=due))
        found = list(rooms.due(NOW + 60, page=3))
        assert sorted(found) == sorted(wanted)
        assert [due for _, due in found] == sorted(due for _, due in wanted)

    @pytest.mark.parametrize(
        ("stored_due", "wanted", "result"),
        [(None, 60, 60), (60, 30, 30), (60, 90, 60), (-5, 90, 90), (60, None, None)],
    )
    def test_is_written_only_if_earlier_or_past(
        self, rooms: Rooms, room: RoomItem, stored_due: int | None, wanted: int | None, result: int | None
    ) -> None:
        before = stored(rooms.save(room, Change(due=None if stored_due is None else NOW + stored_due)))
        after = stored(rooms.save(before, Change(due=None if wanted is None else NOW + wanted)))
        assert after.due == (None if result is None else NOW + result)
        assert len(list(rooms.due(NOW + 999))) == (0 if result is None else 1)


class TestLostAnswers:
    """DynamoDB did it or not, but its answer was lost."""

    @pytest.fixture
    def lose(self, table: DynamoTable, monkeypatch: pytest.MonkeyPatch) -> Any:
        def lose(operation: str, *, done: bool, then: Any = None) -> None:
            real = getattr(table.client, operation)

            def call(**arguments: Any) -> Any:
                monkeypatch.setattr(table.client, operation, real)
                if done:
                    real(**arguments)
                if then is not None:
                    then()
                    return real(**arguments)
                raise ReadTimeoutError(endpoint_url="https://nowhere")

            monkeypatch.setattr(table.client, operation, call)

        return lose

    def test_a_save_that_was_done_counts_as_done(self, rooms: Rooms, room: RoomItem, lose: Any) -> None:
        lose("update_item", done=True)
        saved = stored(rooms.save(room, Change(body=b"two", update_id=2, entries=[HELLO])))
        assert (saved.version, saved.body, len(saved.outbox)) == (2, b"two", 1)

    def test_a_save_the_client_repeated_meets_itself(self, rooms: Rooms, room: RoomItem, lose: Any) -> None:
        lose("update_item", done=True, then=lambda: None)
        saved = stored(rooms.save(room, Change(body=b"two", update_id=2, entries=[HELLO])))
        assert (saved.version, len(saved.outbox)) == (2, 1)

    def test_a_creation_that_was_done_counts_as_done(self, rooms: Rooms, lose: Any) -> None:
        lose("put_item", done=True)
        assert stored(rooms.create(KEY, Change(body=b"one"))).version == 1

    def test_a_save_that_was_not_done_is_unavailable(self, rooms: Rooms, room: RoomItem, lose: Any) -> None:
        lose("update_item", done=False)
        with pytest.raises(StoreUnavailable, match=r"^update_item: ReadTimeoutError$"):
            rooms.save(room, Change(body=b"two", update_id=2))
        assert rooms.load(KEY) == room

    def test_an_overtaken_save_conflicts_and_knows_it(self, rooms: Rooms, room: RoomItem, lose: Any) -> None:
        def overtake() -> None:
            seen = rooms.load(KEY)
            assert seen is not None
            stored(rooms.save(seen, Change(body=b"three", update_id=3)))

        lose("update_item", done=True, then=overtake)
        result = rooms.save(room, Change(body=b"two", update_id=2))
        assert isinstance(result, Conflict)
        assert result.item is not None
        assert result.item.updates == (1, 2, 3)

    def test_a_repeated_clear_shows_the_cleared_item(self, rooms: Rooms, room: RoomItem, lose: Any) -> None:
        full = stored(rooms.save(room, Change(entries=[HELLO], lease=lease("me"))))
        lose("update_item", done=True, then=lambda: None)
        after = stored(rooms.finish_sending(KEY, "me", list(full.outbox), LOBBY))
        assert (after.outbox, after.remembered, after.lease) == ({}, Remembered({"lobby": 5}), None)


class TestEntriesBehindAnothersLease:
    def test_make_the_room_due_at_its_end(self, rooms: Rooms, room: RoomItem) -> None:
        held = stored(rooms.save(room, Change(entries=[HELLO], lease=lease("first"))))
        assert held.due is None
        added = stored(rooms.save(held, Change(entries=[BYE], lease=lease("second"), due=NOW + 500)))
        assert added.due == lease("first").until

    def test_keep_the_room_due_though_nothing_else_is(self, rooms: Rooms, room: RoomItem) -> None:
        held = stored(rooms.save(room, Change(entries=[HELLO], lease=lease("first"))))
        assert stored(rooms.save(held, Change(body=b"two", due=None))).due == lease("first").until

    def test_do_not_concern_the_holder(self, rooms: Rooms, room: RoomItem) -> None:
        held = stored(rooms.save(room, Change(entries=[HELLO], lease=lease("me"))))
        assert stored(rooms.save(held, Change(entries=[BYE], lease=lease("me")))).due is None

    def test_a_lease_is_not_taken_when_nothing_waits(self, rooms: Rooms, room: RoomItem) -> None:
        assert stored(rooms.save(room, Change(body=b"two", lease=lease("me")))).lease is None
        assert stored(rooms.create(RoomName(ChatId(-5)).key, Change(lease=lease("me")))).lease is None

    def test_can_be_made_due_by_a_write_of_its_own(self, rooms: Rooms, room: RoomItem) -> None:
        for wanted, result in ((50, 50), (80, 50), (20, 20)):
            rooms.wake_by(KEY, NOW + wanted)
            assert list(rooms.due(NOW + 99)) == [(KEY, NOW + result)]
        rooms.wake_by(RoomName(ChatId(-404)).key, NOW)
        assert len(list(rooms.due(NOW + 99))) == 1

    def test_are_not_looked_for_at_the_rooms_old_address(self, rooms: Rooms, room: RoomItem) -> None:
        new = RoomName(ChatId(-1009)).key
        there = stored(rooms.move(room, new, Change(), chats=(-100123, -1009), owner="me"))
        rooms.wake_by(KEY, NOW + 45)
        assert list(rooms.due(NOW + 99)) == []
        rooms.wake_by(there.key, NOW + 45)
        assert list(rooms.due(NOW + 99)) == [(there.key, NOW + 45)]


def test_an_item_that_cannot_be_read_is_named_and_passed_over(rooms: Rooms, table: DynamoTable) -> None:
    for chat in (-1, -2):
        rooms.create(RoomName(ChatId(chat)).key, Change(body=b"{}", schema=1))
    broken = RoomName(ChatId(-1)).key
    table.call(
        "update_item",
        Key={"pk": {"S": broken}, "sk": {"S": "room"}},
        UpdateExpression="SET body = :body",
        ExpressionAttributeValues={":body": {"B": b"not compressed"}},
    )
    with pytest.raises(StoreRefused, match=f"{broken} cannot be read"):
        rooms.load(broken)
    assert [room.key for room in rooms.every()] == [RoomName(ChatId(-2)).key]
