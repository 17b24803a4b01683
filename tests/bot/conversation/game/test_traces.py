"""Votes leave a trace: in the voter's own chat, and in the group as a number."""

from dataclasses import replace
from typing import Any

import pytest

from bot.conversation.outcome import Edit, Outcome, Private
from bot.rooms.model import Room
from tests.bot.conversation.acts import choose, press
from tests.bot.conversation.people import NOW, person
from tests.bot.conversation.replies import edits, toast
from tests.bot.conversation.rooms import game, playing
from tests.bot.conversation.texts import plain, read

LATER = NOW + 15


def voting(players: int = 7, **more: Any) -> Room:
    return choose(game(players, **more), 1).room


def vote(room: Room, seat: int, choice: int, now: int = LATER) -> Outcome:
    """Cast one seat's ballot: 0 for Ja, 1 for Nein."""
    match = playing(room)
    return press(room, "answer", person(seat), match.number, match.game.asked, choice, now=now)


def voted(room: Room, seats: int) -> Room:
    """Return the room after the first seats voted Ja, before the result."""
    for seat in range(seats):
        room = vote(room, seat, 0, NOW + 5).room
    return room


def traces(outcome: Outcome) -> dict[int, str]:
    """Return the edits of private prompts, by person."""
    edited = [effect for effect in outcome.effects if isinstance(effect, Edit)]
    return {edit.to.person: read(edit.text) for edit in edited if isinstance(edit.to, Private)}


def test_the_last_ballot_makes_a_trace_of_every_prompt() -> None:
    room = voting()
    for seat in range(6):
        outcome = vote(room, seat, 0)
        assert traces(outcome) == {}, "nothing tells before all have voted"
        room = outcome.room
    after = vote(room, 6, 1)
    told = traces(after)
    assert set(told) == set(range(100, 107))
    assert told[100].splitlines()[1:] == ["🗳 #1 Ada → #2 Ben", "You: 👍 Ja · elected 6–1"]
    assert told[106].endswith("You: 👎 Nein · elected 6–1")
    assert all(e.droppable for e in after.effects if isinstance(e, Edit) and "You:" in e.text)


def test_a_second_tap_on_the_same_choice_says_what_one_voted() -> None:
    once = vote(voting(), 3, 1)
    again = vote(once.room, 3, 1)
    assert toast(again) == plain("toast.same-vote", choice="👎 Nein")
    assert "Nein" in toast(again)
    assert playing(again.room).game == playing(once.room).game


def test_the_group_reads_once_how_many_have_voted_and_never_who() -> None:
    room, counts = voting(), []
    for seat in range(6):
        after = vote(room, seat, 0)
        counts += [line for text in edits(after).values() for line in read(text).splitlines() if "/" in line]
        room = after.room
    assert counts == ["🗳 Votes in: 4/7"]


@pytest.mark.parametrize("others", [(3, 4, 0), (6, 5, 2)])
def test_a_count_is_the_same_whoever_voted(others: tuple[int, ...]) -> None:
    """Two worlds in which other people voted, in another order."""
    room = voting()
    for seat in others:
        room = vote(room, seat, seat % 2, NOW + 5).room
    told = edits(vote(room, 1, 0))
    assert [read(text).splitlines()[-1] for text in told.values()] == ["🗳 Votes in: 4/7"]


def test_nothing_is_counted_early_or_for_computers() -> None:
    room = voted(voting(), 3)
    assert edits(vote(room, 3, 0, NOW + 14)) == {}
    assert edits(vote(room, 3, 0)) != {}
    match = playing(room)
    players = [replace(one, computer=seat > 3) for seat, one in enumerate(match.players)]
    alone = replace(room, match=replace(match, players=tuple(players)))
    assert edits(vote(alone, 3, 0)) == {}, "only computers are missing"


def test_nothing_is_counted_where_the_bot_wrote_much_lately() -> None:
    busy = replace(voted(voting(), 3), written=(LATER - 30,) * 10)
    assert edits(vote(busy, 3, 0)) == {}
    assert edits(vote(replace(busy, written=(LATER - 60,) * 10), 3, 0)) != {}
