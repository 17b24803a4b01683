"""Nobody can escape a loss, see hidden cards by a quiet setting, or stop the clock by leaving."""

from typing import Any

import pytest

from bot.conversation.incoming import Gone, PersonForgotten
from bot.conversation.outcome import Outcome
from bot.conversation.routing import respond
from bot.display.buttons import Verb
from bot.rooms.model import Room
from bot.rooms.names import RoomName, UserId
from tests.bot.conversation.acts import choose, context, leaves, press, tap, wakes
from tests.bot.conversation.people import CHAT, NOW, person, player
from tests.bot.conversation.replies import buttons, edits, posts, tells, toast, told
from tests.bot.conversation.rooms import changed, game, lobby, playing
from tests.bot.conversation.texts import plain, read, words
from tests.engine.builders import Play

RATED = {seat: player(seat) for seat in range(5)}
FAST: dict[str, Any] = {"clock": "fast"}


def late(**more: Any) -> Room:
    """Return a game of five in which three policies were enacted."""
    play = Play(5, deck="lff lff lff lff")
    for chancellor in (1, 2, 3):
        play.elect(chancellor).discard("f").enact("l")
    return game(play=play, rated=RATED, **more)


# --- whose result it is -------------------------------------------------------------------------------------


def test_who_leaves_keeps_the_result_and_a_substitute_gets_none() -> None:
    after = tap(leaves(game(rated=RATED), person(3)).room, "sit", person(9), 3).room
    assert playing(after).players[3] == player(9)
    assert playing(after).rated == RATED


def test_who_is_forgotten_in_mid_game_is_rated_no_more() -> None:
    after = respond(game(rated=RATED), PersonForgotten(person(3)), context()).room
    assert playing(after).seat_of(UserId(103)) == 3, "the seat stays theirs"
    assert playing(after).rated.keys() == {0, 1, 2, 4}
    assert 103 in playing(after).people.values()


def test_who_is_thrown_out_by_an_admin_is_not_rated() -> None:
    out = Gone(person(3), RoomName(CHAT), by_admin=True)
    after = respond(game(rated=RATED), out, context()).room
    assert playing(after).away == (3,)
    assert playing(after).rated.keys() == {0, 1, 2, 4}
    left = respond(lobby(), out, context()).room
    assert left.lobby is not None
    assert not left.lobby.is_seated(UserId(103))
    assert respond(left, out, context()) == Outcome(left), "who has no seat gives none up"


def test_all_who_leave_together_call_it_off_for_all() -> None:
    room = game(rated=RATED)
    for seat in range(5):
        room = leaves(room, person(seat)).room
    assert (playing(room).cancelled, playing(room).rated) == (True, {})


# --- calling off --------------------------------------------------------------------------------------------


def test_before_the_third_policy_the_host_calls_off_alone() -> None:
    assert playing(tap(game(), "cancel", person(0), 1).room).cancelled


@pytest.mark.parametrize("admin", [False, True])
def test_from_the_third_policy_on_a_player_needs_a_majority(admin: bool) -> None:
    after = tap(late(), "cancel", person(0), 1, is_admin=admin)
    assert not playing(after.room).cancelled
    assert "1 of 3 votes" in read(edits(after)["cancel"])
    again = press(after.room, "off", person(0), 1)
    assert "1 of 3 votes" in read(edits(again)["cancel"])
    twice = press(again.room, "off", person(1), 1)
    assert toast(twice) == plain("cancel.voted")
    assert toast(press(twice.room, "off", person(9), 1)) == plain("only-players")
    assert playing(press(twice.room, "off", person(2), 1).room).cancelled


def test_who_left_has_no_vote_on_calling_off() -> None:
    room = tap(late(away=(4,)), "cancel", person(0), 1).room
    assert toast(press(room, "off", person(4), 1)) == plain("only-players")


def test_a_vote_on_calling_off_fails_after_two_minutes() -> None:
    room = tap(late(), "cancel", person(0), 1).room
    assert playing(wakes(room, 119).room).calling_off is not None
    over = wakes(room, 120)
    assert edits(over)["cancel"] == words("cancel.failed")
    assert (playing(over.room).calling_off, playing(over.room).cancelled) == (None, False)
    assert toast(press(over.room, "off", person(1), 1)) == plain("cancel.stale")


def test_an_admin_who_does_not_play_calls_off_at_any_time() -> None:
    assert playing(tap(late(), "cancel", person(9), 1, is_admin=True).room).cancelled


