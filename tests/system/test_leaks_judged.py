"""The fault simulator's check for leaks knows a line that several seats may read for different reasons."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from bot.conversation.game.tidying import learned
from bot.rooms.codec import encode
from bot.rooms.model import Room
from engine import Event, Seat
from engine.rulesets.red_dawn.article_48 import ComradesLearned
from engine.steps.communists import Convened
from sandbox.faults.leaks import Leaks
from sandbox.telegram import Call
from tests.bot.conversation.people import person
from tests.bot.conversation.rooms import changed, meeting, playing
from tests.engine.builders import seats


@pytest.fixture
def told_of_the_meeting() -> tuple[Room, int, int]:
    """Return a game in which a seat has learned who was in the meeting; a member, and that seat."""
    room = meeting()
    log = playing(room).log
    (convened,) = (event.fact for event in log if isinstance(event.fact, Convened))
    outside = next(seat for seat in range(7) if seat not in convened.seats)
    known = Event(ComradesLearned(Seat(outside), convened.seats), seats(outside))
    return changed(room, log=(*log, known)), convened.seats[0], outside


def complaints(room: Room, seat: int, text: str) -> list[str]:
    """Return the complaints about a text that a seat's player reads."""
    broken: list[str] = []
    telegram: Any = SimpleNamespace(after_call=[], queries={})
    Leaks(telegram, broken.append).follow(json.loads(encode(room)))
    chat = person(seat).id
    telegram.after_call[0](Call(0.0, "sendMessage", chat, {"chat_id": chat, "text": text}, {}), {})
    return broken


def test_who_was_in_a_meeting_may_read_it_again(told_of_the_meeting: tuple[Room, int, int]) -> None:
    room, member, _ = told_of_the_meeting
    (post,) = learned(room, playing(room), Seat(member))
    assert complaints(room, member, post.text) == []


def test_who_was_in_no_meeting_may_not_read_it(told_of_the_meeting: tuple[Room, int, int]) -> None:
    room, member, outside = told_of_the_meeting
    (post,) = learned(room, playing(room), Seat(member))
    third = next(seat for seat in range(7) if seat not in (member, outside))
    assert "tells ComradesLearned" in "".join(complaints(room, third, post.text))
