"""Sending an outbox under its lease loses and doubles nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from bot.rooms.names import ChatId, RoomName
from infra.outbox.outbox_sender import LEASE_SECONDS, OutboxSender
from infra.outbox.plan import LIMIT_FOR_POSTS
from infra.queue import QueueUnavailable, Wakeup, WakeupQueue
from infra.store.items import Change, OutboxEntry, Remembered, RoomItem, new_owner
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable, StoreUnavailable
from infra.telegram.errors import AnswerLost, Kind, Migrated, Refused, RetryLater
from tests.infra.conftest import NOW, Clock
from tests.infra.outbox.wireless import FakeGateway, Killed
from tests.infra.store.test_rooms import stored

GROUP, ANNA = ChatId(-100), 1
KEY = RoomName(GROUP).key
DEADLINE = NOW + 30


class FakeWakeups(WakeupQueue):
    """Record what is queued."""

    def __init__(self) -> None:
        super().__init__("http://nowhere", lambda: NOW)
        self.queued: list[Wakeup] = []
        self.broken = False

    def send(self, wakeup: Wakeup) -> None:
        if self.broken:
            raise QueueUnavailable("Throttling")
        self.queued.append(wakeup)


@pytest.fixture
def gateway() -> Iterator[FakeGateway]:
    gateway = FakeGateway()
    yield gateway
    gateway.close()


@pytest.fixture
def wakeups() -> FakeWakeups:
    return FakeWakeups()


@pytest.fixture
def notes() -> list[tuple[str, Mapping[str, Any]]]:
    return []


@pytest.fixture
def outbox_sender(
    rooms: Rooms,
    gateway: FakeGateway,
    wakeups: FakeWakeups,
    clock: Clock,
    notes: list[tuple[str, Mapping[str, Any]]],
) -> OutboxSender:
    return OutboxSender(
        rooms, gateway, wakeups, clock, note=lambda event, facts: notes.append((event, facts))
    )


@pytest.fixture
def room(rooms: Rooms) -> RoomItem:
    return stored(rooms.create(KEY, Change(body=b"one")))


def text(chat: int, words: str, **more: Any) -> OutboxEntry:
    return OutboxEntry(chat, "sendMessage", {"text": words}, **more)


Add = Callable[..., RoomItem]


@pytest.fixture
def add(rooms: Rooms, outbox_sender: OutboxSender, room: RoomItem) -> Add:
    """Save entries as an invocation does, to the newest item."""

    def add(owner: str, *entries: OutboxEntry) -> RoomItem:
        fresh = rooms.load(KEY)
        assert fresh is not None
        return stored(rooms.save(fresh, Change(entries=entries, lease=outbox_sender.lease(owner))))

    return add


def load(rooms: Rooms) -> RoomItem:
    item = rooms.load(KEY)
    assert item is not None
    return item


def test_everything_is_sent_remembered_and_cleared(
    outbox_sender: OutboxSender, add: Add, rooms: Rooms, gateway: FakeGateway, wakeups: FakeWakeups
) -> None:
    done = outbox_sender.deliver(add("me", text(GROUP, "a", name="lobby"), text(ANNA, "b")), "me", DEADLINE)
    assert (done.settled, done.refusals) == (2, [])
    item = load(rooms)
    assert done.item == item
    remembered = Remembered({"lobby": 101}, group_sends={GROUP: [NOW]}, private_sends=[(ANNA, NOW)])
    assert (dict(item.outbox), item.remembered, item.lease, item.due) == ({}, remembered, None, None)
    assert wakeups.queued == []


def test_delivering_again_sends_nothing_twice(
    outbox_sender: OutboxSender, add: Add, gateway: FakeGateway
) -> None:
    first = outbox_sender.deliver(add("me", text(GROUP, "a")), "me", DEADLINE)
    assert first.item is not None
    second = outbox_sender.deliver(first.item, "again", DEADLINE)
    assert len(gateway.calls) == 1
    assert second.item == first.item


@pytest.mark.parametrize("trouble", [Refused(Kind.QUERY_OLD), RuntimeError("a mistake of ours")])
def test_the_toast_goes_out_first_and_may_fail(
    outbox_sender: OutboxSender, add: Add, gateway: FakeGateway, notes: list[Any], trouble: Exception
) -> None:
    gateway.faults[0] = [trouble]
    press = {"method": "answerCallbackQuery", "callback_query_id": "7"}
    assert outbox_sender.deliver(add("me", text(GROUP, "a")), "me", DEADLINE, answer=press).settled == 1
    assert [method for _, method, _ in gateway.calls] == ["answerCallbackQuery", "sendMessage"]
    assert notes == [("answer_failed", {"method": "answerCallbackQuery", "kind": type(trouble).__name__})]


def test_a_press_is_answered_though_nothing_waits(
    outbox_sender: OutboxSender, add: Add, room: RoomItem, gateway: FakeGateway
) -> None:
    press = {"method": "answerCallbackQuery", "callback_query_id": "7"}
    outbox_sender.deliver(room, "me", DEADLINE, answer=press)
    add("other", text(GROUP, "a"))
    outbox_sender.deliver(add("me", text(GROUP, "b")), "me", DEADLINE, answer=press)
    assert [method for _, method, _ in gateway.calls] == ["answerCallbackQuery"] * 2


class TestAnothersLease:
    def test_is_respected_and_a_wake_up_queued_for_its_end(
        self, outbox_sender: OutboxSender, add: Add, rooms: Rooms, gateway: FakeGateway, wakeups: FakeWakeups
    ) -> None:
        add("other", text(GROUP, "a"))
        outbox_sender.deliver(add("me", text(GROUP, "b")), "me", DEADLINE)
        assert gateway.calls == []
        assert wakeups.queued == [Wakeup(KEY, NOW + LEASE_SECONDS, "lease")]
        assert load(rooms).due == NOW + LEASE_SECONDS

    def test_taken_between_read_and_write_makes_the_room_due_as_well(
        self, outbox_sender: OutboxSender, add: Add, rooms: Rooms, room: RoomItem, wakeups: FakeWakeups
    ) -> None:
        rooms.take_lease(KEY, outbox_sender.lease("other"))
        mine = stored(rooms.save(room, Change(entries=[text(GROUP, "b")], lease=outbox_sender.lease("me"))))
        assert mine.due is None
        outbox_sender.deliver(mine, "me", DEADLINE)
        assert load(rooms).due == NOW + LEASE_SECONDS

    def test_what_is_added_behind_it_is_sent_by_its_holder(
        self, outbox_sender: OutboxSender, add: Add, rooms: Rooms, gateway: FakeGateway, wakeups: FakeWakeups
    ) -> None:
        mine = add("me", text(GROUP, "a"))

        def meanwhile(chat: int, method: str) -> None:
            gateway.after = lambda chat, method: None
            add("other", text(ANNA, "b"))

        gateway.after = meanwhile
        done = outbox_sender.deliver(mine, "me", DEADLINE)
        assert [(chat, params["text"]) for chat, _, params in gateway.calls] == [(GROUP, "a"), (ANNA, "b")]
        assert (done.settled, dict(load(rooms).outbox), load(rooms).lease) == (2, {}, None)

    def test_that_expired_is_taken_over_by_the_wake_up(
        self, outbox_sender: OutboxSender, add: Add, rooms: Rooms, gateway: FakeGateway, clock: Clock
    ) -> None:
        add("dead", text(GROUP, "a"))
        clock.now += LEASE_SECONDS + 1
        assert outbox_sender.deliver(load(rooms), "watchdog", clock.now + 30).settled == 1
        assert (dict(load(rooms).outbox), load(rooms).lease) == ({}, None)

    def test_that_expired_and_was_given_back_leaves_nothing_to_do(
        self, outbox_sender: OutboxSender, add: Add, rooms: Rooms, gateway: FakeGateway, clock: Clock
    ) -> None:
        stale = add("slow", text(GROUP, "a"))
        clock.now += LEASE_SECONDS + 1
        outbox_sender.deliver(load(rooms), "quick", clock.now + 30)
        done = outbox_sender.deliver(stale, "me", clock.now + 30)
        assert gateway.texts(GROUP) == ["a"]
        assert done.item is not None
        assert done.item.lease is None

    def test_whose_item_is_gone_leaves_nothing_to_do(
        self, outbox_sender: OutboxSender, add: Add, rooms: Rooms, table: DynamoTable, clock: Clock
    ) -> None:
        item = add("other", text(GROUP, "a"))
        table.call("delete_item", Key={"pk": {"S": KEY}, "sk": {"S": "room"}})
        clock.now += LEASE_SECONDS + 1
        assert outbox_sender.deliver(item, "me", clock.now + 30).item is None

    def test_whose_item_vanishes_while_sending_leaves_nothing_to_do(
        self, outbox_sender: OutboxSender, add: Add, table: DynamoTable, gateway: FakeGateway
    ) -> None:
        def vanish(chat: int, method: str) -> None:
            table.call("delete_item", Key={"pk": {"S": KEY}, "sk": {"S": "room"}})

        gateway.after = vanish
        done = outbox_sender.deliver(add("me", text(GROUP, "a")), "me", DEADLINE)
        assert done.item is None


class TestCrash:
    """The process dies between any two requests, and another one continues."""

    def resume(self, outbox_sender: OutboxSender, rooms: Rooms, clock: Clock) -> None:
        clock.now += LEASE_SECONDS + 1
        outbox_sender.deliver(load(rooms), "next", clock.now + 30)

    def test_before_the_first_call_loses_nothing(
        self, outbox_sender: OutboxSender, add: Add, rooms: Rooms, gateway: FakeGateway, clock: Clock
    ) -> None:
        add("me", text(GROUP, "a"), text(ANNA, "b"))
        self.resume(outbox_sender, rooms, clock)
        assert (gateway.texts(GROUP), gateway.texts(ANNA)) == (["a"], ["b"])

    def test_between_sending_and_clearing_doubles_at_most_that_flush(
        self, outbox_sender: OutboxSender, add: Add, rooms: Rooms, gateway: FakeGateway, clock: Clock
    ) -> None:
        outbox_sender.deliver(add("me", text(GROUP, "before")), "me", DEADLINE)

        def die(chat: int, method: str) -> None:
            gateway.after = lambda chat, method: None
            raise Killed

        item = add("me", text(GROUP, "a"), text(GROUP, "b"))
        gateway.after = die
        with pytest.raises(Killed):
            outbox_sender.deliver(item, "me", DEADLINE)
        self.resume(outbox_sender, rooms, clock)
        assert gateway.texts(GROUP) == ["before", "a", "a", "b"]
        assert dict(load(rooms).outbox) == {}

    def test_after_the_wake_up_leaves_a_wake_up_and_the_entries(
        self,
        outbox_sender: OutboxSender,
        add: Add,
        rooms: Rooms,
        gateway: FakeGateway,
        wakeups: FakeWakeups,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        gateway.faults[GROUP] = [RetryLater(9)]
        item = add("me", text(GROUP, "a"))

        def die(*arguments: Any) -> None:
            raise Killed

        monkeypatch.setattr(rooms, "finish_sending", die)
        with pytest.raises(Killed):
            outbox_sender.deliver(item, "me", DEADLINE)
        assert [wakeup.at for wakeup in wakeups.queued] == [NOW + 9]
        assert len(load(rooms).outbox) == 1

    def test_a_clear_that_fails_is_told_so_that_telegram_sends_again(
        self, outbox_sender: OutboxSender, add: Add, rooms: Rooms, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def throttled(*arguments: Any) -> None:
            raise StoreUnavailable("update_item: ThrottlingException")

        item = add("me", text(GROUP, "a"))
        monkeypatch.setattr(rooms, "finish_sending", throttled)
        with pytest.raises(StoreUnavailable):
            outbox_sender.deliver(item, "me", DEADLINE)

    def test_losing_the_lease_while_sending_is_noted(
        self,
        outbox_sender: OutboxSender,
        add: Add,
        rooms: Rooms,
        gateway: FakeGateway,
        clock: Clock,
        notes: list[Any],
    ) -> None:
        def stall(chat: int, method: str) -> None:
            clock.now += LEASE_SECONDS + 1
            rooms.take_lease(KEY, outbox_sender.lease("quick"))

        item = add("slow", text(GROUP, "a"))
        gateway.after = stall
        outbox_sender.deliver(item, "slow", NOW + 999)
        assert ("lease_lost", {"count": 1}) in notes
        assert load(rooms).held_by("quick")


class TestWaiting:
    def test_a_429_leaves_its_chat_for_a_wake_up_while_others_go_on(
        self,
        outbox_sender: OutboxSender,
        add: Add,
        rooms: Rooms,
        gateway: FakeGateway,
        wakeups: FakeWakeups,
        clock: Clock,
    ) -> None:
        gateway.faults[GROUP] = [RetryLater(17)]
        done = outbox_sender.deliver(add("me", text(GROUP, "a"), text(ANNA, "b")), "me", DEADLINE)
        assert (done.settled, bool(load(rooms).outbox)) == (1, True)
        assert wakeups.queued == [Wakeup(KEY, NOW + 17, "retry")]
        item = load(rooms)
        assert (item.lease, item.due, len(item.outbox)) == (None, NOW + 17, 1)
        clock.now += 17
        again = outbox_sender.deliver(item, "wakeup", clock.now + 30)
        assert (again.settled, bool(load(rooms).outbox)) == (1, False)
        assert gateway.texts(GROUP) == ["a", "a"]
        assert set(load(rooms).remembered.as_patch()) == {"group_sends"}

    def test_taps_during_the_wait_do_not_call_the_chat(
        self, outbox_sender: OutboxSender, add: Add, gateway: FakeGateway
    ) -> None:
        gateway.faults[GROUP] = [RetryLater(17)]
        outbox_sender.deliver(add("me", text(GROUP, "a")), "me", DEADLINE)
        outbox_sender.deliver(add("you", text(GROUP, "b"), text(ANNA, "c")), "you", DEADLINE)
        assert gateway.texts(GROUP) == ["a"]
        assert gateway.texts(ANNA) == ["c"]

    def test_taps_during_the_wait_queue_no_second_wakeup(
        self,
        outbox_sender: OutboxSender,
        add: Add,
        rooms: Rooms,
        gateway: FakeGateway,
        wakeups: FakeWakeups,
        clock: Clock,
    ) -> None:
        gateway.faults[GROUP] = [RetryLater(17), RetryLater(30)]
        outbox_sender.deliver(add("me", text(GROUP, "a")), "me", DEADLINE)
        for number in range(5):
            clock.now += 1
            outbox_sender.deliver(add(f"{number}", text(GROUP, f"{number}")), f"{number}", clock.now + 30)
        assert [wakeup.at for wakeup in wakeups.queued] == [NOW + 17]
        clock.now = NOW + 17
        outbox_sender.deliver(load(rooms), "wakeup", clock.now + 30)
        assert [wakeup.at for wakeup in wakeups.queued] == [NOW + 17, NOW + 47]

    def test_how_long_something_waits_is_told_until_nothing_does(
        self,
        outbox_sender: OutboxSender,
        add: Add,
        rooms: Rooms,
        gateway: FakeGateway,
        clock: Clock,
        notes: list[Any],
    ) -> None:
        gateway.faults[GROUP] = [RetryLater(17), RetryLater(30)]
        outbox_sender.deliver(add("me", text(GROUP, "a")), "me", DEADLINE)
        for after in (17, 47):
            clock.now = NOW + after
            outbox_sender.deliver(load(rooms), "wakeup", clock.now + 30)
        assert [facts["seconds"] for event, facts in notes if event == "outbox_age"] == [0, 17]
        assert set(load(rooms).remembered.as_patch()) == {"group_sends"}

    def test_a_late_wakeup_still_queues_the_next(
        self, outbox_sender: OutboxSender, add: Add, gateway: FakeGateway, wakeups: FakeWakeups
    ) -> None:
        gateway.faults[GROUP] = [RetryLater(60)]
        gateway.faults[ANNA] = [RetryLater(17)]
        outbox_sender.deliver(add("me", text(GROUP, "a")), "me", DEADLINE)
        outbox_sender.deliver(add("you", text(ANNA, "b")), "you", DEADLINE)
        assert [wakeup.at for wakeup in wakeups.queued] == [NOW + 60, NOW + 17]

    def test_an_unqueued_wakeup_is_queued_by_the_next_update(
        self, outbox_sender: OutboxSender, add: Add, gateway: FakeGateway, wakeups: FakeWakeups
    ) -> None:
        gateway.faults[GROUP] = [RetryLater(17)]
        wakeups.broken = True
        outbox_sender.deliver(add("me", text(GROUP, "a")), "me", DEADLINE)
        wakeups.broken = False
        outbox_sender.deliver(add("you", text(GROUP, "b")), "you", DEADLINE)
        assert [wakeup.at for wakeup in wakeups.queued] == [NOW + 17]

    def test_order_in_a_chat_outlives_the_wait(
        self, outbox_sender: OutboxSender, add: Add, rooms: Rooms, gateway: FakeGateway, clock: Clock
    ) -> None:
        gateway.faults[GROUP] = [None, AnswerLost("lost")]
        outbox_sender.deliver(add("me", text(GROUP, "a"), text(GROUP, "b"), text(GROUP, "c")), "me", DEADLINE)
        outbox_sender.deliver(add("you", text(GROUP, "d")), "you", DEADLINE)
        clock.now += 2
        outbox_sender.deliver(load(rooms), "wakeup", clock.now + 30)
        assert gateway.texts(GROUP) == ["a", "b", "b", "c", "d"]

    def test_a_queue_that_is_down_leaves_it_to_the_watchdog(
        self,
        outbox_sender: OutboxSender,
        add: Add,
        rooms: Rooms,
        gateway: FakeGateway,
        wakeups: FakeWakeups,
        notes: list[Any],
    ) -> None:
        wakeups.broken = True
        gateway.faults[GROUP] = [RetryLater(17)]
        outbox_sender.deliver(add("me", text(GROUP, "a")), "me", DEADLINE)
        assert list(rooms.due(NOW + 60)) == [(KEY, NOW + 17)]
        assert ("wakeup_failed", {"reason": "retry"}) in notes

    def test_what_time_is_short_for_is_left_to_a_wakeup(
        self,
        outbox_sender: OutboxSender,
        add: Add,
        rooms: Rooms,
        gateway: FakeGateway,
        wakeups: FakeWakeups,
        clock: Clock,
    ) -> None:
        def slow(chat: int, method: str) -> None:
            clock.now += 20

        gateway.after = slow
        done = outbox_sender.deliver(add("me", *(text(GROUP, f"{n}") for n in range(4))), "me", DEADLINE)
        assert (done.settled, bool(load(rooms).outbox)) == (2, True)
        assert wakeups.queued == [Wakeup(KEY, NOW + 41, "retry")]

    def test_a_late_addition_is_left_for_a_wakeup(
        self, outbox_sender: OutboxSender, add: Add, gateway: FakeGateway, wakeups: FakeWakeups, clock: Clock
    ) -> None:
        mine = add("me", text(GROUP, "a"))

        def meanwhile(chat: int, method: str) -> None:
            clock.now += 28
            add("other", text(ANNA, "b"))

        gateway.after = meanwhile
        done = outbox_sender.deliver(mine, "me", DEADLINE)
        assert done.settled == 1
        assert done.item is not None
        assert done.item.outbox
        assert wakeups.queued == [Wakeup(KEY, NOW + 28, "rest")]

    def test_sending_ends_before_the_lease_does(
        self, outbox_sender: OutboxSender, add: Add, gateway: FakeGateway, clock: Clock
    ) -> None:
        def slow(chat: int, method: str) -> None:
            clock.now += 15

        gateway.after = slow
        done = outbox_sender.deliver(add("me", *(text(GROUP, f"{n}") for n in range(9))), "me", NOW + 900)
        assert done.settled == 3
        assert clock.now <= NOW + LEASE_SECONDS


class TestRefusals:
    def test_stay_until_what_follows_from_them_is_saved(
        self, outbox_sender: OutboxSender, add: Add, rooms: Rooms, gateway: FakeGateway
    ) -> None:
        gateway.faults[ANNA] = [Refused(Kind.BLOCKED)]
        done = outbox_sender.deliver(
            add("me", text(ANNA, "your role", name="role"), text(GROUP, "go")), "me", DEADLINE
        )
        assert [(refusal.entry.name, refusal.kind) for refusal in done.refusals] == [("role", Kind.BLOCKED)]
        assert done.settled == 1
        assert done.item is not None
        assert list(done.item.outbox) == [done.refusals[0].id]
        assert (done.item.lease, done.item.due) == (None, NOW + 60)
        told = stored(
            rooms.save(
                done.item,
                Change(
                    body=b"a seat is not reached",
                    remove=[done.refusals[0].id],
                    due=None,
                    entries=[text(GROUP, "somebody blocked me")],
                    lease=outbox_sender.lease("me"),
                ),
            )
        )
        assert outbox_sender.deliver(told, "me", DEADLINE).settled == 1
        assert gateway.texts(GROUP) == ["go", "somebody blocked me"]
        assert (dict(load(rooms).outbox), load(rooms).due) == ({}, None)

    def test_are_met_again_if_nobody_dealt_with_them(
        self, outbox_sender: OutboxSender, add: Add, rooms: Rooms, gateway: FakeGateway
    ) -> None:
        gateway.faults[ANNA] = [Refused(Kind.BLOCKED), Refused(Kind.BLOCKED)]
        outbox_sender.deliver(add("me", text(ANNA, "your role")), "me", DEADLINE)
        assert len(outbox_sender.deliver(load(rooms), "next", DEADLINE).refusals) == 1

    def test_do_not_keep_the_courier_from_what_others_added(
        self, outbox_sender: OutboxSender, add: Add, gateway: FakeGateway
    ) -> None:
        gateway.faults[ANNA] = [Refused(Kind.BLOCKED)]
        mine = add("me", text(GROUP, "a"), text(ANNA, "b"))

        def meanwhile(chat: int, method: str) -> None:
            gateway.after = lambda chat, method: None
            add("other", text(GROUP, "c"))

        gateway.after = meanwhile
        done = outbox_sender.deliver(mine, "me", DEADLINE)
        assert gateway.texts(GROUP) == ["a", "c"]
        assert len(gateway.texts(ANNA)) == 1
        assert len(done.refusals) == 1

    def test_a_group_that_migrated_is_reported_and_keeps_its_entries(
        self, outbox_sender: OutboxSender, add: Add, rooms: Rooms, gateway: FakeGateway, wakeups: FakeWakeups
    ) -> None:
        gateway.faults[GROUP] = [Migrated(-1009)]
        done = outbox_sender.deliver(add("me", text(GROUP, "a")), "me", DEADLINE)
        assert done.migrated == {GROUP: -1009}
        assert len(load(rooms).outbox) == 1
        assert wakeups.queued == []


def test_a_picture_is_drawn_from_the_room_when_it_is_sent(
    rooms: Rooms, gateway: FakeGateway, wakeups: FakeWakeups, clock: Clock, room: RoomItem
) -> None:
    outbox_sender = OutboxSender(rooms, gateway, wakeups, clock, photo=lambda item, spec: item.body)
    picture = OutboxEntry(GROUP, "sendPhoto", photo={"kept_as": "board", "name": "n"})
    mine = stored(rooms.save(room, Change(entries=[text(GROUP, "a")], lease=outbox_sender.lease("me"))))

    def meanwhile(chat: int, method: str) -> None:
        gateway.after = lambda chat, method: None
        stored(
            rooms.save(
                load(rooms), Change(body=b"two", entries=[picture], lease=outbox_sender.lease("other"))
            )
        )

    gateway.after = meanwhile
    outbox_sender.deliver(mine, "me", DEADLINE)
    assert gateway.uploads == [{"photo": b"two"}]


class TestAfterAMinuteIsUsedUp:
    """Entries that others add while a group's entries wait, in the same delivery."""

    @pytest.fixture
    def full(self, rooms: Rooms, room: RoomItem, clock: Clock) -> None:
        sent = [clock.now - 55 + at / 10 for at in range(LIMIT_FOR_POSTS)]
        stored(
            rooms.save(room, Change(remembered={"group_sends": {GROUP: sent}, "message_ids": {"game": 7}}))
        )

    @pytest.fixture
    def meanwhile(self, add: Add, gateway: FakeGateway, clock: Clock) -> Callable[[OutboxEntry], None]:
        def prepare(entry: OutboxEntry) -> None:
            def after(chat: int, method: str) -> None:
                gateway.after = lambda chat, method: None
                add("other", entry)
                clock.now += 10  # and the minute's first posts are over

            gateway.after = after

        return prepare

    def test_a_new_post_does_not_overtake_those_that_were_held(
        self,
        full: None,
        meanwhile: Callable[[OutboxEntry], None],
        outbox_sender: OutboxSender,
        add: Add,
        gateway: FakeGateway,
    ) -> None:
        mine = add("me", text(GROUP, "first"), text(ANNA, "private"))
        meanwhile(text(GROUP, "second"))
        outbox_sender.deliver(mine, "me", DEADLINE)
        assert gateway.texts(GROUP) == ["first", "second"]

    def test_a_held_edit_does_not_come_after_a_newer_one(
        self,
        full: None,
        meanwhile: Callable[[OutboxEntry], None],
        outbox_sender: OutboxSender,
        add: Add,
        gateway: FakeGateway,
    ) -> None:
        def edit(words: str) -> OutboxEntry:
            return OutboxEntry(GROUP, "editMessageText", {"text": words}, target="game", key="game")

        mine = add("me", edit("old"), text(ANNA, "private"))
        meanwhile(edit("new"))
        after = outbox_sender.deliver(mine, "me", DEADLINE).item
        assert gateway.texts(GROUP) == ["new"]
        assert after is not None
        assert after.outbox == {}


def test_no_two_invocations_have_the_same_name() -> None:
    assert len({new_owner() for _ in range(100)}) == 100
