"""A sender that keeps the bot's pace: what waits for its slot, what goes first, and Telegram's own stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.rooms.names import room_key
from infra.outbox.allowing import Allowing
from infra.outbox.outbox_sender import OutboxSender
from infra.outbox.turns import TURNS
from infra.queue import Wakeup
from infra.store.entries import OutboxEntry
from infra.store.items import Change, RoomItem
from infra.store.pace import Pace
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable, StoreUnavailable
from infra.telegram.errors import RetryLater
from tests.infra.conftest import NOW, Clock
from tests.infra.outbox.test_outbox_sender import FakeWakeups
from tests.infra.outbox.wireless import FakeGateway
from tests.infra.store.test_rooms import stored

GROUP, ANNA, BEN = -100, 1, 2
KEY = room_key(GROUP)


def post(chat: int, words: str, **more: Any) -> OutboxEntry:
    return OutboxEntry(chat, "sendMessage", {"text": words}, **more)


def prompt(chat: int, words: str) -> OutboxEntry:
    return OutboxEntry(chat, "sendMessage", {"text": words, "reply_markup": {}})


@pytest.fixture
def gateway() -> Iterator[FakeGateway]:
    gateway = FakeGateway()
    yield gateway
    gateway.close()


@pytest.fixture
def wakeups() -> FakeWakeups:
    return FakeWakeups()


@pytest.fixture
def pace(table: DynamoTable, clock: Clock) -> Pace:
    return Pace(table, clock, per_second=10, burst=1)


@pytest.fixture
def outbox_sender(
    rooms: Rooms, gateway: FakeGateway, wakeups: FakeWakeups, pace: Pace, clock: Clock
) -> OutboxSender:
    async def wait_until(moment: float) -> None:
        clock.now = max(clock.now, moment)

    return OutboxSender(rooms, gateway, wakeups, clock, pace=pace, wait_until=wait_until)


@pytest.fixture
def add(rooms: Rooms, outbox_sender: OutboxSender) -> Callable[..., RoomItem]:
    stored(rooms.create(KEY, Change(body=b"one")))

    def add(*entries: OutboxEntry) -> RoomItem:
        fresh = rooms.load(KEY)
        assert fresh is not None
        return stored(rooms.save(fresh, Change(entries=entries, lease=outbox_sender.lease("me"))))

    return add


def deliver(outbox_sender: OutboxSender, item: RoomItem, clock: Clock) -> RoomItem:
    done = outbox_sender.deliver(item, "me", clock.now + 30).item
    assert done is not None
    return done


def sent(gateway: FakeGateway) -> list[str]:
    return [str(params["text"]) for _, _, params in gateway.calls]


def test_a_calm_bot_sends_at_once_and_keeps_nothing(
    outbox_sender: OutboxSender, add: Callable[..., RoomItem], gateway: FakeGateway, clock: Clock
) -> None:
    item = deliver(outbox_sender, add(post(GROUP, "a"), post(ANNA, "b")), clock)
    assert (sorted(sent(gateway)), dict(item.outbox), TURNS in item.messages) == (["a", "b"], {}, False)
    assert clock.now - NOW < 0.2


def test_what_has_a_later_slot_waits_in_the_room_with_one_wake_up(
    outbox_sender: OutboxSender,
    add: Callable[..., RoomItem],
    gateway: FakeGateway,
    wakeups: FakeWakeups,
    pace: Pace,
    clock: Clock,
) -> None:
    pace.take(100)
    item = deliver(outbox_sender, add(post(GROUP, "a"), post(ANNA, "b")), clock)
    assert gateway.calls == []
    assert [wakeup.at for wakeup in wakeups.queued] == [pytest.approx(NOW + 9.9)]
    item = deliver(outbox_sender, add(post(BEN, "c")), clock)
    assert len(wakeups.queued) == 1, "it comes in time already"
    clock.now = NOW + 10
    item = deliver(outbox_sender, item, clock)
    assert sorted(sent(gateway)) == ["a", "b", "c"]
    assert (dict(item.outbox), TURNS in item.messages) == ({}, False)


def test_a_room_is_not_woken_for_the_rest_of_its_turn_while_it_is_still_held(
    outbox_sender: OutboxSender,
    add: Callable[..., RoomItem],
    gateway: FakeGateway,
    wakeups: FakeWakeups,
    rooms: Rooms,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A wake-up that comes at once finds the lease taken, and is put off until that would have ended."""
    queued = wakeups.send

    def at_once(wakeup: Wakeup) -> None:
        queued(wakeup)
        if wakeup.at <= clock.now:
            found = rooms.load(wakeup.room)
            assert found is not None
            outbox_sender.deliver(found, "woken", clock.now + 30)

    def slow(chat: int, method: str) -> None:
        clock.now += 0.1

    monkeypatch.setattr(wakeups, "send", at_once)
    gateway.after = slow
    item = deliver(outbox_sender, add(*(post(chat, "!") for chat in range(1, 40))), clock)
    assert item.outbox, "more than goes in one turn"
    assert [wakeup.reason for wakeup in wakeups.queued] == ["retry"]
    assert clock.now < wakeups.queued[0].at <= clock.now + 1


