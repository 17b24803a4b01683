"""Texts after a tap come from views, and each seat's view is folded once."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.conversation.game.answering import answer_tap
from bot.conversation.incoming import Person, Tap
from bot.conversation.outcome import Context, Outcome, ToSeat
from bot.rooms.model import Ballots, Match, Room
from bot.rooms.names import RoomName
from bot.rooms.stored import EventLog
from engine import Event, Reply, Seat, View, view, waiting_on
from tests.engine.builders import open_question
from tests.system.table import Table

KNOWN = Context(now=1_000, entropy="", username="TheBot", link_key=b"key")


@pytest.fixture
def folds(monkeypatch: pytest.MonkeyPatch) -> Counter[int | None]:
    """Return how often each seat's view (None: the group's) was folded."""
    counted: Counter[int | None] = Counter()

    def counting(events: Sequence[Event], seat: Seat | None) -> View:
        counted[seat] += 1
        return view(events, seat)

    monkeypatch.setattr("bot.rooms.stored.view", counting)
    return counted


def played(room: Room) -> Match:
    assert room.match is not None
    return room.match


def tap(room: Room, reply: Reply) -> Outcome:
    match = played(room)
    player = match.players[reply.seat]
    assert player.id is not None
    args = (match.number, reply.question, reply.choice)
    said = Tap(Person(player.id, player.name), RoomName(room.chat), "query", "answer", args)
    return answer_tap(room, said, KNOWN)


@pytest.mark.parametrize("ballots", ["private", "group"])
def test_a_tap_folds_each_view_once(table: Table, folds: Counter[int | None], ballots: Ballots) -> None:
    options = {"emergency-powers": "more", "anti-policies": "on", "oktoberfest": "on"}
    room = table.open(16, ruleset="xl@1", options=options).room()
    room = replace(room, settings=replace(room.settings, ballots=ballots, language="de"))
    rng, most, taps = random.Random(5), 0, 0
    while not played(room).over:
        match = played(room)
        question = open_question(match.game)
        if question.meeting:
            break
        seat = rng.choice(waiting_on(match.game))
        mine = open_question(match.game, seat)
        folds.clear()
        ballot = 0 if question.step == "ballot" else rng.randrange(len(mine.options[0]))
        outcome = tap(room, Reply(seat, question.number, ballot))
        told = {effect.to.number for effect in outcome.effects if isinstance(effect.to, ToSeat)}
        assert set(folds) <= {*told, None}
        assert set(folds.values()) <= {1}, folds
        most, taps = max(most, folds.total()), taps + 1
        # As if it is loaded again: without the earlier logs.
        after = played(outcome.room)
        room = replace(outcome.room, match=replace(after, log=EventLog(after.log)))
    assert taps > 60
    assert most == (17 if ballots == "private" else 5), "sixteen seats and the group; a meeting and the group"


def test_a_folded_view_stays_until_something_happens(table: Table, folds: Counter[int | None]) -> None:
    match = table.open(5).match()
    folds.clear()
    again = replace(match, post_start=3, pictured=True)
    assert match.view(Seat(2)) is again.view(Seat(2))
    assert folds == {2: 1}
    assert replace(match, log=match.log[:-1]).view(Seat(2)) != match.view(Seat(2))
    assert folds == {2: 2}
