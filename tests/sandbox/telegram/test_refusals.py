"""The stand-in refuses what Telegram refuses, in Telegram's words."""

from __future__ import annotations

from typing import Any

import pytest

Bad = "Bad Request: "


def test_the_bot_cannot_write_before_start(world: Any) -> None:
    said = (403, "Forbidden: bot can't initiate conversation with a user")
    assert world.refused("sendMessage", chat_id=world.ann.id, text="psst") == said
    assert world.refused("sendChatAction", chat_id=world.ann.id, action="typing") == said
    world.tg.start_private(world.ann)
    world.ok("sendChatAction", chat_id=world.ann.id, action="typing")
    world.ok("sendMessage", chat_id=world.ann.id, text="psst")


def test_the_bot_cannot_write_to_somebody_who_blocked_it(world: Any) -> None:
    world.tg.start_private(world.ann)
    world.tg.block(world.ann)
    said = (403, "Forbidden: bot was blocked by the user")
    assert world.refused("sendMessage", chat_id=world.ann.id, text="psst") == said
    world.tg.unblock(world.ann)
    world.ok("sendMessage", chat_id=world.ann.id, text="psst")


def test_the_bot_cannot_write_to_deleted_accounts_and_other_bots(world: Any) -> None:
    world.tg.start_private(world.ann)
    world.tg.delete_account(world.ann)
    robot = world.tg.add_user("Robot", is_bot=True)
    assert world.refused("sendMessage", chat_id=world.ann.id, text="x") == (
        403,
        "Forbidden: user is deactivated",
    )
    assert world.refused("sendMessage", chat_id=robot.id, text="x")[0] == 403


@pytest.mark.parametrize("chat_id", [-100999, 99, "@nobody"])
def test_an_unknown_chat_is_not_found(world: Any, chat_id: Any) -> None:
    assert world.refused("sendMessage", chat_id=chat_id, text="x") == (400, Bad + "chat not found")


def test_a_bot_thrown_out_or_gone_cannot_write_to_the_group(world: Any) -> None:
    world.tg.remove_bot(world.group)
    kicked = "Forbidden: bot was kicked from the supergroup chat"
    assert world.refused("sendMessage", chat_id=world.group.id, text="x") == (403, kicked)
    world.tg.add_bot(world.group)
    world.tg.leave(world.tg.bot, world.group)
    left = "Forbidden: bot is not a member of the supergroup chat"
    assert world.refused("sendMessage", chat_id=world.group.id, text="x") == (403, left)


def test_a_group_that_became_a_supergroup_names_its_new_id(world: Any) -> None:
    old = world.tg.add_group("Old", [world.ann], type="group")
    new = world.tg.migrate(old)
    answer = world.call("sendMessage", chat_id=old.id, text="x")
    assert answer["description"] == "Bad Request: group chat was upgraded to a supergroup chat"
    assert answer["parameters"] == {"migrate_to_chat_id": new.id}
    world.ok("sendMessage", chat_id=new.id, text="x")


def test_unknown_messages_are_not_found(world: Any) -> None:
    at = {"chat_id": world.group.id, "message_id": 77}
    assert world.refused("editMessageText", text="x", **at)[1] == Bad + "message to edit not found"
    assert world.refused("deleteMessage", **at)[1] == Bad + "message to delete not found"


def test_what_others_wrote_cannot_be_edited(world: Any) -> None:
    theirs = world.tg.send(world.ann, world.group, "mine")
    said = world.refused("editMessageText", chat_id=world.group.id, message_id=theirs.id, text="yours")
    assert said == (400, Bad + "message can't be edited")


def test_an_edit_that_changes_nothing_is_refused(world: Any, keyboard: Any) -> None:
    message = world.say("<b>Ja</b>", parse_mode="HTML", reply_markup=keyboard([("Ja", "j")]))
    at = {"chat_id": world.group.id, "message_id": message.id}
    same = {"text": "<strong>Ja</strong>", "parse_mode": "HTML", "reply_markup": keyboard([("Ja", "j")])}
    assert world.refused("editMessageText", **at, **same)[1].startswith(Bad + "message is not modified")
    said = world.refused("editMessageReplyMarkup", reply_markup=keyboard([("Ja", "j")]), **at)
    assert said[1].startswith(Bad + "message is not modified")
    world.ok("editMessageText", **at, text="<b>Ja</b>", parse_mode="HTML")
    assert message.keyboard is None


