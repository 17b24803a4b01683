"""The people of a crowd's room."""

import random

from bot.display import buttons
from bot.rooms.model import Room
from bot.rooms.names import RoomName
from sandbox.clocks import VirtualClock
from sandbox.crowd.room import CrowdRoom
from sandbox.telegram import Telegram


def test_people_whose_bot_lost_their_lobby_go_on_without_it() -> None:
    """So that the judge can report that the room has not ended."""
    telegram = Telegram(VirtualClock())
    room = CrowdRoom(telegram, 1, random.Random(1), lambda key: Room(room.group.id))
    room.act()
    data = buttons.data(RoomName(room.group.id), "join", 1)
    keyboard = {"inline_keyboard": [[{"text": "Join", "callback_data": data}]]}
    lobby = {"chat_id": room.group.id, "text": "A lobby", "reply_markup": keyboard}
    telegram.call("sendMessage", lobby)
    room.act()
    assert [query.data for query in telegram.queries.values()] == [data] * len(room.people)
    assert not room.over
