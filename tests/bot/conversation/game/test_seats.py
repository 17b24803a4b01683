"""Seats of a running game that change their player: leaving, a substitute, a vote on a replacement."""

from typing import Any

import pytest

from bot.conversation.outcome import GROUP, ClearButtons, Edit, Lookup, Toast
from bot.rooms.model import Room
from tests.bot.conversation.acts import choose, leaves, needs, press, says, tap
from tests.bot.conversation.people import person, player, robot
from tests.bot.conversation.replies import buttons, edits, posts, refuses, tells, toast, told, unchanged
from tests.bot.conversation.rooms import game, lobby, playing, room
from tests.bot.conversation.texts import plain, read, words
from tests.engine.builders import Play


@pytest.mark.parametrize("command", ["/leave", "/sub"])
def test_a_player_is_asked_by_name_before_leaving(command: str) -> None:
    asked = says(game(), person(3), command)
    assert playing(asked.room).away == ()
    assert buttons(asked, "quit") == [(1, 3, 1), (1, 3, 0)]
    assert "Dirk" in posts(asked)[0]


@pytest.mark.parametrize("answer", [0, 1])
def test_only_the_player_who_was_asked_can_answer(answer: int) -> None:
    for who in (person(2), person(9)):
        refuses(tap(game(), "quit", who, 3, answer), game(), "illegal.not-asked")


def test_staying_takes_the_buttons_away() -> None:
    after = tap(game(), "quit", person(3), 3, 0)
    assert (after.room, after.effects) == (game(), (ClearButtons(GROUP, "leave3"),))


def test_leaving_twice_changes_nothing() -> None:
    before = game(away=(3,))
    after = tap(before, "quit", person(3), 3, 1)
    assert after.room == before
    assert toast(after) == plain("illegal.closed")


def test_a_question_about_an_earlier_game_is_closed() -> None:
    refuses(press(game(), "quit", person(3), 0, 3, 1), game(), "illegal.closed")


@pytest.mark.parametrize("command", ["/leave", "/sub"])
def test_who_gets_up_opens_the_seat(command: str) -> None:
    after = leaves(game(), person(3), command)
    assert playing(after.room).away == (3,)
    assert buttons(after, "sit") == [(1, 3)]
    assert "Dirk" in posts(after)[0]


@pytest.mark.parametrize("command", ["/leave", "/sub"])
def test_a_leaver_is_shown_the_seat_to_take_back(command: str) -> None:
    after = says(game(away=(3,)), person(3), command)
    assert playing(after.room).away == (3,)
    assert buttons(after, "sit") == [(1, 3)]


def test_votes_on_a_seat_are_over_when_its_player_gets_up() -> None:
    after = leaves(game(replacement_votes={3: (0,), 1: (2,)}), person(3))
    assert playing(after.room).replacement_votes == {1: (2,)}


def test_a_stranger_is_shown_all_open_seats() -> None:
    shown = says(game(away=(3, 1)), person(9), "/sub")
    assert buttons(shown, "sit") == [(1, 3), (1, 1)]
    assert [name in text for name, text in zip(("Dirk", "Ben"), posts(shown), strict=True)] == [True] * 2
    assert posts(says(game(), person(9), "/sub")) == [words("seat.none-open")]
    assert posts(says(lobby(), person(9), "/sub")) == [words("lobby.open")]


# --- sitting down -------------------------------------------------------------------------------------------


def test_a_substitute_learns_in_private_what_the_seat_knows() -> None:
    after = tap(game(away=(0,)), "sit", person(9), 0)
    match = playing(after.room)
    assert match.players[0] == player(9)
    assert match.away == ()
    assert match.former == {100: 0}
    assert after.remember == 109
    assert told(after) == {0}
    card, prompt = tells(after, 0)
    assert words("role-dealt") in card
    assert "tg-spoiler" not in prompt
    assert toast(after) == plain("toast.joined")
    assert "Jan" in posts(after)[0]
    assert "Ada" in posts(after)[0]


def test_a_substitute_is_told_what_the_seat_knows_and_owes() -> None:
    before = game(7, play=Play(7, roles="lllffhl").nominate(1), away=(3,))
    card, prompt = map(read, tells(tap(before, "sit", person(9), 3), 3))
    assert "Your role is dealt" in card
    assert "how do you vote" in prompt


def test_who_owes_nothing_is_told_only_what_the_seat_knows() -> None:
    assert len(tells(tap(game(away=(3,)), "sit", person(9), 3), 3)) == 1


def test_who_sits_down_again_is_no_former_player_of_the_seat() -> None:
    match = playing(tap(game(away=(3,), missed={3: 2}, unreached=(3,)), "sit", person(3), 3).room)
    assert (match.former, match.away, match.missed, match.unreached) == ({}, (), {}, ())


def test_who_had_the_seat_before_may_take_it_back() -> None:
    open_again = leaves(tap(game(away=(3,)), "sit", person(9), 3).room, person(9)).room
    after = tap(open_again, "sit", person(3), 3)
    assert playing(after.room).players[3] == player(3)
    assert playing(after.room).former == {103: 3, 109: 3}


