"""Everything exactly once, with repeated updates, lost races, throttling, and crashes after a save."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import ConnectTimeoutError, ReadTimeoutError

from handlers.service.admission import GROUP_COMMANDS_PER_MINUTE, PER_MINUTE
from handlers.service.build import build
from infra.configuration import Configuration
from infra.store.items import Change, Lease, OutboxEntry
from local.dynamodb.table import Failed
from local.invocation import LambdaContext
from local.queue import DelayQueue
from sandbox.harness import ENVIRONMENT, SECRET, Harness
from sandbox.telegram import Call, Pending, Query
from sandbox.telegram.transport import StandinRequest
from tests.system.store import Killed, Store
from tests.system.table import Table, answered


@pytest.fixture
def playing(at: Harness) -> Table:
    """Return a game of five, whose first player is asked for a nomination."""
    return Table(at).open(5)


def post(table: Table, update: Mapping[str, Any]) -> int:
    headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
    return table.harness.post(dict(update), headers).status


def deliver(table: Table, pending: Pending) -> int | None:
    response = table.tg.delivery.deliver(pending, table.harness.post)
    return None if response is None else response.status


def redeliver(table: Table) -> None:
    """Let Telegram deliver again what was not taken, and let the bot do what is due."""
    table.tg.delivery.run_until_idle(table.harness.post, table.harness.clock.until)  # type: ignore[attr-defined]
    table.harness.settle()


def tapped(table: Table, label: str = "Ben") -> tuple[Query, Pending]:
    query = table.asked().prompt().tap(label, settle=False)
    (pending,) = table.tg.delivery.heads()
    return query, pending


def done(table: Table) -> list[tuple[str, int | None]]:
    """Return (method, chat) of the calls that Telegram carried out, without toasts."""
    unwanted = ("answerCallbackQuery", "sendChatAction", "getChatMember")
    return [(call.method, call.chat) for call in table.tg.journal if call.ok and call.method not in unwanted]


# --- repetitions --------------------------------------------------------------------------------------


def test_a_repeated_update_changes_and_sends_nothing(playing: Table) -> None:
    _, pending = tapped(playing)
    update = pending.update
    assert post(playing, update) == 200
    state, sent = playing.item(), done(playing)
    for _ in range(3):
        assert post(playing, update) == 200
    assert playing.item() == state
    assert done(playing) == sent


def test_the_same_press_under_a_new_id_changes_nothing(playing: Table) -> None:
    query, pending = tapped(playing)
    playing.tg.delivery.copy(pending)
    playing.harness.settle()
    assert playing.match().game.table.chancellor == 1
    assert len([m for m, _ in done(playing) if m == "editMessageText"]) >= 1
    ballots = [playing.seat(seat).prompts() for seat in range(5)]
    assert [len(prompts) for prompts in ballots] == [1, 1, 1, 1, 1]
    assert query.answer is not None


def test_a_repeated_ballot_does_not_vote_for_the_next_government(playing: Table) -> None:
    playing.nominate(1).seat(0).prompt().tap("Ja", settle=False)
    (pending,) = playing.tg.delivery.heads()
    update = pending.update
    playing.harness.settle()
    playing.vote("jjjj").harness.settle()
    state = playing.item()
    copy = {**update, "update_id": update["update_id"] + 1_000_000}
    assert post(playing, copy) == 200
    assert playing.item() == state


def test_a_repeated_newgame_opens_one_lobby(at: Harness) -> None:
    table = Table(at)
    table.tg.send(table.person("Anna"), table.group, "/newgame")
    (pending,) = table.tg.delivery.heads()
    update = pending.update
    assert post(table, update) == 200
    assert post(table, update) == 200
    assert len(table.group_views()) == 1
    assert table.room().lobby_count == 1


def test_a_very_late_repetition_is_harmless(playing: Table) -> None:
    _, pending = tapped(playing)
    update = pending.update
    playing.harness.settle()
    for number in range(110):
        playing.seat(number % 4).prompt().tap("Ja" if number % 8 < 4 else "Nein")
    assert not playing.item().knows(update["update_id"])
    state = playing.item()
    assert post(playing, update) == 200
    assert playing.item() == state


# --- races and throttling -----------------------------------------------------------------------------


def test_a_save_that_loses_its_race_is_applied_again(playing: Table, store: Store) -> None:
    first = playing.nominate(1).seat(0).prompt()
    second = playing.seat(1).prompt()
    queries = [first.tap("Ja", settle=False), second.tap("Nein", settle=False)]
    one, other = playing.tg.delivery.ready()
    # The second tap is handled completely between the first tap's read and its write.
    store.meanwhile(lambda: deliver(playing, other))
    deliver(playing, one)
    assert playing.waiting() == (2, 3, 4), "neither ballot is lost"
    assert [answered(query)[:1] for query in queries] == ["✔", "✔"]


def test_the_last_two_ballots_at_once_close_the_election_once(playing: Table, store: Store) -> None:
    playing.nominate(1).vote("jjj..")
    for seat in (3, 4):
        playing.seat(seat).prompt().tap("Ja", settle=False)
    one, other = playing.tg.delivery.ready()
    store.meanwhile(lambda: deliver(playing, other))
    deliver(playing, one)
    playing.harness.settle()
    results = [text for text in playing.group_texts() if "The government is elected" in text]
    assert len(results) == 1
    assert [len(playing.seat(seat).prompts()) for seat in range(5)] == [1, 0, 0, 0, 0]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("lost", [ConnectTimeoutError, ReadTimeoutError])
def test_a_store_outage_is_a_5xx_and_counts_once(
    playing: Table, store: Store, when: str, lost: Callable[..., Exception]
) -> None:
    query, pending = tapped(playing)
    faults = store.before if when == "before" else store.after
    faults.append(Mock(side_effect=lost(endpoint_url="http://store.invalid")))
    assert deliver(playing, pending) == 503
    faults.clear()
    redeliver(playing)
    playing.wait(60)
    assert query.answer is not None
    assert playing.match().game.table.chancellor == 1
    assert [len(playing.seat(seat).prompts()) for seat in range(5)] == [1] * 5
    assert len([text for text in playing.group_texts() if "nominates ⁨#2 Ben⁩" in text]) == 1


@pytest.mark.parametrize(
    "code", ["AccessDeniedException", "ResourceNotFoundException", "ExpiredTokenException"]
)
def test_a_forbidden_table_is_a_5xx_until_mended(playing: Table, store: Store, code: str) -> None:
    _, pending = tapped(playing)
    store.fail(Failed(code))
    assert deliver(playing, pending) == 503
    store.before.clear()
    redeliver(playing)
    told_everybody(playing)


def test_what_no_table_can_hold_is_200(playing: Table, store: Store, update_errors: list[Exception]) -> None:
    _, pending = tapped(playing)
    store.fail(Failed("ValidationException"), "update_item")
    assert deliver(playing, pending) == 200
    assert update_errors, "what was in the way came up"
    update_errors.clear()


@pytest.mark.parametrize("redelivered", [False, True])
def test_an_unforeseen_error_leaves_nothing_unsent(
    playing: Table, monkeypatch: pytest.MonkeyPatch, redelivered: bool, update_errors: list[Exception]
) -> None:
    _, pending = tapped(playing)
    if redelivered:
        with killed_at(playing, "answerCallbackQuery"):
            crashed(playing, pending)
        playing.pass_time(50)  # the lease of the dead one is over
    with monkeypatch.context() as broken:
        broken.setattr("infra.outbox.outbox_sender.send", lambda *_, **__: 1 / 0)
        assert deliver(playing, pending) == 200
    assert playing.item().outbox, "saved, and not sent"
    assert playing.item().due is not None, "the watchdog would find it"
    playing.wait(46)
    told_everybody(playing)
    assert update_errors, "what was in the way came up"
    update_errors.clear()


def test_a_failed_wakeup_is_retried_by_the_queue_alone(
    playing: Table, monkeypatch: pytest.MonkeyPatch, update_errors: list[Exception]
) -> None:
    _, pending = tapped(playing)
    with monkeypatch.context() as broken:
        broken.setattr("infra.outbox.outbox_sender.send", lambda *_, **__: 1 / 0)
        deliver(playing, pending)
        playing.pass_time(46)
        batch = playing.harness.queue.due()
        assert batch is not None
        playing.harness.wake(batch)
    assert playing.harness.queue.next_at is None
    playing.pass_time(300)
    playing.harness.watch()
    told_everybody(playing)
    assert update_errors, "what was in the way came up"
    update_errors.clear()


def test_throttling_that_passes_is_not_noticed(playing: Table, store: Store) -> None:
    query, pending = tapped(playing)
    throttled = Failed("ProvisionedThroughputExceededException")
    store.before.append(Mock(side_effect=[throttled, throttled, *[None] * 99]))
    assert deliver(playing, pending) == 200
    assert answered(query) == "✔ ⁨#2 Ben⁩"


def test_a_tap_dealt_with_nowhere_is_not_answered(playing: Table, store: Store) -> None:
    store.fail(Failed("ProvisionedThroughputExceededException"))
    # The store answers nobody, so the test does not ask it whose turn it is.
    query = playing.seat(0).prompt().tap("Ben", settle=False)
    (pending,) = playing.tg.delivery.heads()
    deliver(playing, pending)
    assert query.answer is None


def test_a_repeated_command_is_answered_once_the_store_is_back(at: Harness, store: Store) -> None:
    table = Table(at)
    table.tg.send(table.person("Anna"), table.group, "/newgame")
    (pending,) = table.tg.delivery.heads()
    store.fail(ConnectTimeoutError(endpoint_url="http://store.invalid"))
    for _ in range(GROUP_COMMANDS_PER_MINUTE + 1):
        assert post(table, pending.update) == 503
        table.pass_time(5)
    store.before.clear()
    assert post(table, pending.update) == 200
    assert "who is in?" in table.group_text()


def test_a_private_command_is_answered_once_the_store_is_back(at: Harness, store: Store) -> None:
    table = Table(at)
    anna = table.person("Anna")
    table.tg.send(anna, table.tg.private(anna), "/help")
    (pending,) = table.tg.delivery.heads()
    store.fail(ConnectTimeoutError(endpoint_url="http://store.invalid"))
    for _ in range(PER_MINUTE + 1):
        assert post(table, pending.update) == 503
    store.before.clear()
    table.harness.settle()
    assert "/role" in table.seat(0).text()


# --- the toast ----------------------------------------------------------------------------------------


def order_of(table: Table, store: Store, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets everything after a save from now on: calls, wake-ups, and notes of seats."""
    seen: list[str] = []
    send = DelayQueue.send_message

    def queued(queue: DelayQueue, **message: Any) -> dict[str, Any]:
        seen.append("wake-up")
        return send(queue, **message)

    def noted(operation: str, arguments: Mapping[str, Any]) -> None:
        if operation == "update_item" and "user#" in str(arguments["Key"]):
            seen.append("seat")

    monkeypatch.setattr(DelayQueue, "send_message", queued)
    store.before.append(noted)
    table.tg.before_call.append(lambda call: seen.append(call.method))
    return seen