@pytest.mark.parametrize(
    ("params", "complaint"),
    [
        ({"text": "x" * 4097}, "message is too long"),
        ({"text": "  "}, "message text is empty"),
        ({"text": "<b></b>", "parse_mode": "HTML"}, "message text is empty"),
        ({"text": "*x*", "parse_mode": "MarkdownV2"}, "unsupported parse_mode"),
        ({"text": "x", "message_thread_id": 5}, "message thread not found"),
    ],
)
def test_a_bad_message_is_refused(world: Any, params: dict[str, Any], complaint: str) -> None:
    assert world.refused("sendMessage", chat_id=world.group.id, **params) == (400, Bad + complaint)


def test_a_text_of_4096_characters_and_a_caption_of_1024_fit(world: Any, png: Any) -> None:
    world.say("<b>" + "x" * 4096 + "</b>", parse_mode="HTML")
    photo = {"photo": png()}
    fits = {"chat_id": world.group.id, "caption": "x" * 1024}
    assert world.tg.call("sendPhoto", fits, photo)["ok"]
    long = world.tg.call("sendPhoto", fits | {"caption": "x" * 1025}, photo)
    assert long["description"] == Bad + "message caption is too long"


def button(**fields: Any) -> dict[str, Any]:
    return {"inline_keyboard": [[{"text": "B"} | fields]]}


@pytest.mark.parametrize(
    ("markup", "complaint"),
    [
        (button(callback_data="x" * 65), "BUTTON_DATA_INVALID"),
        (button(callback_data="ü" * 33), "BUTTON_DATA_INVALID"),
        (button(text=" ", callback_data="x"), "inline keyboard button text must be non-empty"),
        (button(), "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"),
        (
            button(callback_data="x", url="https://t.me"),
            "can't parse inline keyboard button: exactly one action field must be used",
        ),
        (button(url="no link"), "inline keyboard button URL 'no link' is invalid: Wrong HTTP URL"),
        (
            {"inline_keyboard": [button(callback_data="x")["inline_keyboard"][0] * 9]},
            "reply markup is too long",
        ),
        ({"inline_keyboard": button(callback_data="x")["inline_keyboard"] * 101}, "reply markup is too long"),
    ],
)
def test_a_bad_keyboard_is_refused(world: Any, markup: dict[str, Any], complaint: str) -> None:
    said = world.refused("sendMessage", chat_id=world.group.id, text="x", reply_markup=markup)
    assert said == (400, Bad + complaint)


def test_a_hundred_buttons_of_64_bytes_fit(world: Any, keyboard: Any) -> None:
    rows = [[("B", "x" * 64)] * 8] * 12 + [[("B", "x" * 64)] * 4]
    assert len(world.say(reply_markup=keyboard(*rows)).buttons()) == 100


def test_deleting_what_others_wrote_needs_the_right(world: Any) -> None:
    theirs = world.tg.send(world.ann, world.group, "noise")
    at = {"chat_id": world.group.id, "message_id": theirs.id}
    assert world.refused("deleteMessage", **at)[1] == Bad + "message can't be deleted"
    world.tg.set_bot_rights(world.group, can_delete_messages=True)
    world.ok("deleteMessage", **at)


def test_after_two_days_the_bot_cannot_delete_its_own_message(world: Any) -> None:
    old = world.say()
    world.clock.advance(48 * 3600 + 1)
    said = world.refused("deleteMessage", chat_id=world.group.id, message_id=old.id)
    assert said[1] == Bad + "message can't be deleted for everyone"


