"""Computers in a group: what they decide and when it is seen, without anybody who thinks for real."""

from dataclasses import replace
from typing import Any

import pytest

from bot.computers import with_claims
from bot.conversation.game.computers import PAUSE
from bot.conversation.game.deadlines import TELL_AFTER
from bot.conversation.outcome import Edit, Outcome, ToSeat
from bot.rooms.model import Room
from engine import Seat, View, waiting_on
from engine.claim import Claim
from tests.bot.conversation.acts import choose, leaves, votes, wakes
from tests.bot.conversation.alone import Scripted, computer, table, thinks
from tests.bot.conversation.people import NOW, person, player
from tests.bot.conversation.replies import posts, told, unchanged
from tests.bot.conversation.rooms import changed, finished, game, lobby, playing, room
from tests.engine.builders import Play, open_question
from tests.engine.rulesets.games import red_dawn


def ballot(people: int, computers: int) -> Room:
    """Return a game in which the person in seat 0 has nominated: all are to vote."""
    return choose(game(people + computers, seated=table(people, computers)), 1).room


def waiting(room: Room) -> tuple[int, ...]:
    return waiting_on(playing(room).game)


# --- what they decide ---------------------------------------------------------------------------------------


def test_computers_vote_at_once_and_nobody_sees_it() -> None:
    mind = Scripted()
    after = thinks(ballot(2, 3), mind)
    assert waiting(after.room) == (0, 1), "people vote for themselves"
    assert mind.asked == [2, 3, 4]
    assert after.effects == ()
    assert playing(after.room).computer_choices == {}


def test_they_play_as_well_as_the_group_has_set() -> None:
    for strength in ("novice", "seasoned"):
        mind = Scripted()
        thinks(replace(ballot(2, 3), settings=room(strength=strength).settings), mind)
        assert mind.levels == {strength}


def test_without_anybody_who_decides_for_them_everything_stays() -> None:
    for before in (ballot(2, 3), game(seated=(computer(0), *table(5, 0)[1:]))):
        assert thinks(before, None) == Outcome(before)


@pytest.mark.parametrize("before", [
    room(), lobby(seated=table(1, 4)), game(), game(seated=table(1, 4)), finished(seated=table(1, 4)),
    game(seated=(computer(0), *table(5, 0)[1:]), cancelled=True),
    game(seated=(computer(0), *table(5, 0)[1:]), bot_removed=True),
], ids=["nothing", "lobby", "people", "a person's turn", "won", "called off", "bot outside"])  # fmt: skip
def test_where_no_computer_is_asked_nothing_is_decided(before: Room) -> None:
    mind = Scripted()
    assert thinks(before, mind) == Outcome(before)
    assert mind.asked == []


def test_an_interrupted_mind_keeps_its_decisions() -> None:
    first = thinks(ballot(2, 3), Scripted(most=2))
    assert waiting(first.room) == (0, 1, 4)
    mind = Scripted()
    assert waiting(thinks(first.room, mind).room) == (0, 1)
    assert mind.asked == [4], "nobody decides twice"


# --- when it is seen ----------------------------------------------------------------------------------------


def test_what_everybody_sees_is_kept_until_its_second() -> None:
    before = game(seated=(computer(0), *table(5, 0)[1:]))
    decided = thinks(before, Scripted(nominate=3), now=NOW + 2)
    assert decided.room == changed(before, computer_choices={0: 2}), "nothing else changes"
    assert decided.effects == (), "nothing is told"
    assert unchanged(wakes(decided.room, PAUSE - 1), decided.room)
    after = wakes(decided.room, PAUSE)
    assert playing(after.room).game.table.chancellor == 3
    assert len(posts(after)) == 1
    assert told(after) >= {1, 2, 3, 4}
    assert playing(after.room).computer_choices == {}


def test_who_has_decided_is_not_asked_again() -> None:
    decided = thinks(game(seated=(computer(0), *table(5, 0)[1:])), Scripted(nominate=3)).room
    mind = Scripted(nominate=1)
    assert thinks(decided, mind) == Outcome(decided)
    assert mind.asked == []


def test_a_second_before_their_decision_changes_nothing() -> None:
    before = game(seated=(computer(0), *table(5, 0)[1:]))
    assert unchanged(wakes(before, PAUSE + 60), before)


