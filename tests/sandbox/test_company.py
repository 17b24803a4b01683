"""The people of a crowd's room."""

import random

from bot.display import buttons
from bot.rooms.model import Room
from bot.rooms.names import RoomName
from sandbox.crowd.company import Company
from sandbox.telegram import Telegram
from sandbox.telegram.clock import VirtualClock


def test_people_whose_bot_lost_their_lobby_go_on_without_it() -> None:
    """Only so the judge can say that the room has not ended."""
    telegram = Telegram(VirtualClock())
    company = Company(telegram, 1, random.Random(1), lambda key: Room(company.group.id))
    company.act()
    data = buttons.data(RoomName(company.group.id), "join", 1)
    keyboard = {"inline_keyboard": [[{"text": "Join", "callback_data": data}]]}
    lobby = {"chat_id": company.group.id, "text": "A lobby", "reply_markup": keyboard}
    telegram.call("sendMessage", lobby)
    company.act()
    assert [query.data for query in telegram.queries.values()] == [data] * len(company.people)
    assert not company.over