def test_a_group_may_allow_texts_and_no_pictures(world: Any, png: Any) -> None:
    world.tg.set_permissions(world.group, can_send_photos=False)
    at = {"chat_id": world.group.id}
    answer = world.tg.call("sendPhoto", at, {"photo": png()})
    assert answer["description"] == Bad + "not enough rights to send photos to the chat"
    world.say()
    world.tg.restrict(world.tg.bot, world.group, can_send_messages=False)
    said = world.refused("sendMessage", text="x", **at)
    assert said[1] == Bad + "not enough rights to send text messages to the chat"


def test_a_tap_can_be_answered_once_and_for_fifteen_seconds(world: Any, keyboard: Any) -> None:
    message = world.say(reply_markup=keyboard([("Ja", "j")]))
    stale = (400, Bad + "query is too old and response timeout expired or query ID is invalid")
    tap = world.tg.tap(world.ann, message, "j")
    world.clock.advance(15)
    world.ok("answerCallbackQuery", callback_query_id=tap.id, text="Ja!")
    assert world.refused("answerCallbackQuery", callback_query_id=tap.id) == stale
    late = world.tg.tap(world.ann, message, "j")
    world.clock.advance(15.1)
    assert world.refused("answerCallbackQuery", callback_query_id=late.id) == stale
    assert world.refused("answerCallbackQuery", callback_query_id="1") == stale
    assert [toast.text for toast in world.tg.toasts(world.ann)] == ["Ja!"]


def test_a_toast_has_200_characters_and_opens_the_bots_link(world: Any, keyboard: Any) -> None:
    message = world.say(reply_markup=keyboard([("Ja", "j")]))
    tap = {"callback_query_id": world.tg.tap(world.ann, message, "j").id}
    assert world.refused("answerCallbackQuery", text="x" * 201, **tap)[1] == Bad + "MESSAGE_TOO_LONG"
    assert world.refused("answerCallbackQuery", url="https://example.org", **tap)[1] == Bad + "URL_INVALID"
    url = "https://t.me/chancellery_bot?start=abc"
    world.ok("answerCallbackQuery", url=url, **tap)
    assert world.tg.open_link(world.ann, world.tg.toasts(world.ann)[0].url).text == "/start abc"
    world.ok("sendMessage", chat_id=world.ann.id, text="seated")


def test_closed_topics_take_no_messages(world: Any) -> None:
    forum = world.tg.add_group("Forum", [world.ann], forum=True)
    topic = world.tg.add_topic(forum, "Games")
    sent = world.ok("sendMessage", chat_id=forum.id, message_thread_id=topic.id, text="x")
    assert sent["message_thread_id"] == topic.id
    assert sent["is_topic_message"]
    world.tg.close_topic(forum, topic)
    said = world.refused("sendMessage", chat_id=forum.id, message_thread_id=topic.id, text="x")
    assert said == (400, Bad + "TOPIC_CLOSED")


def test_pictures_must_be_pictures(world: Any, png: Any) -> None:
    def send(data: bytes | None, **params: Any) -> str:
        files = {} if data is None else {"photo": data}
        answer = world.tg.call("sendPhoto", {"chat_id": world.group.id} | params, files)
        return str(answer.get("description", "ok"))

    assert send(png()) == "ok"
    assert send(b"not a picture") == Bad + "IMAGE_PROCESS_FAILED"
    assert send(png(6000, 4001)) == Bad + "PHOTO_INVALID_DIMENSIONS"
    assert send(png(100, 4)) == Bad + "PHOTO_INVALID_DIMENSIONS"
    assert send(None, photo="AgACAgunknown") == Bad + "wrong file identifier/HTTP URL specified"


def test_unknown_methods_are_not_found(world: Any) -> None:
    assert world.call("sendEverything")["error_code"] == 404


def test_updates_cannot_be_polled_while_a_webhook_is_set(world: Any) -> None:
    world.ok("setWebhook", url="http://127.0.0.1:1/hook", secret_token="s3cret_-")
    assert world.refused("getUpdates")[0] == 409
    assert world.refused("setWebhook", url="ftp://x")[0] == 400
    assert world.refused("setWebhook", url="https://x", secret_token="no spaces")[0] == 400
    world.ok("deleteWebhook")
    assert world.ok("getUpdates") == []