def test_a_computers_last_ballot_waits_for_its_second() -> None:
    decided = thinks(votes(ballot(1, 4), "j....").room, Scripted(ballot="ja"))
    assert waiting(decided.room) == (4,)
    assert playing(decided.room).computer_choices == {4: 0}
    assert decided.effects == ()
    assert unchanged(wakes(decided.room, PAUSE - 1), decided.room)
    after = wakes(decided.room, PAUSE)
    assert waiting(after.room) == (0,), "the President draws"
    assert "Ja (5)" in posts(after)[0]


def test_what_is_due_in_the_same_second_is_done_too() -> None:
    """The claims stayed due in that second, and no wake-up was queued any more."""
    play = Play(5, deck="lff lff", first=0).govern("l", 3).elect(2)
    people = table(5, 0)
    seated = (people[0], computer(1), computer(2), *people[3:])
    claim = Claim(Seat(0), 1, "president", ("liberal", "fascist", "fascist"), len(play.view(None).facts))
    due: dict[str, Any] = {
        "claims": (claim,),
        "unposted_claims": ((0, 1, "president"),),
        "unposted_since": NOW + PAUSE - TELL_AFTER,
    }
    decided = thinks(game(play=play, seated=seated, **due), Scripted(discard="fascist"))
    after = wakes(decided.room, PAUSE)
    assert waiting(after.room) == (2,), "the President has discarded"
    assert playing(after.room).unposted_claims == ()
    assert after.wake_at == after.next_due_at == NOW + 2 * PAUSE, "for the Chancellor"


def test_a_persons_last_ballot_is_told_at_once() -> None:
    assert "Nein (3)" in posts(votes(thinks(ballot(2, 3), Scripted(ballot="nein")).room, "jj"))[0]


def test_the_pause_of_who_takes_somebodys_place_counts_from_then() -> None:
    up = leaves(game(), person(0), now=NOW + 100).room
    mind = Scripted()
    decided = thinks(up, mind, now=NOW + 101).room
    assert mind.asked == [0]
    assert unchanged(wakes(decided, 100 + PAUSE - 1), decided)
    assert waiting(wakes(decided, 100 + PAUSE).room) != (0,)


# --- in a meeting -------------------------------------------------------------------------------------------


def meeting() -> tuple[Room, Seat, list[Seat]]:
    """Return a Communist meeting: its room, the one person in it, and the computers."""
    before = game(play=red_dawn(12).govern("c"))
    anna, *others = open_question(playing(before).game).seats
    assert others
    seated = tuple(computer(seat) if seat in others else player(seat) for seat in range(12))
    return changed(before, players=seated), anna, others


def picks(room: Room) -> dict[int, int | None]:
    question = open_question(playing(room).game)
    return dict(zip(question.seats, question.answers, strict=True))


def test_computers_meeting_picks_show_at_their_second() -> None:
    before, anna, others = meeting()
    mind = Scripted()
    decided = thinks(before, mind)
    assert mind.asked == others
    assert decided.room == changed(before, computer_choices=dict.fromkeys(others, 0))
    assert decided.effects == ()
    assert unchanged(wakes(decided.room, PAUSE - 1), decided.room)
    after = wakes(decided.room, PAUSE)
    assert picks(after.room)[anna] is None
    assert all(picks(after.room)[seat] == 0 for seat in others)
    assert posts(after) == []
    assert ToSeat(Seat(anna)) in {effect.to for effect in after.effects if isinstance(effect, Edit)}
    edited = {e.to for e in after.effects if isinstance(e, Edit)}
    assert edited <= {ToSeat(Seat(seat)) for seat in (anna, *others)}


def test_a_persons_pick_changes_no_computers_decision() -> None:
    before, anna, others = meeting()
    decided = thinks(before, Scripted()).room
    question = open_question(playing(before).game)
    picked = choose(decided, question.options[0][0], anna).room
    assert playing(picked).computer_choices == dict.fromkeys(others, 0)
    after = wakes(picked, PAUSE).room
    assert set(picks(after).values()) == {0}
    assert playing(after).game.asked == question.number, "a meeting lasts its time, whoever has picked"


@pytest.mark.rule("R2.7")
def test_where_it_is_silent_a_dead_computer_claims_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def say(view: View, *_: object) -> tuple[Claim, ...]:
        assert view.seat is not None
        asked.append(view.seat)
        return ()

    monkeypatch.setattr("ai.say", say)
    match = playing(game(play=Play(5).govern("l", 1).govern("f", 2), seated=table(1, 4)))
    told = match.log[-12:]
    with_claims(match, told, "seasoned", NOW, lambda seat: False)
    assert asked == [1, 2]
    with_claims(match, told, "seasoned", NOW, lambda seat: seat == 2)
    assert asked == [1, 2, 1]