def test_the_toast_precedes_the_clock(playing: Table, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    room = playing.room()
    playing.rewrite(replace(room, settings=replace(room.settings, clock="fast")))
    seen = order_of(playing, store, monkeypatch)
    playing.nominate(1)
    assert seen[:2] == ["answerCallbackQuery", "wake-up"]
    assert seen.count("answerCallbackQuery") == 1


def test_the_toast_precedes_a_seats_note(at: Harness, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(at).gather(1)
    ben = table.person("Ben")
    seen = order_of(table, store, monkeypatch)
    table.press(ben, "join")
    said = [what for what in seen if what in ("answerCallbackQuery", "seat", "editMessageText")]
    assert said[:3] == ["answerCallbackQuery", "seat", "editMessageText"]


# --- crashes ------------------------------------------------------------------------------------------


@contextmanager
def killed_at(table: Table, method: str) -> Iterator[None]:
    """Kill the process before its first call of this method, so that it makes no more calls."""
    dead: list[Call] = []

    def kill(call: Call) -> None:
        if dead or call.method == method:
            dead.append(call)
            raise asyncio.CancelledError  # which every call in the event loop raises

    table.tg.before_call.append(kill)
    yield
    assert dead, "it lived"


def crashed(table: Table, pending: Pending) -> None:
    """Deliver an update to a process that dies; then a new one has the same store."""
    with pytest.raises((Killed, asyncio.CancelledError)):
        table.tg.delivery.deliver(pending, table.harness.post)
    table.tg.before_call.clear()
    revive(table)


def die_before_the_toast(table: Table) -> None:
    """Tap as the asked person, and let the process die before it sends anything."""
    _, pending = tapped(table)
    with killed_at(table, "answerCallbackQuery"):
        crashed(table, pending)


def revive(table: Table) -> None:
    harness = table.harness
    harness.built.app.gateway.close()
    harness.built = build(
        Configuration.from_environment({**ENVIRONMENT, "BOT_TOKEN": table.tg.token}),
        dynamodb=harness.client,  # type: ignore[arg-type]
        sqs=lambda: harness.queue,  # type: ignore[arg-type,return-value]
        request=StandinRequest(table.tg),
        clock=harness.clock,
        beacon=harness.beacon.beacon,
        beacon_client=harness.beacon.client(),
    )


def told_everybody(table: Table, most: int = 1) -> None:
    """Check that the group knows of Ben's nomination, and everybody is asked to vote, each once.

    ``most`` is 2 where a flush was cut short: what it had sent already may have been sent again.
    """
    posts = [text for text in table.group_texts() if "nominates ⁨#2 Ben⁩" in text]
    assert 1 <= len(posts) <= most
    for seat in range(5):
        assert 1 <= len([p for p in table.seat(seat).prompts() if "Ja" in p.labels()[0]]) <= most
    assert table.item().outbox == {}
    assert table.match().game.table.chancellor == 1


@pytest.mark.parametrize("method", ["answerCallbackQuery", "editMessageText", "sendMessage"])
def test_what_a_dead_process_left_unsent_goes_out_by_redelivery(playing: Table, method: str) -> None:
    _, pending = tapped(playing)
    with killed_at(playing, method):
        crashed(playing, pending)
    assert playing.item().outbox, "saved, and not sent"
    playing.pass_time(50)  # the lease of the dead one is over
    redeliver(playing)
    told_everybody(playing, 1 if method == "answerCallbackQuery" else 2)


def test_a_redelivery_flushes_a_dead_commands_messages(playing: Table) -> None:
    playing.pass_time(61)
    anna = playing.people[0]
    for _ in range(GROUP_COMMANDS_PER_MINUTE - 1):
        playing.say(anna, "/status")
    posts = len(playing.group_views())
    playing.tg.send(anna, playing.group, "/board")
    (pending,) = playing.tg.delivery.heads()
    playing.tg.before_call.append(Mock(side_effect=asyncio.CancelledError))
    with pytest.raises(asyncio.CancelledError):
        deliver(playing, pending)
    playing.tg.before_call.clear()  # the same process takes it up again
    assert playing.item().outbox
    playing.harness.clock.advance(50)  # type: ignore[attr-defined]
    assert post(playing, pending.update) == 200
    assert len(playing.group_views()) == posts + 1


def test_no_lease_is_left_behind_when_others_have_sent(playing: Table, store: Store) -> None:
    """A ballot once took a lease for messages that had been sent by then, and the table waited 45 seconds."""
    playing.nominate(1)
    rooms, now = playing.harness.built.app.rooms, playing.harness.clock()
    waiting = OutboxEntry(playing.group.id, "sendMessage", {"text": "x"})
    rooms.save(playing.item(), Change(entries=[waiting], lease=Lease("another", now + 45)))

    def send_first() -> None:
        rooms.finish_sending(playing.name.key, "another", list(playing.item().outbox))

    store.meanwhile(send_first, of=f"'{playing.name.key}'")
    playing.seat(3).prompt().tap("Ja")
    assert store.before == []
    assert playing.item().lease is None


def test_a_redelivery_during_a_lease_leaves_it_to_a_wakeup(playing: Table) -> None:
    die_before_the_toast(playing)
    playing.tg.delivery.run_until_idle(playing.harness.post)
    assert playing.item().outbox
    assert playing.harness.queue.next_at is not None
    playing.wait_until(playing.harness.queue.next_at + 1)
    told_everybody(playing)


def test_the_watchdog_finds_what_the_queue_lost(playing: Table) -> None:
    die_before_the_toast(playing)
    playing.tg.delivery.run_until_idle(playing.harness.post)  # leaves it to a wake-up
    lost_wakeups(playing)
    assert playing.item().outbox
    playing.pass_time(300)
    playing.harness.watch()
    told_everybody(playing)


def test_without_redelivery_the_next_event_brings_it(playing: Table) -> None:
    die_before_the_toast(playing)
    playing.tg.delivery.clear()
    playing.pass_time(60)
    playing.say(playing.people[4], "/status")
    told_everybody(playing)
    order = [text for text in playing.group_texts() if "nominates ⁨#2 Ben⁩" in text or "Still to act" in text]
    assert "nominates" in order[0], "in the order in which it happened"


def lost_wakeups(table: Table) -> None:
    while (moment := table.harness.queue.next_at) is not None:
        table.harness.clock.until(moment)  # type: ignore[attr-defined]
        table.harness.queue.due()


def test_a_crash_leaves_no_seat_without_its_person(at: Harness, store: Store) -> None:
    table = Table(at).gather(1)
    ben = table.person("Ben")
    table.press(ben, "join", settle=False)
    (pending,) = table.tg.delivery.heads()
    store.kill("", of="user#")
    crashed(table, pending)
    table.pass_time(50)
    redeliver(table)
    assert table.players() == ["Anna", "Ben"]
    assert list(at.built.app.users.load(ben.id).rooms) == [table.name.key]
    assert "Ben" in table.lobby_text()


def test_a_crash_before_the_save_leaves_the_tap_to_redelivery(playing: Table, store: Store) -> None:
    _, pending = tapped(playing)
    store.kill()
    crashed(playing, pending)
    assert playing.match().game.table.chancellor is None
    redeliver(playing)
    told_everybody(playing)


def test_a_crash_before_clearing_doubles_one_flush_at_most(playing: Table, store: Store) -> None:
    _, pending = tapped(playing)
    store.kill(number=2)
    crashed(playing, pending)
    playing.pass_time(50)
    redeliver(playing)
    assert playing.match().game.table.chancellor == 1
    assert len([text for text in playing.group_texts() if "nominates ⁨#2 Ben⁩" in text]) <= 2
    assert all(len(playing.seat(seat).prompts()) in (1, 2) for seat in range(5))
    playing.vote("jjjjj")
    assert len([text for text in playing.group_texts() if "The government is elected" in text]) == 1


def test_a_timed_out_lambda_leaves_a_wakeup(playing: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    _, pending = tapped(playing)
    monkeypatch.setattr(LambdaContext, "get_remaining_time_in_millis", lambda self: 1_000)
    deliver(playing, pending)
    assert playing.match().game.table.chancellor == 1
    assert playing.item().outbox
    monkeypatch.undo()
    playing.wait(60)
    told_everybody(playing)


def test_the_body_of_every_reply_is_one_method_call_or_nothing(playing: Table) -> None:
    replies: list[Any] = []
    original = playing.harness.post

    def listening(update: dict[str, Any], headers: dict[str, str]) -> Any:
        response = original(update, headers)
        replies.append(response)
        return response

    playing.asked().prompt().tap("Ben", settle=False)
    playing.tg.delivery.run_until_idle(listening)
    playing.seat(2).prompt().tap("Ja", settle=False)
    playing.tg.delivery.run_until_idle(listening)
    first, second = replies
    assert first.body == "", "the toast went out first, on its own"
    assert json.loads(second.body)["method"] == "answerCallbackQuery"