def test_an_admin_who_left_a_lost_game_does_not_call_it_off() -> None:
    left = tap(late(away=(3,)), "cancel", person(3), 1, is_admin=True).room
    for room in (left, tap(late(former={109: 3}), "cancel", person(9), 1, is_admin=True).room):
        assert not playing(room).cancelled
        votes = playing(room).calling_off
        assert votes is not None
        assert votes.votes == ()


# --- hidden cards -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("item", "place"), [(4, 3), (5, 2), (7, 2), (8, 2)])
def test_what_bears_on_hidden_cards_is_announced(item: int, place: int) -> None:
    # The attack: a dead admin turned open cards on, read all roles, and turned it off again.
    (post,) = posts(tap(game(), "set", person(3), item, place, is_admin=True))
    assert "Dirk changed a setting during the game" in read(post)
    assert posts(tap(game(), "set", person(3), 2, 2, is_admin=True)) == [], "the theme hides nothing"


# --- the clock ----------------------------------------------------------------------------------------------


def test_leaving_and_coming_back_every_80_s_stops_no_clock() -> None:
    room, now = game(stand_in="off", **FAST), 0
    while playing(room).game.asked == 1 and now < 1000:
        now += 20
        room = wakes(room, now).room
        if now % 80 == 0 and playing(room).game.asked == 1:
            away = 0 in playing(room).away
            at: dict[str, Any] = {"now": NOW + now}
            back = tap(room, "sit", person(0), 0, **at) if away else leaves(room, person(0), **at)
            room = back.room
    assert now < 300


def test_two_who_take_turns_at_a_seat_renew_its_time_once_each() -> None:
    room = game(stand_in="off", **FAST)
    for turn in range(6):
        room = leaves(room, person((0, 9)[turn % 2]), now=NOW + turn).room
        room = tap(room, "sit", person((9, 0)[turn % 2]), 0, now=NOW + turn).room
    assert playing(room).time_began_at <= NOW + 2


def test_with_any_clock_the_group_reads_that_no_ballot_is_no_ja() -> None:
    room = choose(game(reminders=1, **FAST), 1).room
    room = changed(room, reminders=1)
    told = "\n".join(map(read, posts(wakes(room, 80))))
    assert "A ballot that is not cast by then counts as" in told


# --- a computer answers for whoever sleeps ------------------------------------------------------------------


def asleep() -> Room:
    """Return a game in which seat 0 has just missed a second decision."""
    return wakes(game(missed={0: 1}, rated=RATED, reminders=2, **FAST), 90).room


def test_after_two_misses_a_computer_answers_for_that_person() -> None:
    after = wakes(game(missed={0: 1}, rated=RATED, reminders=2, **FAST), 90)
    match = playing(after.room)
    assert (match.asleep, match.computer_seats, match.computers_from_start) == ((0,), (0,), ())
    assert match.rated == RATED, "the result stays theirs"
    assert any("until they tap again" in read(text) for text in posts(after))
    assert buttons(after, "back") == [(1,)]
    assert playing(wakes(game(missed={0: 0}, reminders=2, **FAST), 90).room).asleep == ()


def test_where_no_computer_stands_in_the_clock_goes_on() -> None:
    after = wakes(game(missed={0: 1}, stand_in="off", reminders=2, **FAST), 90)
    assert playing(after.room).asleep == ()


@pytest.mark.parametrize("verb", ["back", "role"])
def test_any_tap_gives_the_seat_back_with_all_it_knows(verb: Verb) -> None:
    after = press(asleep(), verb, person(0), 1)
    match = playing(after.room)
    assert (match.asleep, match.computer_seats, match.missed) == ((), (), {})
    card, question = tells(after, 0)
    assert words("role-dealt") in card
    assert buttons(after, "role") == [(1,)], "the role itself shows in a tap's answer only"
    assert "how do you vote" in read(question)
    assert any("is back" in read(text) for text in posts(after))


def test_nobody_else_wakes_a_sleeper() -> None:
    assert playing(tap(asleep(), "role", person(1)).room).asleep == (0,)
    assert told(tap(asleep(), "role", person(1))) == set()


def test_a_sleeper_may_still_be_replaced() -> None:
    room = asleep()
    for voter in (1, 2, 3):
        room = tap(room, "replace", person(voter), 0).room
    assert (playing(room).away, playing(room).asleep) == ((0,), ())
    assert playing(room).rated == RATED
