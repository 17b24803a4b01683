"""A sender that keeps the bot's pace: waiting for slots, order, and pauses that Telegram asks for."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import Mock

import pytest

from bot.rooms.names import ChatId, RoomName
from infra.outbox.plan import GROUPS_NEEDED, PEOPLE_NEEDED, LimitedChat, end_probe, note_limited
from infra.queue import Wakeup
from infra.store.items import Change, OutboxEntry, RoomItem
from infra.store.pace import Pace, with_pause
from infra.store.table import DynamoTable, StoreUnavailable
from infra.telegram.errors import RetryLater
from tests.infra.conftest import NOW, Clock
from tests.infra.outbox.desk import ANNA, BEN, GROUP, Desk, text
from tests.infra.store.test_rooms import stored


def prompt(chat: int, words: str) -> OutboxEntry:
    return OutboxEntry(chat, "sendMessage", {"text": words, "reply_markup": {}})


class PacedDesk(Desk):
    """A sender with a pace, and other rooms of the same bot, each with its own group."""

    def __init__(self, table: DynamoTable, clock: Clock) -> None:
        async def wait_until(moment: float) -> None:
            clock.now = max(clock.now, moment)

        self.pace = Pace(table, clock, per_second=10, burst=1)
        super().__init__(table, clock, pace=self.pace, wait_until=wait_until)

    def delivered(self, item: RoomItem) -> RoomItem:
        done = self.deliver(item).item
        assert done is not None
        return done

    def sent(self, *entries: OutboxEntry) -> RoomItem:
        return self.delivered(self.add("me", *entries))

    def say(self, chat: int, *entries: OutboxEntry) -> RoomItem:
        """Have a group's room send something."""
        key = RoomName(ChatId(chat)).key
        item = self.rooms.load(key) or stored(self.rooms.create(key, Change(body=b"x")))
        return self.delivered(self.save(item, "me", entries=entries or (text(chat, "!"),)))

    def leased(self, chat: int) -> RoomItem:
        item = self.rooms.take_lease(RoomName(ChatId(chat)).key, self.sender.lease("me"))
        assert item is not None
        return item

    def limit(self, *chats: int, after: float = 3600) -> None:
        for chat in chats:
            self.gateway.faults.setdefault(chat, []).append(RetryLater(after, flood=True))

    def texts(self) -> list[str]:
        return [str(params["text"]) for _, _, params in self.gateway.calls]


@pytest.fixture
def desk(table: DynamoTable, clock: Clock) -> Iterator[PacedDesk]:
    desk = PacedDesk(table, clock)
    yield desk
    desk.gateway.close()


def test_a_calm_bot_sends_at_once_and_keeps_nothing(desk: PacedDesk) -> None:
    item = desk.sent(text(GROUP, "a"), text(ANNA, "b"))
    assert (sorted(desk.texts()), dict(item.outbox), item.remembered.slot_runs) == (["a", "b"], {}, ())
    assert desk.clock.now - NOW < 0.2


def test_a_later_slot_waits_with_one_wakeup(desk: PacedDesk) -> None:
    desk.pace.take(100)
    item = desk.sent(text(GROUP, "a"), text(ANNA, "b"))
    assert desk.gateway.calls == []
    assert desk.wakeups.times() == [pytest.approx(NOW + 9.9)]
    item = desk.sent(text(BEN, "c"))
    assert len(desk.wakeups.queued) == 1, "it comes in time already"
    desk.clock.now = NOW + 10
    item = desk.delivered(item)
    assert sorted(desk.texts()) == ["a", "b", "c"]
    assert (dict(item.outbox), item.remembered.slot_runs) == ({}, ())


