"""A record or a message that always fails is set aside. Its room goes on, and an operator retries it."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.rooms.names import UserId
from infra.outbox import send
from infra.store.items import OutboxEntry
from infra.store.set_aside import SECONDS_NEEDED, TRIES_NEEDED, SetAside
from local.dynamodb.table import Failed
from operate import changes
from operate.bot import Bot
from sandbox.harness import Harness
from sandbox.telegram import Call, Refusal
from tests.system.store import Store
from tests.system.table import Table

HOUR = 3600.0


def kept(table: Table) -> SetAside:
    return table.harness.built.app.room_service.recorder.set_aside


def refusing(store: Store, code: str) -> None:
    store.fail(Failed(code), "transact_write_items")


def test_a_record_that_can_never_be_written_blocks_nobody(table: Table, store: Store) -> None:
    """It once blocked its group for ever."""
    refusing(store, "ValidationException")
    table.open(5).hurry().pass_time(60)
    table.say(table.people[0], "/newgame")
    assert table.room().lobby is not None
    (aside,) = kept(table).all()
    why = "transact_write_items: ValidationException"
    assert (aside.room, aside.what, aside.why) == (table.name.key, "record", why)
    store.before.clear()
    table.harness.built.app.room_service.recorder.retry(aside)
    assert kept(table).all() == []
    assert len(table.harness.built.app.room_service.recorder.archives.latest(table.name.key)) == 1


def test_a_record_that_may_still_be_written_is_tried_for_a_while(table: Table, store: Store) -> None:
    refusing(store, "ThrottlingException")
    table.open(5).hurry()
    assert kept(table).all() == []
    for _ in range(TRIES_NEEDED + 2):
        table.pass_time(SECONDS_NEEDED / TRIES_NEEDED + 1)
        table.harness.watch()
        table.harness.settle()
    assert [aside.what for aside in kept(table).all()] == ["record"]


def later(table: Table, seconds: float) -> None:
    end = table.harness.clock() + seconds
    while table.harness.clock() < end:
        moment = table.harness.queue.next_at
        table.wait(min(180.0, max(0.0, (moment or end) - table.harness.clock())) or 1.0)
        table.harness.watch()


def fail(table: Table, fails: Callable[[Call], bool]) -> None:
    """Let Telegram always answer these calls with a 500."""

    def before(call: Call) -> None:
        if fails(call):
            raise Refusal(500, "Internal Server Error")

    table.tg.before_call.append(before)


def operator(at: Harness) -> Bot:
    app = at.built.app
    return Bot("desk", kept(Table(at))._table, app.gateway, app.wakeups, at.clock)


def test_a_message_that_always_fails_is_set_aside(table: Table, at: Harness) -> None:
    """It once held up its chat for ever."""
    table.open(5)
    ben = table.people[1]
    fail(table, lambda call: call.chat == ben.id and "answer|" in str(call.params))
    table.nominate(1)
    later(table, SECONDS_NEEDED + HOUR / 4)
    (aside,) = kept(table).all()
    assert (aside.room, aside.what) == (table.name.key, "message")
    assert aside.why == "sendMessage to a private chat: NetworkError"
    assert table.item().outbox == {}
    assert "Ben" in table.group_text(), "the group is told whom the game waits for"
    table.tg.before_call.clear()
    changes.retry(operator(at), [aside])
    at.settle()
    assert kept(table).all() == []
    assert "Ja" in "".join(table.seat(1).prompt().labels())


@pytest.mark.thorough
def test_an_outage_sets_nothing_aside(table: Table) -> None:
    table.open(5)
    fail(table, lambda call: call.method != "answerCallbackQuery")
    table.nominate(1)
    later(table, 24 * HOUR)
    assert kept(table).all() == []
    table.tg.before_call.clear()
    later(table, HOUR / 4)
    assert [len(table.seat(seat).prompts()) for seat in range(5)] == [1] * 5
    assert table.item().outbox == {}


def test_a_mistake_of_ours_in_a_message_is_set_aside(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open(5)
    ben, honest = table.people[1], send.call_of

    def mistaken(entry: Any, *rest: Any) -> Any:
        if entry.chat == ben.id:
            raise ZeroDivisionError
        return honest(entry, *rest)

    monkeypatch.setattr(send, "call_of", mistaken)
    table.nominate(1)
    (aside,) = kept(table).all()
    assert aside.why == "sendMessage to a private chat: ZeroDivisionError"
    assert table.item().outbox == {}


def test_a_message_set_aside_is_forgotten_with_its_reader(table: Table) -> None:
    table.open(5)
    ben, anna = table.people[1], table.people[0]
    aside = kept(table)
    for chat in (ben.id, anna.id):
        entry = OutboxEntry(chat, "sendMessage", {"text": "You are Hitler."})
        aside.put_message(table.name.key, f"1.{chat}", entry, "TimeoutError")
    table.harness.built.app.private_chat.eraser.forget_person(UserId(ben.id))
    assert [one.name for one in aside.all()] == [f"1.{anna.id}"]
    aside.forget(rooms=[table.name.key])
    assert aside.all() == []
