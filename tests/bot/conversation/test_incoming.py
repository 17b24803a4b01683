"""Updates as the bot reads them."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from telegram import ChatMemberRestricted

from bot.conversation import incoming
from bot.display.buttons import data
from bot.rooms.names import ChatId, MessageId, RoomName, UserId

ROOM = RoomName(ChatId(-1001234567890))
TAP: dict[str, Any] = {
    "update_id": 7,
    "callback_query": {
        "id": "42",
        "from": {"id": 5, "is_bot": False, "first_name": "Ann"},
        "chat_instance": "1",
        "data": data(ROOM, "answer", 1, 2, 3),
        "message": {
            "message_id": 11, "date": 1_800_000_000,
            "chat": {"id": 5, "type": "private", "first_name": "Ann"},
            "from": {"id": 9, "is_bot": True, "first_name": "Bot", "username": "bot"}, "text": "Who?",
            "entities": [{"type": "bold", "offset": 0, "length": 3}],
            "reply_markup": {"inline_keyboard": [[{"text": "Ben", "callback_data": "x"}]]},
        },
    },
}  # fmt: skip


def torn(*place: str, value: object) -> dict[str, Any]:
    """Return the update of that tap with another value in one place of its query."""
    other = copy.deepcopy(TAP)
    holder = other["callback_query"]
    for name in place[:-1]:
        holder = holder[name]
    holder[place[-1]] = value
    return other


def tap(update: dict[str, Any] = TAP) -> incoming.Tap:
    said = incoming.read_update(incoming.update_of(update), "bot")
    assert isinstance(said, incoming.Tap)
    return said


def test_a_tap_is_read_from_its_data_and_its_message() -> None:
    said = tap()
    assert (said.room, said.verb, said.args, said.query) == (ROOM, "answer", (1, 2, 3), "42")
    assert said.person.id == 5


@pytest.mark.parametrize("name", ["text", "entities", "reply_markup", "from"])
def test_what_the_tapped_message_looks_like_makes_no_difference(name: str) -> None:
    assert tap(torn("message", name, value={"not even": "well formed"})) == tap()


def test_the_update_itself_is_left_as_it_was() -> None:
    before = copy.deepcopy(TAP)
    incoming.update_of(TAP)
    assert before == TAP


def test_a_tap_without_its_message_is_read_as_well() -> None:
    without = copy.deepcopy(TAP)
    del without["callback_query"]["message"]
    assert tap(without).verb == "answer"


def test_a_taps_group_is_known_for_very_old_messages() -> None:
    assert tapped(None).group is None
    assert tapped({"id": 5, "type": "private", "first_name": "Ann"}).group is None
    assert tapped({"id": 5, "type": "private", "first_name": "Ann"}).private_message == 11
    for kind in ("group", "supergroup"):
        assert tapped({"id": -9, "type": kind, "title": "?"}).group == -9
        assert tapped({"id": -9, "type": kind, "title": "?"}, date=0).group == -9


def tapped(chat: dict[str, Any] | None, date: int = 1_800_000_000) -> incoming.Tap:
    """Return the same tap under a message in this chat, or under one sent in inline mode."""
    other = copy.deepcopy(TAP)
    other["callback_query"]["message"] = {"message_id": 11, "date": date, "chat": chat}
    if chat is None:
        del other["callback_query"]["message"]
        other["callback_query"]["inline_message_id"] = "abc"
    return tap(other)


@pytest.mark.parametrize("half", [chr(0xD800), chr(0xDFFF)])
def test_half_of_a_pair_in_a_name_is_taken_out_of_it(half: str) -> None:
    assert tap(torn("from", "first_name", value=f"An{half}n")).person.name == "Ann"


@pytest.mark.parametrize(("place", "value"), [
    (("from", "id"), "5"), (("from", "id"), True), (("from", "id"), 2**70),
    (("from", "first_name"), ["Ann"]), (("id",), "\ud800"), (("from", "language_code"), [1, 2]),
    (("data",), 7), (("id",), {"id": 1}),
])  # fmt: skip
def test_a_field_of_the_wrong_kind_is_refused_where_it_is_read(place: tuple[str, ...], value: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        tap(torn(*place, value=value))


def test_buttons_that_are_not_ours_and_taps_of_bots_say_nothing() -> None:
    assert incoming.read_update(incoming.update_of(torn("data", value="buy|1|2")), "bot") is None
    assert incoming.read_update(incoming.update_of(torn("from", "is_bot", value=True)), "bot") is None


# --- what is written ----------------------------------------------------------------------------------------

ANN = incoming.Person(UserId(5), "Ann", "de")
GROUP = {"id": -100, "type": "supergroup", "title": "The Reichstag"}
PRIVATE = {"id": 5, "type": "private", "first_name": "Ann"}


def written(text: str | None, chat: dict[str, Any] = GROUP, **more: Any) -> incoming.FromTelegram | None:
    message = {
        "message_id": 11, "date": 1_800_000_000, "chat": chat,
        "from": {"id": 5, "is_bot": False, "first_name": "Ann", "language_code": "de"},
        **({} if text is None else {"text": text}), **more,
    }  # fmt: skip
    return incoming.read_update(incoming.update_of({"update_id": 7, "message": message}), "TheBot")


def command(text: str, **more: Any) -> incoming.Command:
    said = written(text, **more)
    assert isinstance(said, incoming.Command)
    return said


def test_a_command_in_a_group() -> None:
    said = incoming.Command(
        ANN, RoomName(ChatId(-100)), "newgame", "", "The Reichstag", message=MessageId(11), date=1_800_000_000
    )
    for text in ("/newgame", "/NEWGAME", "/newgame@thebot", "/newgame "):
        assert written(text) == said


def test_what_stands_behind_a_command_comes_along() -> None:
    said = command("/settings board Ours\n{}")
    assert (said.name, said.argument) == ("settings", "board Ours {}")


def test_a_command_in_a_topic_is_about_the_topic() -> None:
    in_topic = command("/status", message_thread_id=9, is_topic_message=True)
    assert in_topic.room == RoomName(ChatId(-100), 9)
    assert command("/status", message_thread_id=9).room == RoomName(ChatId(-100))


def test_in_private_any_command_is_heard_and_belongs_to_no_room() -> None:
    said = written("/whatever now", PRIVATE)
    assert said == incoming.Command(
        ANN, None, "whatever", "now", "", message=MessageId(11), date=1_800_000_000
    )
    assert written("hello", PRIVATE) == incoming.Command(ANN, None, "help"), (
        "plain words are answered as well"
    )
    assert written(None, PRIVATE) is None, "a picture is not"


def test_what_is_said_in_a_group_to_others_is_chatter() -> None:
    for text in ("hello", "/newgame@otherbot", "/dance", None):
        assert written(text) == incoming.Chatter(ANN, RoomName(ChatId(-100)), MessageId(11), "The Reichstag")


def test_in_a_channel_nothing_is_heard() -> None:
    assert written("/newgame", {"id": -100, "type": "channel", "title": "News"}) is None


def test_who_writes_in_the_name_of_a_chat_is_anonymous() -> None:
    assert command("/start", sender_chat=GROUP).anonymous


def test_nobodys_message_says_nothing() -> None:
    nobody = {"message_id": 1, "date": 1_800_000_000, "chat": GROUP, "text": "/newgame"}
    assert incoming.read_update(incoming.update_of({"update_id": 7, "message": nobody}), "bot") is None
    assert incoming.read_update(incoming.update_of({"update_id": 7}), "bot") is None


def test_a_group_migrates_whichever_notice_comes_first() -> None:
    old = {"id": -5, "type": "group", "title": "The Reichstag"}
    assert written(None, old, migrate_to_chat_id=-100) == incoming.Moved(RoomName(ChatId(-5)), ChatId(-100))
    assert written(None, GROUP, migrate_from_chat_id=-5) == incoming.Moved(RoomName(ChatId(-5)), ChatId(-100))


@pytest.mark.parametrize(("first", "called"), [
    ("  Ann\n\tB ", "Ann B"), ("\u3164", "👤 5"), ("", "👤 5"),
    ("x" * 99, "x" * (incoming.LONGEST_NAME - 1) + "…"), ("A\u202enn", "Ann"), ("👩\u200d🚀", "👩\u200d🚀"),
    ("A\u200d", "A"), ("🏴\U000e0067\U000e007f", "🏴\U000e0067\U000e007f"), ("A\U000e0067", "A"),
])  # fmt: skip
def test_a_name_is_what_is_drawn_of_it_on_one_line(first: str, called: str) -> None:
    assert tap(torn("from", "first_name", value=first)).person.name == called


# --- memberships --------------------------------------------------------------------------------------------


def changed(status: str, chat: dict[str, Any], *, outside: bool = False) -> incoming.FromTelegram | None:
    """Change the bot's own standing in a chat."""
    bot = {"id": 9, "is_bot": True, "first_name": "Bot", "username": "bot"}
    until = {"until_date": 0} if status == "kicked" else {}
    if status.startswith("restricted"):
        status = "restricted"
        rights = [name for name in ChatMemberRestricted.__slots__ if name.startswith("can_")]
        until = {"until_date": 0, "is_member": not outside, **dict.fromkeys(rights, False)}
    ann = {"id": 5, "is_bot": False, "first_name": "Ann", "language_code": "de"}
    before, now = {"status": "left", "user": bot}, {"status": status, "user": bot, **until}
    change = {
        "chat": chat,
        "from": ann,
        "date": 1_800_000_000,
        "old_chat_member": before,
        "new_chat_member": now,
    }
    return incoming.read_update(incoming.update_of({"update_id": 7, "my_chat_member": change}), "bot")


def test_the_bot_was_invited_or_thrown_out_of_a_group() -> None:
    inside = incoming.Membership(RoomName(ChatId(-100)), inside=True, title="The Reichstag")
    outside = incoming.Membership(RoomName(ChatId(-100)), inside=False, title="The Reichstag")
    assert changed("member", GROUP) == changed("restricted", GROUP) == inside
    assert changed("kicked", GROUP) == changed("left", GROUP) == outside
    assert changed("restricted", GROUP, outside=True) == outside
    assert changed("member", {"id": -100, "type": "channel", "title": "News"}) is None


def test_in_private_the_bot_was_blocked_or_may_write_again() -> None:
    assert changed("kicked", PRIVATE) == incoming.BlockChanged(ANN, may_write=False)
    assert changed("member", PRIVATE) == incoming.BlockChanged(ANN, may_write=True)
