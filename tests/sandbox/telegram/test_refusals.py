"""The stand-in refuses what Telegram refuses, in Telegram's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sandbox.telegram.model import Photo

from .conftest import keyboard, make_world, png

Json = dict[str, Any]
Bad = "Bad Request: "
#: The ids of the first person and of the group in ``world``.
ANN, GROUP = 1001, -1_001_000_000_001
AT = {"chat_id": GROUP}
#: The group's first message.
FIRST = {**AT, "message_id": 1}


def keys(*buttons: Any) -> Json:
    return {**AT, "text": "x", "reply_markup": {"inline_keyboard": [list(buttons)]}}


def nothing(world: Any) -> None:
    pass


def blocked(world: Any) -> None:
    world.tg.start_private(world.ann)
    world.tg.block(world.ann)


def written(world: Any) -> None:
    world.tg.send(world.ann, world.group, "mine")


def refused(arrange: Callable[[Any], Any], method: str, cases: list[tuple[Json, str]]) -> list[Any]:
    return [(arrange, method, params, said) for params, said in cases]


KEY = {"text": "B", "callback_data": "x"}
PROFILE = refused(nothing, "setMyCommands", [
    ({"commands": [{"command": "x", "description": "y"}] * 101}, "too many bot commands"),
    ({"commands": [{"command": "x"}]}, "BOT_COMMAND_DESCRIPTION_INVALID"),
    ({"commands": [{"command": "New-Game", "description": "x"}]}, "BOT_COMMAND_INVALID"),
    ({"commands": [], "language_code": "english"}, "invalid language code"),
])  # fmt: skip
TEXTS = refused(nothing, "sendMessage", [
    ({"text": "x"}, "chat_id is empty"),
    *(({"chat_id": chat, "text": "x"}, "chat not found") for chat in (-100999, 99, "@nobody")),
    ({**AT, "text": "x" * 4097}, "message is too long"),
    ({**AT, "text": "  "}, "message text is empty"),
    ({**AT, "text": "<b></b>", "parse_mode": "HTML"}, "message text is empty"),
    ({**AT, "text": "*x*", "parse_mode": "MarkdownV2"}, "unsupported parse_mode"),
    ({**AT, "text": "x", "message_thread_id": 5}, "message thread not found"),
    ({**AT, "text": "x", "reply_parameters": {}}, "this stand-in cannot do reply_parameters"),
    ({**AT, "text": "x", "reply_markup": "{"}, "can't parse reply markup JSON object"),
    (keys({"text": "x", "url": "t.me", "style": "pink"}), "BUTTON_STYLE_INVALID"),
    (keys(KEY | {"callback_data": "x" * 65}), "BUTTON_DATA_INVALID"),
    (keys(KEY | {"callback_data": "ü" * 33}), "BUTTON_DATA_INVALID"),
    (keys(KEY | {"text": " "}), "inline keyboard button text must be non-empty"),
    (keys({"text": "B"}), "exactly one action field must be used"),
    (keys(KEY | {"url": "https://t.me"}), "exactly one action field must be used"),
    (keys({"text": "B", "url": "no link"}), "button URL 'no link' is invalid: Wrong HTTP URL"),
    (keys(*[KEY] * 9), "reply markup is too long"),
    ({**AT, "text": "x", "reply_markup": {"inline_keyboard": [[KEY]] * 101}}, "reply markup is too long"),
])  # fmt: skip
PLACES = [
    (arrange, "sendMessage", {"chat_id": chat, "text": "x"}, said)
    for arrange, chat, said in (
        (nothing, ANN, "can't initiate conversation with a user"),
        (blocked, ANN, "bot was blocked by the user"),
        (lambda world: world.tg.add_user("Robot", is_bot=True, id=77), 77, "can't send messages to bots"),
        (
            lambda world: world.tg.kick(world.tg.bot, world.group),
            GROUP,
            "bot was kicked from the supergroup chat",
        ),
        (lambda world: world.tg.leave(world.tg.bot, world.group), GROUP, "bot is not a member of the superg"),
    )
]
MESSAGES = [
    (nothing, "editMessageText", {**AT, "text": "x"}, "message identifier is not specified"),
    (nothing, "editMessageText", {**FIRST, "text": "x"}, "message to edit not found"),
    (nothing, "deleteMessage", FIRST, "message to delete not found"),
    (written, "editMessageText", {**FIRST, "text": "x"}, "message can't be edited"),
    (written, "deleteMessage", FIRST, "message can't be deleted"),
    (lambda world: world.tg.join(world.tg.bot, world.group), "editMessageText", FIRST, "can't be edited"),
    (lambda world: world.say(), "editMessageCaption", {**FIRST, "caption": "x"}, "no caption in the message"),
    (lambda world: world.say(), "editMessageMedia", FIRST, "no media in the message"),
]
OTHERS = [
    (nothing, "sendChatAction", {"chat_id": ANN, "action": "typing"}, "can't initiate conversation"),
    (nothing, "sendPhoto", AT, "there is no photo in the request"),
    (nothing, "sendPhoto", {**AT, "photo": "attach://board"}, "no file attached"),
    (nothing, "sendPhoto", {**AT, "photo": "AgACAgunknown"}, "wrong file identifier/HTTP URL specified"),
    (nothing, "sendChatAction", {**AT, "action": "dancing"}, "wrong parameter action in request"),
    (nothing, "getChatMember", {**AT, "user_id": 31337}, "user not found"),
    (nothing, "getChatMember", AT, "invalid user_id specified"),
    (nothing, "answerCallbackQuery", {"callback_query_id": "1"}, "query is too old"),
    (nothing, "setMyDescription", {"description": "x" * 513}, "DESCRIPTION_TOO_LONG"),
    (nothing, "setMyShortDescription", {"short_description": "x" * 121}, "SHORT_DESCRIPTION_TOO_LONG"),
    (nothing, "setWebhook", {"url": "https://x", "secret_token": "no spaces"}, "unallowed characters"),
    (lambda world: world.ok("setWebhook", url="http://127.0.0.1:1/hook"), "getUpdates", {}, "Conflict"),
    (nothing, "sendEverything", {}, "Not Found"),
]


@pytest.mark.parametrize(
    ("arrange", "method", "params", "said"), [*PLACES, *TEXTS, *MESSAGES, *PROFILE, *OTHERS]
)
def test_a_wrong_call_is_refused_even_if_nobody_validates(
    arrange: Callable[[Any], Any], method: str, params: Json, said: str
) -> None:
    world = make_world(validated=False)
    arrange(world)
    code, description = world.refused(method, **params)
    assert said in description
    other = {"Forbidden": 403, "Not Found": 404, "Conflict": 409}
    assert code == other.get(description.partition(":")[0], 400)


def test_pressing_start_lets_the_bot_write(world: Any) -> None:
    blocked(world)
    world.tg.block(world.ann, blocked=False)
    world.ok("sendChatAction", chat_id=ANN, action="typing")
    world.ok("sendMessage", chat_id=ANN, text="psst")


def test_a_group_that_became_a_supergroup_names_its_new_id(world: Any) -> None:
    old = world.tg.add_group("Old", [world.ann], type="group")
    new = world.tg.migrate(old)
    answer = world.call("sendMessage", chat_id=old.id, text="x")
    assert answer["description"] == "Bad Request: group chat was upgraded to a supergroup chat"
    assert answer["parameters"] == {"migrate_to_chat_id": new.id}
    world.ok("sendMessage", chat_id=new.id, text="x")


def test_an_edit_that_changes_nothing_is_refused(world: Any) -> None:
    message = world.say("<b>Ja</b>", parse_mode="HTML", reply_markup=keyboard([("Ja", "j")]))
    same = {"text": "<strong>Ja</strong>", "parse_mode": "HTML", "reply_markup": keyboard([("Ja", "j")])}
    assert world.refused("editMessageText", **FIRST, **same)[1].startswith(Bad + "message is not modified")
    said = world.refused("editMessageReplyMarkup", reply_markup=keyboard([("Ja", "j")]), **FIRST)
    assert said[1].startswith(Bad + "message is not modified")
    world.ok("editMessageText", **FIRST, text="<b>Ja</b>", parse_mode="HTML")
    assert message.keyboard is None


def test_texts_captions_and_keyboards_of_full_length_fit(world: Any) -> None:
    world.say("<b>" + "x" * 4096 + "</b>", parse_mode="HTML")
    photo = {"photo": png()}
    assert world.tg.call("sendPhoto", {**AT, "caption": "x" * 1024}, photo)["ok"]
    long = world.tg.call("sendPhoto", {**AT, "caption": "x" * 1025}, photo)
    assert long["description"] == Bad + "message caption is too long"
    rows = [[("B", "x" * 64)] * 8] * 12 + [[("B", "x" * 64)] * 4]
    assert len(world.say(reply_markup=keyboard(*rows)).buttons()) == 100


def test_deleting_needs_the_right_or_a_young_message_of_ours(world: Any) -> None:
    written(world)
    old = world.say()
    world.clock.advance(48 * 3600 + 1)
    said = world.refused("deleteMessage", **AT, message_id=old.id)
    assert said[1] == Bad + "message can't be deleted for everyone"
    world.tg.set_bot_rights(world.group, can_delete_messages=True)
    world.ok("deleteMessage", **FIRST)
    world.ok("deleteMessage", **AT, message_id=old.id)


def test_a_group_may_allow_texts_and_no_pictures(world: Any) -> None:
    world.tg.set_permissions(world.group, can_send_photos=False)
    answer = world.tg.call("sendPhoto", AT, {"photo": png()})
    assert answer["description"] == Bad + "not enough rights to send photos to the chat"
    world.say()
    world.tg.set_status(world.tg.bot, world.group, "restricted", can_send_messages=False)
    said = world.refused("sendMessage", text="x", **AT)
    assert said[1] == Bad + "not enough rights to send text messages to the chat"


def test_a_tap_is_answered_once_shortly_and_in_time(world: Any) -> None:
    message = world.say(reply_markup=keyboard([("Ja", "j")]))
    stale = (400, Bad + "query is too old and response timeout expired or query ID is invalid")
    tap = {"callback_query_id": world.tg.tap(world.ann, message, "j").id}
    assert world.refused("answerCallbackQuery", text="x" * 201, **tap)[1] == Bad + "MESSAGE_TOO_LONG"
    assert world.refused("answerCallbackQuery", url="https://example.org", **tap)[1] == Bad + "URL_INVALID"
    world.clock.advance(15)
    world.ok("answerCallbackQuery", url="https://t.me/chancellery_bot?start=abc", **tap)
    assert world.refused("answerCallbackQuery", **tap) == stale
    late = world.tg.tap(world.ann, message, "j")
    world.clock.advance(15.1)
    assert world.refused("answerCallbackQuery", callback_query_id=late.id) == stale
    (toast,) = world.tg.toasts(world.ann)
    assert world.tg.open_link(world.ann, toast.url).text == "/start abc"
    world.ok("sendMessage", chat_id=ANN, text="seated")


def test_closed_topics_take_no_messages(world: Any) -> None:
    forum = world.tg.add_group("Forum", [world.ann], forum=True)
    topic = world.tg.add_topic(forum, "Games")
    there = {"chat_id": forum.id, "message_thread_id": topic.id, "text": "x"}
    sent = world.ok("sendMessage", **there)
    assert (sent["message_thread_id"], sent["is_topic_message"]) == (topic.id, True)
    world.tg.close_topic(forum, topic)
    assert world.refused("sendMessage", **there) == (400, Bad + "TOPIC_CLOSED")


@pytest.mark.parametrize(("size", "said"), [
    ((4, 3), None), (None, "IMAGE_PROCESS_FAILED"), ((6000, 4001), "PHOTO_INVALID_DIMENSIONS"),
    ((100, 4), "PHOTO_INVALID_DIMENSIONS"),
])  # fmt: skip
def test_pictures_must_be_pictures(world: Any, size: tuple[int, int] | None, said: str | None) -> None:
    picture = png(*size) if size else b"not a picture"
    answer = world.tg.call("sendPhoto", AT, {"photo": picture})
    assert answer.get("description") == (said and Bad + said)


def test_a_picture_is_replaced_by_an_upload_or_a_file_id(world: Any) -> None:
    first, second = png(), png(5, 5)
    assert Photo.of(first).file_id == Photo.of(png()).file_id != Photo.of(second).file_id
    sent = world.tg.call("sendPhoto", AT, {"photo": first})["result"]
    media = {"type": "photo", "media": "attach://board", "caption": "b"}
    edited = world.tg.call("editMessageMedia", {**FIRST, "media": media}, {"board": second})["result"]
    assert (edited["caption"], edited["photo"][-1]["width"]) == ("b", 5)
    back = {**media, "media": sent["photo"][-1]["file_id"]}
    assert world.tg.call("editMessageMedia", {**FIRST, "media": back})["ok"]
    assert "no file attached" in world.refused("editMessageMedia", media=media, **FIRST)[1]
