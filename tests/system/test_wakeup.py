"""The wake-up entry: batches of the queue, the watchdog's schedule, and failures."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from bot.conversation.waking import LIFETIME
from bot.rooms.codec import SCHEMA
from bot.rooms.names import sign_lobby
from handlers import wakeup
from infra.observability import Log
from infra.queue import QueueUnavailable, Wakeup
from infra.store.items import Change, RoomItem
from infra.store.rooms import Rooms
from infra.store.table import StoreUnavailable
from local.invocation import LambdaContext
from sandbox.harness import LINK_KEY, Harness
from sandbox.telegram import Refusal
from tests.refusing import refuse
from tests.system.table import Table
from tests.system.test_exactly_once import deliver


def batch(*bodies: str) -> dict[str, Any]:
    """Return Lambda's event for these messages of the queue."""
    return {"Records": [{"messageId": str(n), "body": body} for n, body in enumerate(bodies)]}


def run(at: Harness, event: Mapping[str, Any]) -> list[str]:
    answer = wakeup.respond(at.built, event, LambdaContext())
    return [failure["itemIdentifier"] for failure in answer.get("batchItemFailures", [])]


def lapsed(another: Callable[..., Table], title: str) -> Table:
    """Return a group whose lobby nobody has used for too long."""
    return another(title=title).gather(1)