def test_a_held_room_is_not_woken_for_its_turn(desk: PacedDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wake-up that comes at once finds the lease taken, and is delayed until the lease would end."""
    queued = desk.wakeups.send

    def at_once(wakeup: Wakeup) -> None:
        queued(wakeup)
        if wakeup.at <= desk.clock.now:
            found = desk.rooms.load(wakeup.room)
            assert found is not None
            desk.deliver(found, "woken")

    monkeypatch.setattr(desk.wakeups, "send", at_once)
    desk.after_each_call(lambda: desk.take(0.1))
    item = desk.sent(*(text(chat, "!") for chat in range(1, 40)))
    assert item.outbox, "more than goes in one turn"
    assert [wakeup.reason for wakeup in desk.wakeups.queued] == ["retry"]
    assert desk.clock.now < desk.wakeups.queued[0].at <= desk.clock.now + 1


def test_a_slot_serves_prompts_first(desk: PacedDesk) -> None:
    def status(words: str) -> OutboxEntry:
        return OutboxEntry(
            GROUP, "editMessageText", {"text": words}, target="s", key="s", fallback="sendMessage"
        )

    desk.pace.take(100)
    desk.sent(status("1 of 2"))
    desk.pace.take(300)
    backlog = desk.pace.backlog()
    item = desk.sent(status("2 of 2"), prompt(ANNA, "you?"))
    assert desk.pace.backlog() - backlog == pytest.approx(0.1), "one more slot, as one edit stands for both"
    desk.clock.now = NOW + 10
    item = desk.delivered(item)
    assert desk.texts() == ["you?"], "one slot has come, and somebody waits for the prompt"
    assert len(item.outbox) == 1


def test_buttons_that_only_go_away_are_let_go_where_others_wait(desk: PacedDesk) -> None:
    tidy = OutboxEntry(GROUP, "editMessageReplyMarkup", target="lobby", key="lobby/buttons")
    desk.sent(text(GROUP, "lobby", name="lobby"))
    desk.pace.take(100)
    item = desk.sent(tidy, text(ANNA, "later"))
    assert [entry.method for entry in item.outbox.values()] == ["sendMessage"]
    assert desk.texts() == ["lobby"]


def test_nothing_overtakes_an_earlier_post_of_its_chat(desk: PacedDesk) -> None:
    desk.pace.take(100)
    gone = OutboxEntry(GROUP, "deleteMessage", target="s")
    item = desk.sent(text(GROUP, "status", name="s"), gone)
    assert (desk.gateway.calls, len(item.outbox)) == ([], 2)


def test_messages_go_out_if_the_pace_is_unknown(desk: PacedDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    unavailable = StoreUnavailable("update_item: ThrottlingException")
    monkeypatch.setattr(desk.pace, "take", Mock(side_effect=unavailable))
    desk.sent(text(GROUP, "a"), text(ANNA, "b"))
    assert sorted(desk.texts()) == ["a", "b"]


def test_slots_that_nobody_came_for_in_time_are_void(desk: PacedDesk) -> None:
    desk.pace.take(100)
    item = desk.sent(text(GROUP, "a"))
    desk.clock.now = NOW + 600
    desk.pace.take(100)
    item = desk.delivered(item)
    assert desk.gateway.calls == [], "all rooms at once would be too many"
    desk.clock.now = NOW + 611
    desk.delivered(item)
    assert desk.texts() == ["a"]


def test_a_new_process_keeps_the_slots_that_a_pause_put_off(desk: PacedDesk) -> None:
    desk.pace.change(lambda state: with_pause(state, NOW + 60, NOW))
    desk.clock.now = NOW + 61
    desk.pace.take(100)
    desk.sent(text(GROUP, "a"), text(ANNA, "b"))
    free = desk.pace.backlog()
    new = Pace(desk.table, desk.clock, per_second=10, burst=1)
    desk.sender = desk.new_sender(pace=new, wait_until=None)
    left = desk.delivered(desk.leased(GROUP))
    assert new.backlog() == pytest.approx(free), "its two slots are kept with the room"
    assert (desk.gateway.calls, len(left.outbox)) == ([], 2)


def test_a_webhook_leaves_slots_beyond_a_moment_to_the_queue(desk: PacedDesk) -> None:
    desk.pace.take(8)
    desk.send(text(GROUP, "a"), text(ANNA, "b"), hurried=True)
    assert (desk.gateway.calls, desk.clock.now) == ([], NOW)
    assert desk.wakeups.times() == [pytest.approx(NOW + 1)]


# --- whose limit a 429 is -----------------------------------------------------------------------------------


class TestOneChatsLimit:
    def test_a_slow_group_holds_up_nobody_else(self, desk: PacedDesk) -> None:
        """An hour of slow mode once stopped all groups for an hour, and each command there renewed that."""
        for _ in range(5):
            desk.limit(GROUP)
            desk.say(GROUP)
            desk.clock.now += 3601
        assert desk.pace.paused_until() == 0
        desk.say(-200, text(-200, "on time"))
        assert desk.texts()[-1] == "on time"

    def test_two_full_private_chats_stop_nobody(self, desk: PacedDesk) -> None:
        desk.limit(ANNA, BEN)
        desk.say(GROUP, text(ANNA, "a"), text(BEN, "b"), text(GROUP, "c"))
        assert desk.pace.paused_until() == 0
        assert "c" in desk.texts()

    def test_thirty_topics_of_one_forum_stop_nobody(self, desk: PacedDesk) -> None:
        for topic in range(1, 31):
            desk.limit(GROUP)
            entry = OutboxEntry(GROUP, "sendMessage", {"text": "!"}, topic=topic)
            change = Change(body=b"x", entries=(entry,), lease=desk.sender.lease("me"))
            desk.delivered(stored(desk.rooms.create(RoomName(GROUP, topic).key, change)))
        assert desk.pace.paused_until() == 0

    def test_one_group_that_was_written_to_often_is_no_evidence(self, desk: PacedDesk) -> None:
        for chat in range(-203, -200):
            desk.say(chat, *[text(chat, "!")] * 3)
            desk.limit(chat)
            desk.say(chat)
        assert desk.pace.paused_until() == 0

    def test_waits_that_are_over_are_no_evidence(self, desk: PacedDesk) -> None:
        """Three chats had to wait a second. With two full ones they once stopped the bot for a minute."""
        desk.limit(11, 12, 13, after=1)
        desk.say(GROUP, *(text(chat, "!") for chat in (11, 12, 13)))
        desk.clock.now += 8
        desk.limit(ANNA, BEN)
        desk.say(-200, text(ANNA, "a"), text(BEN, "b"))
        assert desk.pace.paused_until() == 0

    def test_the_bot_waits_as_long_as_all_evidence_says(self, desk: PacedDesk) -> None:
        """A chat known to be busy or full once asked for longer than the bot had to wait."""
        for _ in range(3):
            desk.say(-200, text(-200, "!"))
        people = range(1, PEOPLE_NEEDED + 1)
        desk.limit(-200, PEOPLE_NEEDED, after=3600)
        desk.limit(*people[:-1], after=2)
        desk.say(-200, text(-200, "!"), *(text(chat, "!") for chat in people))
        assert desk.pace.paused_until() == pytest.approx(NOW + 2, abs=1)

    def test_a_connection_that_fails_stops_nobody(self, desk: PacedDesk) -> None:
        for chat in range(-210, -200):
            desk.gateway.faults[chat] = [RetryLater(1.0)]
            desk.say(chat)
        assert desk.pace.paused_until() == 0


class TestTheWholeBotsLimit:
    def test_three_groups_are_evidence_and_nobody_calls_for_a_minute(self, desk: PacedDesk) -> None:
        for number in range(GROUPS_NEEDED):
            assert desk.pace.paused_until() == 0
            desk.limit(-201 - number)
            desk.say(-201 - number)
        assert desk.pace.paused_until() == pytest.approx(desk.clock.now + 60, abs=0.5)
        calls = len(desk.gateway.calls)
        desk.clock.now += 50
        desk.say(-300)
        assert len(desk.gateway.calls) == calls

    def test_the_private_chats_of_one_table_are_evidence(self, desk: PacedDesk) -> None:
        people = range(1, PEOPLE_NEEDED + 3)
        desk.limit(GROUP, *people)
        item = desk.say(GROUP, *(text(chat, "!") for chat in people))
        assert len(desk.gateway.calls) == PEOPLE_NEEDED, "who has not called yet does not call"
        assert desk.pace.paused_until() == pytest.approx(desk.clock.now + 60, abs=0.5)
        assert len(item.outbox) == len(people)

    def test_evidence_from_longer_ago_does_not_count(self, desk: PacedDesk) -> None:
        for number in range(9):
            desk.limit(-201 - number)
            desk.say(-201 - number)
            desk.clock.now += 6
        assert desk.pace.paused_until() == 0

    def test_one_message_tries_and_then_all_go_on(self, desk: PacedDesk) -> None:
        stop(desk)
        desk.clock.now = desk.pace.paused_until() + 0.01
        calls = len(desk.gateway.calls)
        left = desk.say(-300, *(text(chat, "!") for chat in (-300, ANNA, BEN)))
        assert len(desk.gateway.calls) == calls + 1
        assert len(left.outbox) == 2
        desk.say(-301)
        assert len(desk.gateway.calls) == calls + 1
        desk.clock.now += 6
        desk.delivered(desk.leased(-300))
        desk.delivered(desk.leased(-301))
        assert len(desk.gateway.calls) == calls + 4

    def test_the_pause_doubles_while_it_is_refused(self, desk: PacedDesk) -> None:
        stop(desk)
        lengths = []
        for number in range(7):
            desk.clock.now = began = desk.pace.paused_until() + 0.01
            desk.limit(-300 - number, after=max(0.0, NOW + 3600 - desk.clock.now))
            desk.say(-300 - number)
            lengths.append(round(desk.pace.paused_until() - began))
        assert lengths[:4] == [120, 240, 480, 960]
        assert desk.pace.paused_until() <= NOW + 3600 + 6

    def test_a_short_wait_needs_no_probe(self, desk: PacedDesk) -> None:
        stop(desk, after=30)
        desk.clock.now += 31
        assert not desk.say(-300, *(text(chat, "!") for chat in (-300, ANNA, BEN))).outbox

    def test_what_did_not_go_is_woken_for_when_it_is_over(self, desk: PacedDesk) -> None:
        people = range(1, PEOPLE_NEEDED + 3)
        desk.limit(*people, after=30)
        desk.say(GROUP, *(text(chat, "!") for chat in people))
        assert desk.wakeups.times() == [pytest.approx(NOW + 30, abs=1)]


def stop(desk: PacedDesk, after: float = 3600) -> None:
    """Have three groups find that Telegram takes nothing from the bot."""
    for number in range(GROUPS_NEEDED):
        desk.limit(-201 - number, after=after)
        desk.say(-201 - number)


def test_what_the_limiter_keeps_is_bounded(desk: PacedDesk) -> None:
    for number in range(500):
        desk.clock.now += 4
        chat = LimitedChat(number, 3600, True)
        desk.pace.change(lambda state, one=chat: note_limited(state, [one], desk.clock.now))  # type: ignore[misc]
    assert len(desk.pace.known.evidence) <= 30
    assert desk.pace.change(end_probe) is False
