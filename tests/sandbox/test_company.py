"""The people of a crowd's room."""

import random

from handlers.display import buttons
from handlers.rooms.model import Room
from handlers.rooms.names import RoomName
from sandbox.crowd.party import Party
from sandbox.telegram import Telegram
from sandbox.telegram.clock import VirtualClock


def test_people_whose_bot_lost_their_lobby_go_on_without_it() -> None:
    """Only so the judge can say that the room has not ended."""
    telegram = Telegram(VirtualClock())
    party = Party(telegram, 1, random.Random(1), lambda key: Room(party.group.id))
    party.act()
    data = buttons.data(RoomName(party.group.id), "join", 1)
    keyboard = {"inline_keyboard": [[{"text": "Join", "callback_data": data}]]}
    lobby = {"chat_id": party.group.id, "text": "A lobby", "reply_markup": keyboard}
    telegram.call("sendMessage", lobby)
    party.act()
    assert [query.data for query in telegram.queries.values()] == [data] * len(party.people)
    assert not party.over
