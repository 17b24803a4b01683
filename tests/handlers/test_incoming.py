"""Updates as the bot reads them."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from handlers.conversation.incoming import Tap, read_update, update_of
from handlers.display.buttons import data
from handlers.rooms.names import RoomName

ROOM = RoomName(-1001234567890)
TAP: dict[str, Any] = {
    "update_id": 7,
    "callback_query": {
        "id": "42",
        "from": {"id": 5, "is_bot": False, "first_name": "Ann"},
        "chat_instance": "1",
        "data": data(ROOM, "answer", 1, 2, 3),
        "message": {
            "message_id": 11,
            "date": 1_800_000_000,
            "chat": {"id": 5, "type": "private", "first_name": "Ann"},
            "from": {"id": 9, "is_bot": True, "first_name": "Bot", "username": "bot"},
            "text": "Who?",
            "entities": [{"type": "bold", "offset": 0, "length": 3}],
            "reply_markup": {"inline_keyboard": [[{"text": "Ben", "callback_data": "x"}]]},
        },
    },
}


def test_a_tap_is_read_from_its_data_and_from_where_its_message_stands() -> None:
    said = read_update(update_of(TAP), "bot")
    assert isinstance(said, Tap)
    assert (said.room, said.verb, said.args, said.query) == (ROOM, "answer", (1, 2, 3), "42")
    assert said.person.id == 5


@pytest.mark.parametrize("name", ["text", "entities", "reply_markup", "from"])
def test_what_the_tapped_message_looks_like_makes_no_difference(name: str) -> None:
    other = copy.deepcopy(TAP)
    other["callback_query"]["message"][name] = {"not even": "well formed"}
    assert read_update(update_of(other), "bot") == read_update(update_of(TAP), "bot")


def test_the_update_itself_is_left_as_it_was() -> None:
    before = copy.deepcopy(TAP)
    update_of(TAP)
    assert before == TAP


def test_a_tap_without_its_message_is_read_as_well() -> None:
    without = copy.deepcopy(TAP)
    del without["callback_query"]["message"]
    assert isinstance(read_update(update_of(without), "bot"), Tap)


def test_of_a_tap_it_is_known_in_which_group_it_was_though_the_message_is_too_old_to_be_seen() -> None:
    assert tapped(None).group is None
    assert tapped({"id": 5, "type": "private", "first_name": "Ann"}).group is None
    assert tapped({"id": 5, "type": "private", "first_name": "Ann"}).private_message == 11
    for kind in ("group", "supergroup"):
        assert tapped({"id": -9, "type": kind, "title": "?"}).group == -9
        assert tapped({"id": -9, "type": kind, "title": "?"}, date=0).group == -9


def tapped(chat: dict[str, Any] | None, date: int = 1_800_000_000) -> Tap:
    """The same tap under a message in this chat, or under one that was sent by way of the bot."""
    other = copy.deepcopy(TAP)
    other["callback_query"]["message"] = {"message_id": 11, "date": date, "chat": chat}
    if chat is None:
        del other["callback_query"]["message"]
        other["callback_query"]["inline_message_id"] = "abc"
    said = read_update(update_of(other), "bot")
    assert isinstance(said, Tap)
    return said


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("from", "id"), "5"),
        (("from", "id"), True),
        (("from", "id"), 2**70),
        (("from", "first_name"), ["Ann"]),
        (("from", "first_name"), "\ud800"),
        (("from", "language_code"), [1, 2]),
        (("data",), 7),
        (("id",), {"id": 1}),
    ],
)
def test_a_field_of_the_wrong_kind_is_refused_where_it_is_read(place: tuple[str, ...], value: object) -> None:
    torn = copy.deepcopy(TAP)
    holder = torn["callback_query"]
    for name in place[:-1]:
        holder = holder[name]
    holder[place[-1]] = value
    with pytest.raises((ValueError, TypeError)):
        read_update(update_of(torn), "bot")