def unloadable(table: Table, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every load of a group's room fail."""
    key, load = table.name.key, Rooms.load

    def broken(rooms: Rooms, asked: str) -> RoomItem | None:
        if asked == key:
            raise error
        return load(rooms, asked)

    monkeypatch.setattr(Rooms, "load", broken)


def test_a_wakeup_of_a_room_that_never_was_stores_nothing(at: Harness) -> None:
    assert run(at, batch(Wakeup("room#-5", at.clock(), "retry").pack())) == []
    assert at.built.app.rooms.load("room#-5") is None


def test_what_is_no_wakeup_is_dropped_and_holds_up_nobody(table: Table, at: Harness) -> None:
    table.gather(1).pass_time(LIFETIME + 1)
    good = Wakeup(table.name.key, at.clock(), "clock").pack()
    assert run(at, batch("not json", "{}", '{"room": 7}', "null", good)) == []
    assert table.room().lobby is None


def test_a_wakeup_that_comes_too_early_is_sent_on(table: Table, at: Harness) -> None:
    table.gather(1)
    far = at.clock() + 2000
    assert run(at, batch(Wakeup(table.name.key, far, "clock").pack())) == []
    assert table.room().lobby is not None
    assert at.queue.next_at == at.clock() + 900, "as far as the queue can hold it"
    for _ in range(3):
        assert at.queue.next_at is not None
        at.clock.until(at.queue.next_at)  # type: ignore[attr-defined]
        due = at.queue.due()
        assert due is not None
        assert run(at, due) == []
    assert at.queue.next_at is None, "it came in three hops"


def test_repeated_wakeups_change_nothing(table: Table, at: Harness) -> None:
    table.open(5).nominate(1)
    before = table.item(), len(at.telegram.journal)
    wake = Wakeup(table.name.key, at.clock(), "retry").pack()
    assert run(at, batch(*[wake] * 5)) == []
    assert (table.item(), len(at.telegram.journal)) == before


def test_one_rooms_trouble_is_reported_and_is_not_anothers(
    another: Callable[..., Table], at: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = lapsed(another, "Bad"), lapsed(another, "Good")
    good.pass_time(LIFETIME + 1)
    unloadable(bad, StoreUnavailable("get_item: throttled"), monkeypatch)
    bodies = [Wakeup(t.name.key, at.clock(), "clock").pack() for t in (bad, good)]
    assert run(at, batch(*bodies)) == ["0"], "SQS brings it again"
    at.watch()
    monkeypatch.undo()
    assert bad.room().lobby is not None
    assert good.room().lobby is None


def test_the_watchdog_goes_on_after_a_room_that_fails(
    another: Callable[..., Table], at: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [lapsed(another, title) for title in ("First", "Second", "Third")]
    tables[0].pass_time(LIFETIME + 1)
    unloadable(tables[0], RuntimeError(), monkeypatch)
    assert run(at, {}) == []
    monkeypatch.undo()
    assert [table.room().lobby is None for table in tables] == [False, True, True]


def test_the_watchdog_gets_past_many_failing_rooms(another: Callable[..., Table], at: Harness) -> None:
    behind = lapsed(another, "Behind")
    newer = [f"room#-{number}" for number in range(1, 251)]
    for key in newer:  # which this code must not change
        at.built.app.rooms.create(key, Change(body=b"{}", schema=SCHEMA + 1, due=at.clock()))
    behind.pass_time(LIFETIME + 1)
    at.watch()
    assert behind.room().lobby is None


def test_the_watchdog_starts_no_room_it_cannot_finish(at: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [f"room#-{number}" for number in range(1, 9)]
    for number, key in enumerate(keys):
        at.built.app.rooms.create(key, Change(due=at.clock() + number))
    at.clock.until(at.clock() + 60)  # type: ignore[attr-defined]
    begun = []

    def slow(app: Any, key: str, *rest: Any) -> None:
        begun.append(key)
        at.clock.until(at.clock() + 7)  # type: ignore[attr-defined]
        raise RuntimeError

    monkeypatch.setattr(type(at.built.app), "on_wake", slow)
    assert run(at, {}) == []
    assert begun == keys[:4], "of the thirty seconds that it has"


def test_a_stuck_queue_leaves_early_wakeups_alone(
    table: Table, at: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.gather(1)
    down = Mock(side_effect=QueueUnavailable("ServiceUnavailable"))
    monkeypatch.setattr(type(at.built.app.wakeups), "_put", down)
    assert run(at, batch(Wakeup(table.name.key, at.clock() + 600, "clock").pack())) == ["0"]


def test_the_watchdog_replaces_the_queue(table: Table, at: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    down = Mock(side_effect=QueueUnavailable("ServiceUnavailable"))
    monkeypatch.setattr(type(at.built.app.wakeups), "_put", down)
    room = table.gather(5).room()
    table.rewrite(replace(room, settings=replace(room.settings, clock="fast")))
    table.press(table.people[0], "start")
    table.pass_time(15)
    at.watch()
    assert at.queue.next_at is None
    asked = table.match().game.question
    for _ in range(4):
        table.pass_time(60)
        at.watch()
    now = table.match().game.question
    assert asked is not None
    assert now is not None
    assert now.number > asked.number, "the clock answered"


def test_a_newer_room_is_left_alone_and_telegram_waits(table: Table, at: Harness) -> None:
    prompt = table.open(5).asked().prompt()
    newer = at.built.app.rooms.save(table.item(), Change(body=b"{}", schema=SCHEMA + 1))
    assert isinstance(newer, RoomItem)
    at.telegram.tap(prompt.seat.user, prompt.message, prompt.data()[0])
    (pending,) = at.telegram.delivery.heads()
    assert deliver(table, pending) == 503
    # It does not become a dead letter: the room stays due, for the watchdog of the newer code.
    assert run(at, batch(Wakeup(table.name.key, at.clock(), "clock").pack())) == []
    at.watch()
    assert at.built.app.rooms.load(table.name.key) == newer


def test_a_room_of_newer_code_counts_in_no_alarm_of_a_canary(table: Table, at: Harness) -> None:
    counts: dict[str, float] = {}
    log = Log(lambda level, line: counts.update(line) if level == "METRIC" else None)
    prompt = table.open(5).asked().prompt()
    at.built.app.rooms.save(table.item(), Change(body=b"{}", schema=SCHEMA + 1))
    at.built = replace(at.built, log=log)
    at.telegram.tap(prompt.seat.user, prompt.message, prompt.data()[0])
    at.telegram.delivery.deliver(at.telegram.delivery.heads()[0], at.post)
    run(at, batch(Wakeup(table.name.key, at.clock(), "clock").pack()))
    assert set(counts) == {"NewerRoom"}


def test_one_tap_there_is_brought_thirty_times_and_not_150(table: Table, at: Harness) -> None:
    prompt = table.open(5).asked().prompt()
    at.built.app.rooms.save(table.item(), Change(body=b"{}", schema=SCHEMA + 1))
    at.telegram.tap(prompt.seat.user, prompt.message, prompt.data()[0])
    tries = 0
    while pending := at.telegram.delivery.pending():
        at.clock.advance(0.5)  # type: ignore[attr-defined]
        for head in at.telegram.delivery.ready():
            assert head in pending
            at.telegram.delivery.deliver(head, at.post)
            tries += 1
    assert tries <= 32


@pytest.mark.parametrize("newer", ["fact", "ruleset"])
def test_newer_codes_work_is_left_to_it(table: Table, at: Harness, newer: str) -> None:
    prompt = table.open(5).asked().prompt()
    before = table.item()
    stored = json.loads(before.body)
    if newer == "fact":
        stored["match"]["log"].append(["Unheard", None, {}])
    else:
        stored["match"]["game"]["setup"]["ruleset"] = "classic@99"
    left = at.built.app.rooms.save(before, Change(body=json.dumps(stored).encode()))
    assert isinstance(left, RoomItem)
    query = prompt.tap("Ben", settle=False)
    (pending,) = at.telegram.delivery.heads()
    assert deliver(table, pending) == 503
    assert query.answer is None
    assert table.item() == left
    assert isinstance(at.built.app.rooms.save(left, Change(body=before.body)), RoomItem)
    at.telegram.delivery.run_until_idle(at.post, at.clock.until)  # type: ignore[attr-defined]
    assert table.match().game.table.chancellor == 1


def test_silence_from_telegram_gives_no_right(table: Table, at: Harness) -> None:
    table.gather(5)
    admin = table.people[3]
    at.telegram.promote(admin, table.group)
    refuse(at.telegram, Refusal(500, "Internal Server Error"), "getChatMember")
    table.press(admin, "start")
    assert table.seat(3).toast().startswith("Telegram doesn't tell me who the admins are here.")
    assert table.room().match is None
    lobby = table.lobby()
    # Anybody can pass a link on, so it does not say who follows it.
    stranger = table.person("Fritz", member=False)
    passed_on = sign_lobby(table.name, lobby.number, LINK_KEY)
    at.telegram.open_link(stranger, f"https://t.me/chancellery_bot?start={passed_on}")
    at.settle()
    assert "Telegram doesn't tell me who is in the group." in table.seat(5).text()
    assert table.room().lobby == lobby
