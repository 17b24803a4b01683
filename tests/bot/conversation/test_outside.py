"""The bot is thrown out of the group during something: it all waits until the bot is back."""

from dataclasses import replace

import pytest

from bot.conversation import incoming
from bot.conversation.outcome import GROUP, Lookup, Outcome, Toast
from bot.conversation.outside import without_group
from bot.rooms.model import Room
from bot.rooms.names import MessageId, RoomName
from tests.bot.conversation.acts import hears, needs, press, says, sealed, tap, wakes
from tests.bot.conversation.people import CHAT, NOW, person, player
from tests.bot.conversation.replies import buttons, posts, unchanged, writes
from tests.bot.conversation.rooms import changed, finished, game, lobby, names, opened, playing, room
from tests.bot.conversation.texts import plain, read, words

WHERE = RoomName(CHAT)
IN, OUT = incoming.Membership(WHERE, inside=True), incoming.Membership(WHERE, inside=False)


def out(room: Room) -> Room:
    return replace(room, bot_removed=True)


@pytest.mark.parametrize("before", [game(), lobby(5), sealed()])
def test_everybody_at_the_table_hears_of_it_once(before: Room) -> None:
    after = hears(before, OUT)
    assert after.room == out(before)
    where = plain("out.lobby" if before.lobby else "out.game", group="The Reichstag")
    assert [[read(text) for text in writes(after, person(seat))] for seat in range(5)] == [[where]] * 5
    assert len(after.effects) == 5, "and nobody who only watches"
    assert hears(after.room, OUT) == Outcome(after.room)


def test_who_got_up_hears_nothing() -> None:
    after = hears(game(away=(2,)), OUT)
    assert writes(after, person(2)) == []
    assert writes(after, person(3))


def test_where_nothing_goes_on_nothing_waits() -> None:
    for nothing in (room(), finished()):
        assert hears(nothing, OUT) == Outcome(nothing)


# --- meanwhile ----------------------------------------------------------------------------------------------


def test_a_tap_says_why_nothing_follows() -> None:
    before = out(game())
    after = tap(before, "answer", person(0), 0, inside=False)
    assert unchanged(after, before)
    assert after.toast == Toast(plain("out.toast"), alert=True)


def test_a_link_says_so_too() -> None:
    before = out(lobby(3))
    after = hears(before, incoming.DeepLink(person(9), WHERE, 1), inside=False)
    assert after.room == before
    assert writes(after, person(9)) == [words("out.toast")]


def test_no_command_and_no_clock_is_answered() -> None:
    before = out(game(clock="fast"))
    assert says(before, person(0), "/status", inside=False) == Outcome(before)
    assert wakes(before, 10**5, inside=False) == Outcome(before)
    assert hears(before, incoming.Chatter(person(0), WHERE, MessageId(7))) == Outcome(before)


def test_what_people_say_of_themselves_is_noted_in_silence() -> None:
    chose = hears(out(game()), incoming.LanguageChosen(person(1), "de"))
    assert playing(chose.room).players[1].language == "de"
    forgot = hears(out(lobby(3, host=109)), incoming.PersonForgotten(person(9)))
    assert opened(forgot.room).host == 100
    blocked = hears(out(game()), incoming.BlockChanged(person(1), may_write=False))
    assert playing(blocked.room).unreached == (1,)
    assert chose.effects == forgot.effects == blocked.effects == ()


def test_what_would_be_sent_to_the_group_is_left_out() -> None:
    after = says(game(), person(0), "/status")
    assert without_group(after) == after
    assert without_group(replace(after, room=out(after.room))).effects == ()
    private = hears(game(), OUT)
    assert without_group(private) == private
    assert all(effect.to != GROUP for effect in private.effects)


# --- back ---------------------------------------------------------------------------------------------------


def test_a_returning_bot_counts_time_from_now() -> None:
    after = hears(out(changed(game(), reminders=2)), IN, now=NOW + 9000)
    match = playing(after.room)
    assert not after.room.bot_removed
    clock = (match.time_began_at, match.opened_at, match.reminders, match.clock_call)
    assert clock == (NOW + 9000, NOW + 9000, 0, None)
    assert len(posts(after)) == 1


def test_a_lobby_is_shown_again_and_stays_open_for_another_hour() -> None:
    after = hears(out(lobby(3)), IN, now=NOW + 9000)
    assert opened(after.room).touched == NOW + 9000
    assert buttons(after, "join") == [(1,)]


def test_a_seal_stays_what_it_is_and_is_looked_at_now() -> None:
    before = sealed()
    after = hears(out(before), IN, now=NOW + 9000)
    assert before.sealed is not None
    assert after.room.sealed == replace(before.sealed, next_try_at=NOW + 9000)


def test_where_nothing_is_left_the_bot_is_just_back() -> None:
    assert hears(out(finished()), IN) == Outcome(finished())


def test_acting_asks_whether_the_bot_is_back() -> None:
    needs(Lookup.INSIDE, tap, out(game()), "answer", person(0), 0)
    needs(Lookup.INSIDE, says, out(game()), person(0), "/status")
    needs(Lookup.INSIDE, hears, out(lobby(3)), incoming.DeepLink(person(9), WHERE, 1))
    assert wakes(out(game()), inside=None).room.bot_removed


def test_a_tap_that_finds_the_bot_back_counts() -> None:
    after = press(out(lobby(3)), "join", person(9), 1)
    assert names(after.room)[-1] == "Jan"
    assert not after.room.bot_removed
    assert buttons(after, "join")


def test_whoever_waits_for_the_next_game_hears_nothing_of_it() -> None:
    assert writes(hears(replace(lobby(3), next_game=(player(9),)), OUT), person(9)) == []