def test_when_the_slot_comes_prompts_go_first_and_edits_that_were_replaced_cost_none(
    outbox_sender: OutboxSender, add: Callable[..., RoomItem], gateway: FakeGateway, pace: Pace, clock: Clock
) -> None:
    def status(words: str) -> OutboxEntry:
        return OutboxEntry(
            GROUP, "editMessageText", {"text": words}, target="s", key="s", fallback="sendMessage"
        )

    pace.take(100)
    deliver(outbox_sender, add(status("1 of 2")), clock)
    pace.take(300)
    backlog = pace.backlog()
    item = deliver(outbox_sender, add(status("2 of 2"), prompt(ANNA, "you?")), clock)
    assert pace.backlog() - backlog == pytest.approx(0.1), "one more slot, as one edit stands for both"
    clock.now = NOW + 10
    item = deliver(outbox_sender, item, clock)
    assert sent(gateway) == ["you?"], "one slot has come, and somebody waits for the prompt"
    assert len(item.outbox) == 1


def test_buttons_that_only_go_away_are_let_go_where_others_wait(
    outbox_sender: OutboxSender, add: Callable[..., RoomItem], gateway: FakeGateway, pace: Pace, clock: Clock
) -> None:
    tidy = OutboxEntry(GROUP, "editMessageReplyMarkup", target="lobby", key="lobby/buttons")
    deliver(outbox_sender, add(post(GROUP, "lobby", name="lobby")), clock)
    pace.take(100)
    item = deliver(outbox_sender, add(tidy, post(ANNA, "later")), clock)
    assert [entry.method for entry in item.outbox.values()] == ["sendMessage"]
    assert sent(gateway) == ["lobby"]


def test_nothing_overtakes_an_earlier_post_of_its_chat_that_waits(
    outbox_sender: OutboxSender, add: Callable[..., RoomItem], gateway: FakeGateway, pace: Pace, clock: Clock
) -> None:
    pace.take(100)
    gone = OutboxEntry(GROUP, "deleteMessage", target="s")
    item = deliver(outbox_sender, add(post(GROUP, "status", name="s"), gone), clock)
    assert (gateway.calls, len(item.outbox)) == ([], 2)


class TestTelegramStops:
    def test_the_whole_bot_and_nobody_calls_until_then(
        self,
        outbox_sender: OutboxSender,
        add: Callable[..., RoomItem],
        gateway: FakeGateway,
        wakeups: FakeWakeups,
        pace: Pace,
        clock: Clock,
    ) -> None:
        gateway.faults[GROUP] = [RetryLater(60, flood=True)]
        item = deliver(outbox_sender, add(post(GROUP, "a"), post(ANNA, "b")), clock)
        assert pace.paused_until() == pytest.approx(clock.now + 60, abs=0.2)
        assert "b" not in sent(gateway), "who has not called yet does not call"
        calls = len(gateway.calls)
        clock.now += 30
        item = deliver(outbox_sender, add(post(BEN, "c")), clock)
        assert len(gateway.calls) == calls
        clock.now += 31
        item = deliver(outbox_sender, item, clock)
        assert sorted(sent(gateway)[calls:]) == ["a", "b", "c"]
        assert dict(item.outbox) == {}

    def test_one_private_chat_alone_stops_nobody_else(
        self,
        outbox_sender: OutboxSender,
        add: Callable[..., RoomItem],
        gateway: FakeGateway,
        pace: Pace,
        clock: Clock,
    ) -> None:
        gateway.faults[ANNA] = [RetryLater(60, flood=True)]
        deliver(outbox_sender, add(post(ANNA, "a"), post(BEN, "b")), clock)
        assert pace.paused_until() == 0
        assert "b" in sent(gateway)

    def test_the_whole_bot_where_two_private_chats_meet_it_at_once(
        self,
        outbox_sender: OutboxSender,
        add: Callable[..., RoomItem],
        gateway: FakeGateway,
        pace: Pace,
        clock: Clock,
    ) -> None:
        for chat in (ANNA, BEN):
            gateway.faults[chat] = [RetryLater(60, flood=True)]
        deliver(outbox_sender, add(post(ANNA, "a"), post(BEN, "b")), clock)
        assert pace.paused_until() == pytest.approx(clock.now + 60, abs=0.2)

    def test_one_group_that_was_written_to_often_and_only_that_waits(
        self,
        outbox_sender: OutboxSender,
        add: Callable[..., RoomItem],
        gateway: FakeGateway,
        pace: Pace,
        clock: Clock,
    ) -> None:
        for number in range(12):
            deliver(outbox_sender, add(post(GROUP, str(number))), clock)
            clock.now += 1
        gateway.faults[GROUP] = [RetryLater(30, flood=True)]
        deliver(outbox_sender, add(post(GROUP, "too much")), clock)
        assert pace.paused_until() == 0
        deliver(outbox_sender, add(post(ANNA, "hello")), clock)
        assert sent(gateway)[-1] == "hello"

    def test_what_did_not_go_because_of_it_is_woken_for_when_it_is_over(
        self,
        outbox_sender: OutboxSender,
        add: Callable[..., RoomItem],
        gateway: FakeGateway,
        wakeups: FakeWakeups,
        clock: Clock,
    ) -> None:
        gateway.faults[GROUP] = [RetryLater(30, flood=True)]
        item = deliver(outbox_sender, add(post(GROUP, "a"), post(ANNA, "b"), post(BEN, "c")), clock)
        assert (sent(gateway), len(item.outbox)) == (["a"], 3)
        assert [wakeup.at for wakeup in wakeups.queued] == [pytest.approx(NOW + 30, abs=0.2)]

    def test_a_connection_that_fails_stops_nobody(
        self,
        outbox_sender: OutboxSender,
        add: Callable[..., RoomItem],
        gateway: FakeGateway,
        pace: Pace,
        clock: Clock,
    ) -> None:
        gateway.faults[ANNA] = [RetryLater(1.0)]
        deliver(outbox_sender, add(post(ANNA, "a")), clock)
        assert pace.paused_until() == 0


