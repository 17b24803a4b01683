"""Flood control, fault hooks and independent validation."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import Mock

import pytest
from telegram import Bot
from telegram.error import NetworkError, TimedOut

from sandbox.telegram import FloodLimits, too_many
from sandbox.telegram.calls import InvalidCall, validate
from sandbox.telegram.transport import StandinRequest

from .conftest import make_world


def test_posts_and_edits_are_counted_and_rarely_refused(world: Any) -> None:
    for number in range(30):
        message = world.say(str(number))
        world.ok("editMessageText", chat_id=world.group.id, message_id=message.id, text=f"{number}!")
        world.clock.advance(3)
    assert world.tg.flood.worst_minute(world.group.id) == 40
    assert world.tg.flood.worst_minute(world.ann.id) == 0


def test_a_group_takes_twenty_a_minute_and_says_how_long_to_wait() -> None:
    world = make_world(limits=FloodLimits(per_chat_second=None))
    for number in range(20):
        world.say(str(number))
        world.clock.advance(2)
    answer = world.call("sendMessage", chat_id=world.group.id, text="one too many")
    assert (answer["error_code"], answer["parameters"]) == (429, {"retry_after": 20})
    assert answer["description"] == "Too Many Requests: retry after 20"
    world.clock.advance(20)
    world.say("now")


def test_thirty_a_second_is_all_that_telegram_takes_from_a_bot() -> None:
    world = make_world(limits=FloodLimits())
    people = [world.tg.add_user(f"P{number}", started=True) for number in range(31)]
    for person in people[:30]:
        world.ok("sendMessage", chat_id=person.id, text="x")
    assert world.refused("sendMessage", chat_id=people[30].id, text="x")[0] == 429
    assert world.refused("sendMessage", chat_id=people[0].id, text="x")[0] == 429
    world.clock.advance(1)
    world.ok("sendMessage", chat_id=people[30].id, text="x")


def test_a_call_can_be_refused_before_it_is_done(world: Any) -> None:
    world.tg.before_call.append(Mock(side_effect=too_many(3)))
    assert world.call("sendMessage", chat_id=world.group.id, text="x")["parameters"] == {"retry_after": 3}
    assert world.tg.chat_view(world.group) == []
    (call,) = world.tg.journal
    assert call.answer is None


def test_a_call_can_be_done_and_its_answer_lost(world: Any) -> None:
    world.tg.after_call.append(Mock(side_effect=TimedOut))
    bot = Bot(world.tg.token, request=StandinRequest(world.tg), get_updates_request=StandinRequest(world.tg))
    with pytest.raises(TimedOut):
        asyncio.run(bot.send_message(world.group.id, "x"))
    assert [message.text for message in world.tg.chat_view(world.group)] == ["x"]
    (call,) = world.tg.journal
    assert call.ok


def test_a_broken_line_is_a_network_error_of_the_library(world: Any) -> None:
    world.tg.before_call.append(Mock(side_effect=ConnectionResetError))
    bot = Bot(world.tg.token, request=StandinRequest(world.tg), get_updates_request=StandinRequest(world.tg))
    with pytest.raises(NetworkError):
        asyncio.run(bot.send_message(world.group.id, "x"))


def test_a_false_answer_can_stand_in_for_a_call(world: Any) -> None:
    world.tg.before_call.append(lambda call: {"ok": False, "error_code": 500, "description": "Internal"})
    assert world.refused("getMe") == (500, "Internal")


@pytest.mark.parametrize(("method", "params", "complaint"), [
    ("sendMessage", {"chat_id": 1}, "text"),
    ("sendMessage", {"chat_id": 1, "text": 5}, "text"),
    ("sendMessage", {"chat_id": 1, "text": "x", "colour": "red"}, "not documented: colour"),
    ("sendMessage",
     {"chat_id": 1, "text": "x", "reply_markup": {"inline_keyboard": [[{"text": "x", "hue": 1}]]}}, "hue"),
    ("sendMessage", {"chat_id": 1, "text": "x", "reply_to_message_id": 3}, "deprecated"),
    ("setMyCommands", {"commands": "x"}, "commands"),
    ("setMyCommands", {"commands": [], "scope": {"type": "world"}}, "scope"),
    ("setMyCommands", {"commands": [], "scope": {"type": "chat"}}, "scope"),
    ("sendEverything", {}, "no method"),
])  # fmt: skip
def test_unknown_calls_are_found(world: Any, method: str, params: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidCall, match=complaint):
        validate(method, params)
    if method == "sendMessage":
        assert world.call(method, **params)["error_code"] == 400
        assert complaint in world.tg.violations[0]


def test_protected_content_cannot_be_forwarded(world: Any) -> None:
    seal = world.say("sealed")
    at = {"chat_id": world.group.id, "from_chat_id": world.group.id, "message_id": seal.id}
    forward = world.ok("forwardMessage", **at)
    assert (forward["text"], forward["forward_origin"]["type"]) == ("sealed", "user")
    edit = {"chat_id": world.group.id, "message_id": forward["message_id"], "text": "other"}
    assert world.refused("editMessageText", **edit)[1].endswith("can't be edited")
    world.group.protected = True
    assert world.refused("forwardMessage", **at)[1].endswith("can't be forwarded")