def test_who_had_another_seat_knows_too_much() -> None:
    before = game(away=(1,), former={108: 3})
    after = tap(before, "sit", person(8), 1)
    assert unchanged(after, before)
    assert after.toast == Toast(plain("seat.another"), alert=True)
    assert playing(tap(before, "sit", person(9), 1).room).players[1] == player(9), "whoever is new may"


def test_who_plays_takes_no_second_seat() -> None:
    assert toast(tap(game(away=(1,)), "sit", person(0), 1)) == plain("toast.already-in")


def test_a_seat_that_is_taken_or_of_another_game_is_not_taken() -> None:
    for after in (
        tap(game(), "sit", person(9), 1),
        press(game(away=(1,)), "sit", person(9), 7, 1),
        press(room(), "sit", person(9), 1, 1),
        tap(game(away=(1,), cancelled=True), "sit", person(9), 1),
    ):
        assert toast(after) == plain("seat.taken")


def test_only_members_whom_the_bot_may_write_to_sit_down() -> None:
    before = game(away=(1,))
    assert toast(tap(before, "sit", person(9), 1, is_member=False)) == plain("toast.not-member")
    silent = tap(before, "sit", person(9), 1, may_write=False)
    assert silent.toast == Toast(url="https://t.me/TheBot?start=hello")
    assert unchanged(silent, before)
    for need in (Lookup.IS_MEMBER, Lookup.MAY_WRITE, Lookup.LANGUAGE):
        needs(need, tap, before, "sit", person(9), 1)


def test_who_gets_up_takes_their_votes_along() -> None:
    after = leaves(game(7, missed={3: 2}, replacement_votes={3: (0, 1)}), person(1))
    assert playing(after.room).replacement_votes == {3: (0,)}
    assert "1 of 3" in edits(after)["vote3"]


def test_fewer_deciders_make_existing_votes_enough() -> None:
    after = leaves(game(missed={3: 2}, replacement_votes={3: (0, 1)}), person(2))
    assert playing(after.room).away == (2, 3)
    assert playing(after.room).replacement_votes == {}
    assert buttons(after, "sit") == [(1, 2), (1, 3)]


def test_who_has_left_does_not_decide_about_those_who_play() -> None:
    before = game(missed={3: 2}, away=(1, 2), replacement_votes={3: (0,)})
    assert unchanged(tap(before, "replace", person(1), 3), before)
    assert playing(tap(before, "replace", person(4), 3).room).away == (1, 2, 3)


def test_a_robots_seat_leaves_no_former_player() -> None:
    seats = (robot(), *map(player, range(1, 5)))
    assert playing(tap(game(seated=seats, away=(0,)), "sit", person(9), 0).room).former == {}


# --- votes on a replacement ---------------------------------------------------------------------------------


def missing(**more: Any) -> Room:
    """Return the room after seat 0 left two decisions to the clock."""
    return game(5, missed={0: 2}, **more)


def test_more_than_half_of_the_others_open_a_seat() -> None:
    room = missing()
    for voter in (1, 2):
        after = tap(room, "replace", person(voter), 0)
        assert playing(after.room).away == ()
        assert toast(after) == plain("seat.voted")
        room = after.room
    assert "2 of 3" in edits(after)["vote0"]
    after = tap(room, "replace", person(3), 0)
    assert playing(after.room).away == (0,)
    assert playing(after.room).replacement_votes == {}
    assert buttons(after, "sit") == [(1, 0)]


def test_nobody_votes_twice() -> None:
    room = tap(missing(), "replace", person(1), 0).room
    assert playing(tap(room, "replace", person(1), 0).room).replacement_votes == {0: (1,)}


def test_robots_have_no_vote() -> None:
    seats = (player(0), player(1), *(robot(f"Robot {n}") for n in range(3)))
    assert playing(tap(missing(seated=seats), "replace", person(1), 0).room).away == (0,)


def test_nobody_votes_on_themselves_nor_without_a_seat() -> None:
    for after in (
        tap(missing(), "replace", person(0), 0),
        press(missing(), "replace", person(1), 7, 0),
        tap(missing(), "replace", person(1), 44),
        press(room(), "replace", person(1), 1, 0),
    ):
        assert toast(after) == plain("toast.not-your-game")
    assert toast(tap(missing(), "replace", person(9), 0)) == plain("toast.watching")


def test_who_is_back_is_not_voted_on() -> None:
    for before in (choose(missing(), 1).room, missing(away=(0,)), game(missed={0: 1})):
        refuses(tap(before, "replace", person(1), 0), before, "seat.back")


def test_who_cannot_be_written_to_can_be_replaced_at_once() -> None:
    after = tap(game(unreached=(2,)), "replace", person(1), 2)
    assert playing(after.room).replacement_votes == {2: (1,)}
    (edit,) = [effect for effect in after.effects if isinstance(effect, Edit)]
    assert edit.to == GROUP
    assert "can't write" in edit.text