def test_an_edit_whose_messages_name_a_later_post_takes_first_is_settled(pace: Pace, clock: Clock) -> None:
    """It would change the new message to what the old one should have said."""
    entries = [
        OutboxEntry(GROUP, "editMessageText", {"text": "over"}, target="notice", key="notice"),
        post(GROUP, "new", name="notice"),
        *(post(chat, "!") for chat in range(1, 22)),
        OutboxEntry(BEN, "editMessageText", {"text": "later"}, target="notice", key="notice"),
    ]
    outbox = {f"{number:02}": entry for number, entry in enumerate(entries)}
    allowed = Allowing(pace, clock).allow(outbox, {})
    assert "01" in allowed.moments
    assert (allowed.dropped, "00" in allowed.waits, "23" in allowed.waits) == (["00"], False, True)


def test_what_can_be_claimed_is_told_before_the_next_prompt_takes_the_messages_name(
    pace: Pace, clock: Clock
) -> None:
    told = {"text": "You drew …", "reply_markup": {}}
    entries = [
        OutboxEntry(ANNA, "editMessageText", told, name="claim0", target="seat0", key="seat0"),
        post(ANNA, "asked", name="seat0"),
        *(post(chat, "!") for chat in range(11, 41)),
    ]
    outbox = {f"{number:02}": entry for number, entry in enumerate(entries)}
    allowed = Allowing(pace, clock).allow(outbox, {"seat0": 7})
    assert len(allowed.waits) > 5
    assert allowed.dropped == []
    assert allowed.moments["00"] <= allowed.moments["01"]


def test_where_nothing_can_be_said_of_the_pace_messages_go_out(
    outbox_sender: OutboxSender,
    add: Callable[..., RoomItem],
    gateway: FakeGateway,
    pace: Pace,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unavailable(count: int) -> Any:
        raise StoreUnavailable("update_item: ThrottlingException")

    monkeypatch.setattr(pace, "take", unavailable)
    deliver(outbox_sender, add(post(GROUP, "a"), post(ANNA, "b")), clock)
    assert sorted(sent(gateway)) == ["a", "b"]


def test_a_new_process_takes_no_slots_again_for_a_room_whose_slots_a_pause_put_off(
    outbox_sender: OutboxSender, add: Callable[..., RoomItem], pace: Pace, table: DynamoTable, clock: Clock
) -> None:
    pace.pause(60)
    clock.now = NOW + 61
    pace.take(100)
    item = deliver(outbox_sender, add(post(GROUP, "a"), post(ANNA, "b")), clock)
    free = pace.backlog()
    new = Pace(table, clock, per_second=10, burst=1)
    allowed = Allowing(new, clock).allow(item.outbox, item.messages)
    assert new.backlog() == pytest.approx(free), "its two slots are kept with the room"
    assert sorted(allowed.waits) == sorted(item.outbox)


def test_a_new_process_asks_once_how_the_pace_stands(
    outbox_sender: OutboxSender,
    add: Callable[..., RoomItem],
    pace: Pace,
    table: DynamoTable,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pace.take(100)
    item = deliver(outbox_sender, add(post(GROUP, "a")), clock)
    clock.now = NOW + 11
    new = Pace(table, clock, per_second=10, burst=1)
    looks: list[float] = []
    look = new.look

    def counted() -> float:
        looks.append(look())
        return looks[-1]

    monkeypatch.setattr(new, "look", counted)
    assert list(Allowing(new, clock).allow(item.outbox, item.messages).moments) == list(item.outbox)
    assert len(looks) == 1


def test_slots_that_nobody_came_for_in_time_are_void(
    outbox_sender: OutboxSender, add: Callable[..., RoomItem], gateway: FakeGateway, pace: Pace, clock: Clock
) -> None:
    pace.take(100)
    item = deliver(outbox_sender, add(post(GROUP, "a")), clock)
    clock.now = NOW + 600
    pace.take(100)
    item = deliver(outbox_sender, item, clock)
    assert gateway.calls == [], "all rooms at once would be too many"
    clock.now = NOW + 611
    deliver(outbox_sender, item, clock)
    assert sent(gateway) == ["a"]
