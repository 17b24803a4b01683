"""A sender that keeps the bot's pace: waiting for slots, order, and pauses that Telegram asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.rooms.names import ChatId, RoomName
from infra.outbox.outbox_sender import OutboxSender
from infra.outbox.plan import GROUPS_NEEDED, PEOPLE_NEEDED, LimitedChat, end_probe, note_limited
from infra.queue import Wakeup
from infra.store.items import Change, OutboxEntry, RoomItem
from infra.store.pace import Pace, with_pause
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable, StoreUnavailable
from infra.telegram.errors import RetryLater
from tests.infra.conftest import NOW, Clock
from tests.infra.outbox.test_outbox_sender import FakeWakeups
from tests.infra.outbox.wireless import FakeGateway
from tests.infra.store.test_rooms import stored

GROUP, ANNA, BEN = -100, 1, 2
KEY = RoomName(ChatId(GROUP)).key


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
    assert (sorted(sent(gateway)), dict(item.outbox), item.remembered.slot_runs) == (["a", "b"], {}, ())
    assert clock.now - NOW < 0.2


def test_a_later_slot_waits_with_one_wakeup(
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
    assert (dict(item.outbox), item.remembered.slot_runs) == ({}, ())


def test_a_held_room_is_not_woken_for_its_turn(
    outbox_sender: OutboxSender,
    add: Callable[..., RoomItem],
    gateway: FakeGateway,
    wakeups: FakeWakeups,
    rooms: Rooms,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A wake-up that comes at once finds the lease taken, and is delayed until the lease would end."""
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


