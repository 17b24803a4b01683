"""Sending an outbox under its lease loses and doubles nothing."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import Mock

import pytest

from infra.outbox.outbox_sender import LEASE_SECONDS, DeliveryResult
from infra.outbox.plan import LIMIT_FOR_POSTS
from infra.queue import Wakeup
from infra.store.items import Change, OutboxEntry, Patch, Remembered, new_owner
from infra.store.table import DynamoTable, StoreUnavailable
from infra.telegram.errors import AnswerLost, Kind, Migrated, Refused, RetryLater
from tests.infra.conftest import NOW, Clock
from tests.infra.outbox.desk import ANNA, GROUP, KEY, Desk, text
from tests.infra.outbox.wireless import Killed
from tests.infra.store.test_rooms import stored


@pytest.fixture
def desk(table: DynamoTable, clock: Clock) -> Iterator[Desk]:
    desk = Desk(table, clock)
    yield desk
    desk.gateway.close()


def test_everything_is_sent_remembered_and_cleared(desk: Desk) -> None:
    done = desk.send(text(GROUP, "a", name="lobby"), text(ANNA, "b"))
    assert (done.settled, done.refusals) == (2, [])
    item = desk.load()
    assert done.item == item
    remembered = Remembered({"lobby": 101}, group_sends={GROUP: [NOW]}, private_sends=[(ANNA, NOW)])
    assert (dict(item.outbox), item.remembered, item.lease, item.due) == ({}, remembered, None, None)
    assert desk.wakeups.queued == []


def test_delivering_again_sends_nothing_twice(desk: Desk) -> None:
    first = desk.send(text(GROUP, "a"))
    assert first.item is not None
    second = desk.deliver(first.item, "again")
    assert len(desk.gateway.calls) == 1
    assert second.item == first.item


@pytest.mark.parametrize("trouble", [Refused(Kind.QUERY_OLD), RuntimeError("a mistake of ours")])
def test_the_toast_goes_out_first_and_may_fail(desk: Desk, trouble: Exception) -> None:
    desk.gateway.faults[0] = [trouble]
    press = {"method": "answerCallbackQuery", "callback_query_id": "7"}
    assert desk.send(text(GROUP, "a"), answer=press).settled == 1
    assert [method for _, method, _ in desk.gateway.calls] == ["answerCallbackQuery", "sendMessage"]
    note = {"method": "answerCallbackQuery", "kind": type(trouble).__name__}
    assert desk.notes == [("answer_failed", note)]


def test_a_press_is_answered_though_nothing_waits(desk: Desk) -> None:
    press = {"method": "answerCallbackQuery", "callback_query_id": "7"}
    desk.deliver(desk.load(), answer=press)
    desk.add("other", text(GROUP, "a"))
    desk.send(text(GROUP, "b"), answer=press)
    assert [method for _, method, _ in desk.gateway.calls] == ["answerCallbackQuery"] * 2


def delete_room(desk: Desk) -> None:
    desk.table.call("delete_item", Key={"pk": {"S": KEY}, "sk": {"S": "room"}})


class TestAnothersLease:
    def test_is_respected_and_a_wake_up_queued_for_its_end(self, desk: Desk) -> None:
        desk.add("other", text(GROUP, "a"))
        desk.send(text(GROUP, "b"))
        assert desk.gateway.calls == []
        assert desk.wakeups.queued == [Wakeup(KEY, NOW + LEASE_SECONDS, "lease")]
        assert desk.load().due == NOW + LEASE_SECONDS

    def test_taken_between_read_and_write_makes_the_room_due_as_well(self, desk: Desk) -> None:
        room = desk.load()
        desk.rooms.take_lease(KEY, desk.sender.lease("other"))
        mine = desk.save(room, "me", entries=[text(GROUP, "b")])
        assert mine.due is None
        desk.deliver(mine)
        assert desk.load().due == NOW + LEASE_SECONDS

    def test_what_is_added_behind_it_is_sent_by_its_holder(self, desk: Desk) -> None:
        mine = desk.add("me", text(GROUP, "a"))
        desk.after_the_next_call(lambda: desk.add("other", text(ANNA, "b")))
        done = desk.deliver(mine)
        sent = [(chat, params["text"]) for chat, _, params in desk.gateway.calls]
        assert sent == [(GROUP, "a"), (ANNA, "b")]
        assert (done.settled, dict(desk.load().outbox), desk.load().lease) == (2, {}, None)

    def test_that_expired_is_taken_over_by_the_wake_up(self, desk: Desk) -> None:
        desk.add("dead", text(GROUP, "a"))
        desk.clock.now += LEASE_SECONDS + 1
        assert desk.deliver(desk.load(), "watchdog").settled == 1
        assert (dict(desk.load().outbox), desk.load().lease) == ({}, None)

    def test_that_expired_and_was_given_back_leaves_nothing_to_do(self, desk: Desk) -> None:
        stale = desk.add("slow", text(GROUP, "a"))
        desk.clock.now += LEASE_SECONDS + 1
        desk.deliver(desk.load(), "quick")
        done = desk.deliver(stale)
        assert desk.gateway.texts(GROUP) == ["a"]
        assert done.item is not None
        assert done.item.lease is None

    def test_whose_item_is_gone_leaves_nothing_to_do(self, desk: Desk) -> None:
        item = desk.add("other", text(GROUP, "a"))
        delete_room(desk)
        desk.clock.now += LEASE_SECONDS + 1
        assert desk.deliver(item).item is None

    def test_whose_item_vanishes_while_sending_leaves_nothing_to_do(self, desk: Desk) -> None:
        desk.after_each_call(lambda: delete_room(desk))
        assert desk.send(text(GROUP, "a")).item is None


class TestCrash:
    """The process dies between any two requests, and another one continues."""

    def resume(self, desk: Desk) -> None:
        desk.clock.now += LEASE_SECONDS + 1
        desk.deliver(desk.load(), "next")

    def test_before_the_first_call_loses_nothing(self, desk: Desk) -> None:
        desk.add("me", text(GROUP, "a"), text(ANNA, "b"))
        self.resume(desk)
        assert (desk.gateway.texts(GROUP), desk.gateway.texts(ANNA)) == (["a"], ["b"])

    def test_between_sending_and_clearing_doubles_at_most_that_flush(self, desk: Desk) -> None:
        desk.send(text(GROUP, "before"))
        item = desk.add("me", text(GROUP, "a"), text(GROUP, "b"))
        desk.after_the_next_call(Mock(side_effect=Killed))
        with pytest.raises(Killed):
            desk.deliver(item)
        self.resume(desk)
        assert desk.gateway.texts(GROUP) == ["before", "a", "a", "b"]
        assert dict(desk.load().outbox) == {}

    def test_later_leaves_a_wake_up_and_entries(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        desk.gateway.faults[GROUP] = [RetryLater(9)]
        item = desk.add("me", text(GROUP, "a"))
        monkeypatch.setattr(desk.rooms, "finish_sending", Mock(side_effect=Killed))
        with pytest.raises(Killed):
            desk.deliver(item)
        assert desk.wakeups.times() == [NOW + 9]
        assert len(desk.load().outbox) == 1

    def test_a_failed_clear_is_told_for_a_resend(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        item = desk.add("me", text(GROUP, "a"))
        throttled = StoreUnavailable("update_item: ThrottlingException")
        monkeypatch.setattr(desk.rooms, "finish_sending", Mock(side_effect=throttled))
        with pytest.raises(StoreUnavailable):
            desk.deliver(item)

    def test_losing_the_lease_while_sending_is_noted(self, desk: Desk) -> None:
        def stall() -> None:
            desk.take(LEASE_SECONDS + 1)
            desk.rooms.take_lease(KEY, desk.sender.lease("quick"))

        item = desk.add("slow", text(GROUP, "a"))
        desk.after_each_call(stall)
        desk.deliver(item, "slow", 999)
        assert ("lease_lost", {"count": 1}) in desk.notes
        assert desk.load().held_by("quick")


class TestWaiting:
    def test_a_429_leaves_its_chat_for_a_wake_up_while_others_go_on(self, desk: Desk) -> None:
        desk.gateway.faults[GROUP] = [RetryLater(17)]
        done = desk.send(text(GROUP, "a"), text(ANNA, "b"))
        assert (done.settled, bool(desk.load().outbox)) == (1, True)
        assert desk.wakeups.queued == [Wakeup(KEY, NOW + 17, "retry")]
        item = desk.load()
        assert (item.lease, item.due, len(item.outbox)) == (None, NOW + 17, 1)
        desk.clock.now += 17
        assert (desk.deliver(item, "wakeup").settled, bool(desk.load().outbox)) == (1, False)
        assert desk.gateway.texts(GROUP) == ["a", "a"]
        assert set(desk.load().remembered.as_patch()) == {"group_sends"}

    def test_taps_during_the_wait_do_not_call_the_chat(self, desk: Desk) -> None:
        desk.gateway.faults[GROUP] = [RetryLater(17)]
        desk.send(text(GROUP, "a"))
        desk.send(text(GROUP, "b"), text(ANNA, "c"), owner="you")
        assert desk.gateway.texts(GROUP) == ["a"]
        assert desk.gateway.texts(ANNA) == ["c"]

    def test_taps_during_the_wait_queue_no_second_wakeup(self, desk: Desk) -> None:
        desk.gateway.faults[GROUP] = [RetryLater(17), RetryLater(30)]
        desk.send(text(GROUP, "a"))
        for number in range(5):
            desk.clock.now += 1
            desk.send(text(GROUP, f"{number}"), owner=f"{number}")
        assert desk.wakeups.times() == [NOW + 17]
        desk.clock.now = NOW + 17
        desk.deliver(desk.load(), "wakeup")
        assert desk.wakeups.times() == [NOW + 17, NOW + 47]

    def test_how_long_something_waits_is_told_until_nothing_does(self, desk: Desk) -> None:
        desk.gateway.faults[GROUP] = [RetryLater(17), RetryLater(30)]
        desk.send(text(GROUP, "a"))
        for after in (17, 47):
            desk.clock.now = NOW + after
            desk.deliver(desk.load(), "wakeup")
        assert [facts["seconds"] for event, facts in desk.notes if event == "outbox_age"] == [0, 17]
        assert set(desk.load().remembered.as_patch()) == {"group_sends"}

    def test_a_late_wakeup_still_queues_the_next(self, desk: Desk) -> None:
        desk.gateway.faults[GROUP] = [RetryLater(60)]
        desk.gateway.faults[ANNA] = [RetryLater(17)]
        desk.send(text(GROUP, "a"))
        desk.send(text(ANNA, "b"), owner="you")
        assert desk.wakeups.times() == [NOW + 60, NOW + 17]

    def test_an_unqueued_wakeup_is_queued_by_the_next_update(self, desk: Desk) -> None:
        desk.gateway.faults[GROUP] = [RetryLater(17)]
        desk.wakeups.broken = True
        desk.send(text(GROUP, "a"))
        desk.wakeups.broken = False
        desk.send(text(GROUP, "b"), owner="you")
        assert desk.wakeups.times() == [NOW + 17]

    def test_order_in_a_chat_outlives_the_wait(self, desk: Desk) -> None:
        desk.gateway.faults[GROUP] = [None, AnswerLost("lost")]
        desk.send(text(GROUP, "a"), text(GROUP, "b"), text(GROUP, "c"))
        desk.send(text(GROUP, "d"), owner="you")
        desk.clock.now += 2
        desk.deliver(desk.load(), "wakeup")
        assert desk.gateway.texts(GROUP) == ["a", "b", "b", "c", "d"]

    def test_a_queue_that_is_down_leaves_it_to_the_watchdog(self, desk: Desk) -> None:
        desk.wakeups.broken = True
        desk.gateway.faults[GROUP] = [RetryLater(17)]
        desk.send(text(GROUP, "a"))
        assert list(desk.rooms.due(NOW + 60)) == [(KEY, NOW + 17)]
        assert ("wakeup_failed", {"reason": "retry"}) in desk.notes

    def test_what_time_is_short_for_is_left_to_a_wakeup(self, desk: Desk) -> None:
        desk.after_each_call(lambda: desk.take(20))
        done = desk.send(*(text(GROUP, f"{n}") for n in range(4)))
        assert (done.settled, bool(desk.load().outbox)) == (2, True)
        assert desk.wakeups.queued == [Wakeup(KEY, NOW + 41, "retry")]

    def test_a_late_addition_is_left_for_a_wakeup(self, desk: Desk) -> None:
        mine = desk.add("me", text(GROUP, "a"))

        def meanwhile() -> None:
            desk.take(28)
            desk.add("other", text(ANNA, "b"))

        desk.after_each_call(meanwhile)
        done = desk.deliver(mine)
        assert done.settled == 1
        assert done.item is not None
        assert done.item.outbox
        assert desk.wakeups.queued == [Wakeup(KEY, NOW + 28, "rest")]

    def test_sending_ends_before_the_lease_does(self, desk: Desk) -> None:
        desk.after_each_call(lambda: desk.take(15))
        assert desk.send(*(text(GROUP, f"{n}") for n in range(9)), seconds=900).settled == 3
        assert desk.clock.now <= NOW + LEASE_SECONDS


class TestRefusals:
    def test_stay_until_what_follows_from_them_is_saved(self, desk: Desk) -> None:
        desk.gateway.faults[ANNA] = [Refused(Kind.BLOCKED)]
        done = desk.send(text(ANNA, "your role", name="role"), text(GROUP, "go"))
        assert [(refusal.entry.name, refusal.kind) for refusal in done.refusals] == [("role", Kind.BLOCKED)]
        assert done.settled == 1
        assert done.item is not None
        assert list(done.item.outbox) == [done.refusals[0].id]
        assert (done.item.lease, done.item.due) == (None, NOW + 60)
        told = desk.save(
            done.item,
            "me",
            body=b"a seat is not reached",
            remove=[done.refusals[0].id],
            due=None,
            entries=[text(GROUP, "somebody blocked me")],
        )
        assert desk.deliver(told).settled == 1
        assert desk.gateway.texts(GROUP) == ["go", "somebody blocked me"]
        assert (dict(desk.load().outbox), desk.load().due) == ({}, None)

    def test_are_met_again_if_nobody_dealt_with_them(self, desk: Desk) -> None:
        desk.gateway.faults[ANNA] = [Refused(Kind.BLOCKED), Refused(Kind.BLOCKED)]
        desk.send(text(ANNA, "your role"))
        assert len(desk.deliver(desk.load(), "next").refusals) == 1

    def test_do_not_keep_the_courier_from_what_others_added(self, desk: Desk) -> None:
        desk.gateway.faults[ANNA] = [Refused(Kind.BLOCKED)]
        mine = desk.add("me", text(GROUP, "a"), text(ANNA, "b"))
        desk.after_the_next_call(lambda: desk.add("other", text(GROUP, "c")))
        done = desk.deliver(mine)
        assert desk.gateway.texts(GROUP) == ["a", "c"]
        assert len(desk.gateway.texts(ANNA)) == 1
        assert len(done.refusals) == 1

    def test_a_group_that_migrated_is_reported_and_keeps_its_entries(self, desk: Desk) -> None:
        desk.gateway.faults[GROUP] = [Migrated(-1009)]
        assert desk.send(text(GROUP, "a")).migrated == {GROUP: -1009}
        assert len(desk.load().outbox) == 1
        assert desk.wakeups.queued == []


def test_a_picture_is_drawn_from_the_room_when_it_is_sent(desk: Desk) -> None:
    desk.sender = desk.new_sender(photo=lambda item, spec: item.body)
    picture = OutboxEntry(GROUP, "sendPhoto", photo={"kept_as": "board", "name": "n"})
    mine = desk.add("me", text(GROUP, "a"))
    desk.after_the_next_call(lambda: desk.save(desk.load(), "other", body=b"two", entries=[picture]))
    desk.deliver(mine)
    assert desk.gateway.uploads == [{"photo": b"two"}]


class TestAfterAMinuteIsUsedUp:
    """Entries that others add while a group's entries wait, in the same delivery."""

    @pytest.fixture
    def full(self, desk: Desk) -> Desk:
        sent = [desk.clock.now - 55 + at / 10 for at in range(LIMIT_FOR_POSTS)]
        remembered: Patch = {"group_sends": {GROUP: sent}, "message_ids": {"game": 7}}
        stored(desk.rooms.save(desk.load(), Change(remembered=remembered)))
        return desk

    def deliver(self, full: Desk, held: OutboxEntry, later: OutboxEntry) -> DeliveryResult:
        """Deliver an entry that is held. Another one comes meanwhile, and the minute's first posts pass."""

        def meanwhile() -> None:
            full.add("other", later)
            full.take(10)

        mine = full.add("me", held, text(ANNA, "private"))
        full.after_the_next_call(meanwhile)
        return full.deliver(mine)

    def test_a_new_post_does_not_overtake_those_that_were_held(self, full: Desk) -> None:
        self.deliver(full, text(GROUP, "first"), text(GROUP, "second"))
        assert full.gateway.texts(GROUP) == ["first", "second"]

    def test_a_held_edit_does_not_come_after_a_newer_one(self, full: Desk) -> None:
        def edit(words: str) -> OutboxEntry:
            return OutboxEntry(GROUP, "editMessageText", {"text": words}, target="game", key="game")

        after = self.deliver(full, edit("old"), edit("new")).item
        assert full.gateway.texts(GROUP) == ["new"]
        assert after is not None
        assert after.outbox == {}


def test_no_two_invocations_have_the_same_name() -> None:
    assert len({new_owner() for _ in range(100)}) == 100
