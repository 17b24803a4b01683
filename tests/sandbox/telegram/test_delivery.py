"""Updates are delivered as by Telegram's webhook."""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import Mock

import pytest

from sandbox.telegram import Response
from sandbox.telegram.delivery import CALLBACK_LIFE

from .conftest import keyboard

OK = Response(200)
BUSY = Response(503)


def taps(world: Any, *users: Any) -> list[Any]:
    message = world.say(reply_markup=keyboard([("Ja", "j")]))
    return [world.tg.tap(user, message, "j") for user in users]


def test_one_chats_messages_queue_and_taps_do_not(world: Any) -> None:
    delivery = world.tg.delivery
    world.tg.send(world.ann, world.group, "/one")
    world.tg.send(world.bob, world.group, "/two")
    taps(world, world.ann, world.ann, world.bob)
    one, ann, bob = delivery.ready()
    queues = [one.queue, ann.queue, bob.queue]
    assert queues == [("chat", world.group.id), ("callback", world.ann.id), ("callback", world.bob.id)]
    for head in (one, ann, bob):
        delivery.begin(head)
    assert delivery.ready() == []
    with pytest.raises(ValueError, match="already being delivered"):
        delivery.begin(one)
    delivery.finish(bob, OK)
    assert delivery.ready() == []
    delivery.finish(one, OK)
    (two,) = delivery.ready()
    assert two.update["message"]["text"] == "/two"


def test_a_refused_update_comes_again_ever_later(world: Any) -> None:
    delivery, clock = world.tg.delivery, world.clock
    world.tg.send(world.ann, world.group, "/one")
    world.tg.send(world.ann, world.group, "/two")
    start, waits = clock(), []
    for _ in range(9):
        (head,) = delivery.ready()
        assert head.update["message"]["text"] == "/one"
        before = clock()
        delivery.deliver(head, lambda update, headers: BUSY)
        clock.until(delivery.next_at())
        waits.append(clock() - before)
    assert waits == [0, 2, 4, 8, 16, 32, 60, 60, 60]
    delivery.deliver(delivery.ready()[0], lambda update, headers: OK)
    assert delivery.ready()[0].update["message"]["text"] == "/two"
    assert clock() - start == 242


def test_a_wait_of_up_to_an_hour_is_honoured(world: Any) -> None:
    delivery, clock = world.tg.delivery, world.clock
    world.tg.send(world.ann, world.group, "/one")
    for asked, waited in (("7", 7), ("9999", 3600)):
        later = Response(429, headers={"retry-after": asked})
        delivery.deliver(delivery.ready()[0], lambda update, headers, later=later: later)
        assert delivery.next_at() == clock() + waited
        clock.advance(waited)


def test_a_tap_expires_after_150_seconds(world: Any) -> None:
    delivery, clock = world.tg.delivery, world.clock
    taps(world, world.ann)
    world.tg.send(world.ann, world.group, "/one")
    clock.advance(CALLBACK_LIFE + 1)
    (left,) = delivery.ready()
    assert "message" in left.update
    clock.advance(24 * 3600)
    assert delivery.ready() == []
    assert len(delivery.dropped) == 2


def test_a_tap_that_would_be_retried_after_its_end_is_dropped(world: Any) -> None:
    taps(world, world.ann)
    assert world.tg.delivery.run_until_idle(lambda update, headers: BUSY, world.clock.until) == 8
    assert len(world.tg.delivery.dropped) == 1


def test_a_broken_connection_counts_as_a_refusal(world: Any) -> None:
    world.tg.send(world.ann, world.group, "/one")
    with pytest.raises(ConnectionError):
        world.tg.delivery.run_until_idle(Mock(side_effect=ConnectionError))
    assert len(world.tg.delivery.ready()) == 1


def test_the_reply_may_carry_one_call_whose_result_nobody_sees(world: Any) -> None:
    (tap,) = taps(world, world.ann)
    body = json.dumps({"method": "answerCallbackQuery", "callback_query_id": tap.id, "text": "Ja!"})
    world.tg.delivery.run_until_idle(lambda update, headers: Response(200, body))
    assert [toast.text for toast in world.tg.toasts(world.ann)] == ["Ja!"]
    call = world.tg.journal.of("answerCallbackQuery")[0]
    assert (call.via, call.ok) == ("webhook", True)


@pytest.mark.parametrize("body", [b"ok", b"[]", b'{"method": 5}', b'{"method": "deleteWebhook"}', b"\xff"])
def test_a_reply_that_carries_no_call_is_only_an_ok(world: Any, body: bytes) -> None:
    world.ok("setWebhook", url="https://x.example/hook")
    world.tg.send(world.ann, world.group, "/one")
    assert world.tg.delivery.run_until_idle(lambda update, headers: Response(204, body)) == 1
    assert world.tg.delivery.pending() == []
    assert world.tg.delivery.webhook is not None


def test_no_more_updates_are_on_their_way_than_the_webhook_wants(world: Any) -> None:
    world.ok("setWebhook", url="https://x.example/hook", max_connections=2)
    taps(world, world.ann, world.bob, world.cem)
    first, _ = world.tg.delivery.ready()
    world.tg.delivery.begin(first)
    assert len(world.tg.delivery.ready()) == 1


def test_a_bot_that_talks_to_itself_is_found_out(world: Any) -> None:
    def echo(update: dict[str, Any], headers: dict[str, str]) -> Response:
        world.tg.send(world.ann, world.group, "/again")
        return OK

    world.tg.send(world.ann, world.group, "/one")
    with pytest.raises(RuntimeError, match="still not idle"):
        world.tg.delivery.run_until_idle(echo, limit=50)