def test_a_slot_serves_prompts_first(
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


def test_nothing_overtakes_an_earlier_post_of_its_chat(
    outbox_sender: OutboxSender, add: Callable[..., RoomItem], gateway: FakeGateway, pace: Pace, clock: Clock
) -> None:
    pace.take(100)
    gone = OutboxEntry(GROUP, "deleteMessage", target="s")
    item = deliver(outbox_sender, add(post(GROUP, "status", name="s"), gone), clock)
    assert (gateway.calls, len(item.outbox)) == ([], 2)


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


def test_a_new_process_keeps_the_slots_that_a_pause_put_off(
    outbox_sender: OutboxSender,
    add: Callable[..., RoomItem],
    rooms: Rooms,
    gateway: FakeGateway,
    wakeups: FakeWakeups,
    pace: Pace,
    table: DynamoTable,
    clock: Clock,
) -> None:
    pace.change(lambda state: with_pause(state, NOW + 60, NOW))
    clock.now = NOW + 61
    pace.take(100)
    item = deliver(outbox_sender, add(post(GROUP, "a"), post(ANNA, "b")), clock)
    free = pace.backlog()
    new = Pace(table, clock, per_second=10, burst=1)
    item = rooms.take_lease(KEY, outbox_sender.lease("me")) or item
    left = deliver(OutboxSender(rooms, gateway, wakeups, clock, pace=new), item, clock)
    assert new.backlog() == pytest.approx(free), "its two slots are kept with the room"
    assert (gateway.calls, len(left.outbox)) == ([], 2)


def test_a_webhook_leaves_slots_beyond_a_moment_to_the_queue(
    outbox_sender: OutboxSender,
    add: Callable[..., RoomItem],
    wakeups: FakeWakeups,
    gateway: FakeGateway,
    pace: Pace,
    clock: Clock,
) -> None:
    pace.take(8)
    item = add(post(GROUP, "a"), post(ANNA, "b"))
    outbox_sender.deliver(item, "me", clock.now + 30, hurried=True)
    assert (gateway.calls, clock.now) == ([], NOW)
    assert [wakeup.at for wakeup in wakeups.queued] == [pytest.approx(NOW + 1)]


# --- whose limit a 429 is -----------------------------------------------------------------------------------


def limit(gateway: FakeGateway, *chats: int, after: float = 3600) -> None:
    for chat in chats:
        gateway.faults.setdefault(chat, []).append(RetryLater(after, flood=True))


class Others:
    """Other rooms of the same bot, each with its own group."""

    def __init__(self, rooms: Rooms, sender: OutboxSender, clock: Clock) -> None:
        self.rooms, self.sender, self.clock = rooms, sender, clock

    def say(self, chat: int, *entries: OutboxEntry) -> RoomItem:
        """Have a group's room send something."""
        key = RoomName(ChatId(chat)).key
        item = self.rooms.load(key) or stored(self.rooms.create(key, Change(body=b"x")))
        wanted = entries or (post(chat, "!"),)
        item = stored(self.rooms.save(item, Change(entries=wanted, lease=self.sender.lease("me"))))
        return deliver(self.sender, item, self.clock)


@pytest.fixture
def others(rooms: Rooms, outbox_sender: OutboxSender, clock: Clock) -> Others:
    return Others(rooms, outbox_sender, clock)


class TestOneChatsLimit:
    def test_a_slow_group_holds_up_nobody_else(
        self, others: Others, gateway: FakeGateway, pace: Pace, clock: Clock
    ) -> None:
        """An hour of slow mode once stopped all groups for an hour, and each command there renewed that."""
        for _ in range(5):
            limit(gateway, GROUP)
            others.say(GROUP)
            clock.now += 3601
        assert pace.paused_until() == 0
        others.say(-200, post(-200, "on time"))
        assert sent(gateway)[-1] == "on time"

    def test_two_full_private_chats_stop_nobody(
        self, others: Others, gateway: FakeGateway, pace: Pace
    ) -> None:
        limit(gateway, ANNA, BEN)
        others.say(GROUP, post(ANNA, "a"), post(BEN, "b"), post(GROUP, "c"))
        assert pace.paused_until() == 0
        assert "c" in sent(gateway)

    def test_thirty_topics_of_one_forum_stop_nobody(
        self, rooms: Rooms, outbox_sender: OutboxSender, gateway: FakeGateway, pace: Pace, clock: Clock
    ) -> None:
        for topic in range(1, 31):
            limit(gateway, GROUP)
            entry = OutboxEntry(GROUP, "sendMessage", {"text": "!"}, topic=topic)
            change = Change(body=b"x", entries=(entry,), lease=outbox_sender.lease("me"))
            deliver(outbox_sender, stored(rooms.create(RoomName(ChatId(GROUP), topic).key, change)), clock)
        assert pace.paused_until() == 0

    def test_one_group_that_was_written_to_often_is_no_evidence(
        self, others: Others, gateway: FakeGateway, pace: Pace
    ) -> None:
        for chat in range(-203, -200):
            others.say(chat, *[post(chat, "!")] * 3)
            limit(gateway, chat)
            others.say(chat)
        assert pace.paused_until() == 0

    def test_waits_that_are_over_are_no_evidence(
        self, others: Others, gateway: FakeGateway, pace: Pace, clock: Clock
    ) -> None:
        """Three chats had to wait a second. With two full ones they once stopped the bot for a minute."""
        limit(gateway, 11, 12, 13, after=1)
        others.say(GROUP, *(post(chat, "!") for chat in (11, 12, 13)))
        clock.now += 8
        limit(gateway, ANNA, BEN)
        others.say(-200, post(ANNA, "a"), post(BEN, "b"))
        assert pace.paused_until() == 0

    def test_the_bot_waits_as_long_as_all_evidence_says(
        self, others: Others, gateway: FakeGateway, pace: Pace
    ) -> None:
        """A chat known to be busy or full once asked for longer than the bot had to wait."""
        for _ in range(3):
            others.say(-200, post(-200, "!"))
        people = range(1, PEOPLE_NEEDED + 1)
        limit(gateway, -200, PEOPLE_NEEDED, after=3600)
        limit(gateway, *people[:-1], after=2)
        others.say(-200, post(-200, "!"), *(post(chat, "!") for chat in people))
        assert pace.paused_until() == pytest.approx(NOW + 2, abs=1)

    def test_a_connection_that_fails_stops_nobody(
        self, others: Others, gateway: FakeGateway, pace: Pace
    ) -> None:
        for chat in range(-210, -200):
            gateway.faults[chat] = [RetryLater(1.0)]
            others.say(chat)
        assert pace.paused_until() == 0


class TestTheWholeBotsLimit:
    def test_three_groups_are_evidence_and_nobody_calls_for_a_minute(
        self, others: Others, gateway: FakeGateway, pace: Pace, clock: Clock
    ) -> None:
        for number in range(GROUPS_NEEDED):
            assert pace.paused_until() == 0
            limit(gateway, -201 - number)
            others.say(-201 - number)
        assert pace.paused_until() == pytest.approx(clock.now + 60, abs=0.5)
        calls = len(gateway.calls)
        clock.now += 50
        others.say(-300)
        assert len(gateway.calls) == calls

    def test_the_private_chats_of_one_table_are_evidence(
        self, others: Others, gateway: FakeGateway, pace: Pace, clock: Clock
    ) -> None:
        people = range(1, PEOPLE_NEEDED + 3)
        limit(gateway, GROUP, *people)
        item = others.say(GROUP, *(post(chat, "!") for chat in people))
        assert len(gateway.calls) == PEOPLE_NEEDED, "who has not called yet does not call"
        assert pace.paused_until() == pytest.approx(clock.now + 60, abs=0.5)
        assert len(item.outbox) == len(people)

    def test_evidence_from_longer_ago_does_not_count(
        self, others: Others, gateway: FakeGateway, pace: Pace, clock: Clock
    ) -> None:
        for number in range(9):
            limit(gateway, -201 - number)
            others.say(-201 - number)
            clock.now += 6
        assert pace.paused_until() == 0

    def test_one_message_tries_and_then_all_go_on(
        self, others: Others, gateway: FakeGateway, pace: Pace, clock: Clock
    ) -> None:
        stopped(others, gateway)
        clock.now = pace.paused_until() + 0.01
        calls = len(gateway.calls)
        left = others.say(-300, *(post(chat, "!") for chat in (-300, ANNA, BEN)))
        assert len(gateway.calls) == calls + 1
        assert len(left.outbox) == 2
        others.say(-301)
        assert len(gateway.calls) == calls + 1
        clock.now += 6
        deliver(others.sender, leased(others, -300), clock)
        deliver(others.sender, leased(others, -301), clock)
        assert len(gateway.calls) == calls + 4

    def test_the_pause_doubles_while_it_is_refused(
        self, others: Others, gateway: FakeGateway, pace: Pace, clock: Clock
    ) -> None:
        stopped(others, gateway)
        lengths = []
        for number in range(7):
            clock.now = began = pace.paused_until() + 0.01
            asked = max(0.0, NOW + 3600 - clock.now)
            limit(gateway, -300 - number, after=asked)
            others.say(-300 - number)
            lengths.append(round(pace.paused_until() - began))
        assert lengths[:4] == [120, 240, 480, 960]
        assert pace.paused_until() <= NOW + 3600 + 6

    def test_a_short_wait_needs_no_probe(
        self, others: Others, gateway: FakeGateway, pace: Pace, clock: Clock
    ) -> None:
        stopped(others, gateway, after=30)
        clock.now += 31
        left = others.say(-300, *(post(chat, "!") for chat in (-300, ANNA, BEN)))
        assert not left.outbox

    def test_what_did_not_go_is_woken_for_when_it_is_over(
        self, others: Others, gateway: FakeGateway, wakeups: FakeWakeups, clock: Clock
    ) -> None:
        people = range(1, PEOPLE_NEEDED + 3)
        limit(gateway, *people, after=30)
        others.say(GROUP, *(post(chat, "!") for chat in people))
        assert [wakeup.at for wakeup in wakeups.queued] == [pytest.approx(NOW + 30, abs=1)]


def stopped(others: Others, gateway: FakeGateway, after: float = 3600) -> None:
    """Return a state in which Telegram takes nothing from the bot, as three groups have found."""
    for number in range(GROUPS_NEEDED):
        limit(gateway, -201 - number, after=after)
        others.say(-201 - number)


def leased(others: Others, chat: int) -> RoomItem:
    item = others.rooms.take_lease(RoomName(ChatId(chat)).key, others.sender.lease("me"))
    assert item is not None
    return item


def test_what_the_limiter_keeps_is_bounded(pace: Pace, clock: Clock) -> None:
    for number in range(500):
        clock.now += 4
        pace.change(lambda state, n=number: note_limited(state, [LimitedChat(n, 3600, True)], clock.now))  # type: ignore[misc]
    assert len(pace.known.evidence) <= 30
    assert pace.change(end_probe) is False
