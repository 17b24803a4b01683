"""Rare refusals and other rare cases."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox.telegram import VirtualClock
from sandbox.telegram.pictures import upload


@pytest.mark.parametrize(
    ("method", "params", "complaint"),
    [
        ("sendMessage", {"text": "x"}, "chat_id is empty"),
        ("sendMessage", {"text": "x", "reply_markup": "{"}, "can't parse reply markup JSON object"),
        ("sendMessage", {"text": "x", "reply_markup": []}, "object expected as reply markup"),
        (
            "sendMessage",
            {"text": "x", "reply_markup": {"inline_keyboard": 5}},
            "should be an Array of Arrays",
        ),
        ("sendMessage", {"text": "x", "reply_markup": {"inline_keyboard": [[5]]}}, "must be an Object"),
        ("sendMessage", {"text": "x", "reply_markup": {"inline_keyboard": [[{}]]}}, "Can't find field"),
        (
            "sendMessage",
            {
                "text": "x",
                "reply_markup": {"inline_keyboard": [[{"text": "x", "url": "t.me", "style": "pink"}]]},
            },
            "BUTTON_STYLE_INVALID",
        ),
        ("sendMessage", {"text": "x", "reply_parameters": {"message_id": 9}}, "stand-in cannot do reply_par"),
        ("sendPhoto", {}, "there is no photo in the request"),
        ("sendPhoto", {"photo": "attach://board"}, "no file attached"),
        ("sendChatAction", {"action": "dancing"}, "wrong parameter action in request"),
        ("editMessageText", {"text": "x"}, "message identifier is not specified"),
        ("getChatMember", {"user_id": 31337}, "user not found"),
        ("getChatMember", {}, "invalid user_id specified"),
        ("setMyCommands", {"commands": {}}, "expected an Array of BotCommand"),
        (
            "setMyCommands",
            {"commands": [{"command": "x", "description": "y"}] * 101},
            "too many bot commands",
        ),
        ("setMyCommands", {"commands": [{"command": "x"}]}, "BOT_COMMAND_DESCRIPTION_INVALID"),
        ("setMyCommands", {"commands": [], "scope": {"type": "world"}}, "unsupported scope type"),
        ("setMyCommands", {"commands": [], "scope": {"type": "chat"}}, "a field is missing"),
        ("setMyCommands", {"commands": [], "language_code": "english"}, "invalid language code"),
        ("setMyDescription", {"description": "x" * 513}, "DESCRIPTION_TOO_LONG"),
        ("setMyShortDescription", {"short_description": "x" * 121}, "SHORT_DESCRIPTION_TOO_LONG"),
        ("setWebhook", {"url": "https://x.example", "max_connections": 101}, "max_connections"),
    ],
)
def test_a_wrong_call_is_refused_even_when_nobody_validates(
    build: Any, method: str, params: dict[str, Any], complaint: str
) -> None:
    world = build(validated=False)
    if complaint != "chat_id is empty":
        params = {"chat_id": world.group.id} | params
    code, description = world.refused(method, **params)
    assert code == 400
    assert complaint in description


def test_a_private_chat_has_its_person_alone(world: Any) -> None:
    world.tg.start_private(world.ann)
    at = {"chat_id": world.ann.id}
    assert world.ok("getChatMember", user_id=world.ann.id, **at)["status"] == "member"
    assert world.refused("getChatMember", user_id=world.bob.id, **at)[1].endswith("member not found")


def test_a_group_that_was_deleted_refuses(world: Any) -> None:
    world.tg.delete_group(world.group)
    assert world.refused("sendMessage", chat_id=world.group.id, text="x") == (
        403,
        "Forbidden: the group chat was deleted",
    )


def test_service_messages_are_not_edited(world: Any) -> None:
    note = world.tg.add_bot(world.group)
    at = {"chat_id": world.group.id, "message_id": note.id}
    assert "can't be edited" in world.refused("editMessageText", text="x", **at)[1]


def test_a_caption_needs_a_picture(world: Any) -> None:
    at = {"chat_id": world.group.id, "message_id": world.say().id}
    assert "no caption in the message" in world.refused("editMessageCaption", caption="x", **at)[1]


def test_a_picture_is_replaced_by_an_upload_or_a_file_id(world: Any, png: Any) -> None:
    first, second = png(), png(5, 5)
    sent = world.tg.call("sendPhoto", {"chat_id": world.group.id}, {"photo": first})["result"]
    at = {"chat_id": world.group.id, "message_id": sent["message_id"]}
    media = {"type": "photo", "media": "attach://board", "caption": "b"}
    edited = world.tg.call("editMessageMedia", {**at, "media": media}, {"board": second})["result"]
    assert (edited["caption"], edited["photo"][-1]["width"]) == ("b", 5)
    back = {**media, "media": sent["photo"][-1]["file_id"]}
    assert world.tg.call("editMessageMedia", {**at, "media": back})["ok"]
    assert "no file attached" in world.refused("editMessageMedia", media=media, **at)[1]
    assert (
        "InputMedia"
        in world.refused("editMessageMedia", media={"type": "video", "media": "attach://board"}, **at)[1]
    )
    words = {"chat_id": world.group.id, "message_id": world.say().id}
    assert "no media in the message" in world.refused("editMessageMedia", media=back, **words)[1]


def test_the_same_picture_always_has_the_same_file_id(png: Any) -> None:
    assert upload(png()).file_id == upload(png()).file_id != upload(png(5, 5)).file_id


def test_buttons_are_pressed_by_their_words(world: Any) -> None:
    link = {"text": "Play", "url": "https://t.me/chancellery_bot?start=j1"}
    message = world.say(reply_markup={"inline_keyboard": [[link]]})
    assert world.tg.press(world.bob, message, "Play").text == "/start j1"
    with pytest.raises(LookupError):
        world.tg.press(world.bob, message, "Other")
    world.ok("deleteMessage", chat_id=world.group.id, message_id=message.id)
    with pytest.raises(LookupError):
        world.tg.press(world.bob, message, "Play")


def test_every_change_is_told_to_those_who_watch(world: Any) -> None:
    seen: list[Any] = []
    world.tg.on_change.append(seen.append)
    message = world.say()
    world.ok("editMessageText", chat_id=world.group.id, message_id=message.id, text="new")
    assert seen == [world.group, world.group]


def test_the_world_is_built_with_care(world: Any) -> None:
    with pytest.raises(ValueError, match="exists"):
        world.tg.add_user("Twin", id=world.ann.id)
    with pytest.raises(ValueError, match="negative id"):
        world.tg.add_group("Twin", id=world.group.id)
    with pytest.raises(ValueError, match="no such right"):
        world.tg.promote(world.bob, world.group, can_fly=True)
    with pytest.raises(ValueError, match="no colour"):
        world.tg.rename(world.ann, colour="red")
    with pytest.raises(ValueError, match="backwards"):
        VirtualClock().advance(-1)
    with pytest.raises(LookupError, match="no owner"):
        world.tg.owner(world.tg.add_group("Nobody's"))
    with pytest.raises(ValueError, match="only a group"):
        world.tg.migrate(world.group)
    with pytest.raises(ValueError, match="forum"):
        world.tg.add_topic(world.group, "x")


def test_a_blocked_bot_hears_nothing_more(world: Any) -> None:
    world.tg.start_private(world.ann)
    world.tg.block(world.ann)
    with pytest.raises(PermissionError):
        world.tg.send(world.ann, world.tg.private(world.ann), "hello?")


def test_a_poll_from_the_end_forgets_what_came_before(world: Any) -> None:
    for text in ("/one", "/two", "/three"):
        world.tg.send(world.ann, world.group, text)
    (last,) = world.ok("getUpdates", offset=-1)
    assert last["message"]["text"] == "/three"
    assert len(world.tg.delivery.pending()) == 1
    world.ok("deleteWebhook", drop_pending_updates=True)
    assert world.ok("getUpdates", offset=-1) == []
