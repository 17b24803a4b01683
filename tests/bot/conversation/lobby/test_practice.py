"""Practice in a person's own chat: its table is opened, set up, begun and begun again, left, and goes."""

from dataclasses import replace
from typing import Any

import pytest

from bot.conversation.incoming import PersonForgotten
from bot.conversation.outcome import GROUP, ClearButtons, Erase, Outcome, Post, Private, ToSeat
from bot.conversation.practice.own_room import END, GO_ON
from bot.conversation.waking import OWN_ROOM_LIFETIME
from bot.display.buttons import Verb
from bot.rooms.model import Practice, Room
from bot.rooms.names import ChatId
from engine import OFFERED, Seat
from tests.bot.conversation.acts import hears, press, says, tap, wakes
from tests.bot.conversation.alone import ANNA, own, practises, practising, reads
from tests.bot.conversation.people import NOW
from tests.bot.conversation.replies import buttons, edits, posts, refuses, toast, unchanged
from tests.bot.conversation.rooms import opened, playing
from tests.bot.conversation.texts import plain, words
from tests.engine.builders import Play


def over(**more: Any) -> Room:
    """Return a game of five that Anna has practised to its end."""
    return practising(play=Play(5).rounds(5, "liberal"), **more)


# --- a table ------------------------------------------------------------------------------------------------


def test_practice_offers_a_table_with_four_computers() -> None:
    after = practises(own())
    lobby = opened(after.room)
    assert [player.id for player in lobby.players] == [ANNA.id, None, None, None, None]
    assert [player.computer for player in lobby.players] == [False, True, True, True, True]
    assert lobby.practice == Practice(advice=True)
    assert after.remember == ANNA.id
    assert len(posts(after)) == 1
    assert buttons(after, "start") == [(1,)]
    assert buttons(after, "join") == []


def test_rules_and_theme_that_were_wished_for_are_played() -> None:
    for which, rules in enumerate(OFFERED, start=1):
        after = practises(own(), which, "cold-war")
        lobby = opened(after.room)
        assert lobby.setup.ruleset == rules.id
        assert len(lobby.players) in rules.players
        assert after.room.settings.theme == "cold-war"
        assert tap(after.room, "start", ANNA).room.match is not None


def test_asking_again_finds_the_same_table_with_buttons() -> None:
    red = tap(practises(own(), 2).room, "computers", ANNA, 8).room
    again = practises(red)
    assert opened(again.room).setup == opened(red).setup
    assert len(opened(again.room).players) == 9
    assert opened(again.room).number == 2
    assert again.effects[0] == ClearButtons(GROUP, "lobby")
    assert toast(press(again.room, "start", ANNA, 1)) == plain("toast.lobby-closed")


@pytest.mark.parametrize(
    ("busy", "why"), [({"draining": True}, "game.draining"), ({"backlog": 60.0}, "game.busy")]
)
def test_where_no_lobby_opens_nobody_practises_either(busy: dict[str, Any], why: str) -> None:
    refused = practises(own(), **busy)
    assert posts(refused) == [words(why)]
    assert refused.room.lobby is None
    table = practises(own()).room
    refuses(tap(table, "start", ANNA, **busy), table, why)
    assert unchanged(tap(over(), "rematch", ANNA, **busy), over())


def test_there_are_never_fewer_computers_than_can_play_nor_more() -> None:
    table = practises(own()).room
    shown = buttons(practises(own()), "computers")
    assert (1, 5) in shown
    assert (1, 3) not in shown, "no button for fewer"
    assert unchanged(tap(table, "computers", ANNA, 0), table)
    most = tap(table, "computers", ANNA, 99).room
    assert len(opened(most).players) == 10
    assert all(player.computer for player in opened(most).players[1:])


def test_the_computers_names_are_the_themes() -> None:
    weimar = opened(practises(own()).room).players[1:]
    cold_war = opened(tap(practises(own()).room, "setup", ANNA, 2, 2).room).players[1:]
    assert {player.name for player in weimar}.isdisjoint(player.name for player in cold_war)


# --- a game -------------------------------------------------------------------------------------------------


def test_it_is_dealt_at_once_and_the_card_comes_first() -> None:
    after = tap(practises(own(), newcomer=False).room, "start", ANNA)
    match = playing(after.room)
    assert (match.practice, match.people) == (Practice(advice=False), {0: ANNA.id})
    assert match.proof.unproven_reason is not None, "there is nobody to whom the deal had to be proven"
    assert (after.room.lobby, after.room.sealed) == (None, None)
    assert toast(after) == plain("toast.started")
    first = next(e for e in after.effects if isinstance(e, Post) and e.to in (GROUP, ToSeat(Seat(0))))
    assert first.protect
    assert "Your role is dealt" in first.text
    assert toast(press(after.room, "start", ANNA, 1)) == plain("toast.lobby-closed")


def test_again_begins_the_same_game_at_once_and_only_once() -> None:
    after = tap(over(), "rematch", ANNA)
    match = playing(after.room)
    assert (match.number, len(match.players), match.game.setup.ruleset) == (2, 5, "classic@1")
    assert toast(after) == plain("toast.started")
    assert not match.over
    refuses(press(after.room, "rematch", ANNA, 1), after.room, "toast.already-open")
    assert unchanged(press(over(), "rematch", ANNA, 7), over())


def test_nothing_begins_again_before_it_is_over() -> None:
    before = practising()
    assert unchanged(tap(before, "rematch", ANNA), before)


def test_advice_ends_with_a_finished_game() -> None:
    assert playing(tap(over(advice=True), "rematch", ANNA).room).practice == Practice(advice=False)
    off = replace(over(advice=True), match=replace(playing(practising(advice=True)), cancelled=True))
    assert opened(practises(off, newcomer=False).room).practice == Practice(advice=True)


def test_practice_within_practice_may_go_on_or_end() -> None:
    before = practising()
    asked = practises(before)
    assert asked.room == before
    assert posts(asked) == [words("practice.running")]
    assert set(buttons(asked, "practice")) == {(GO_ON, 1), (END, 1)}


def test_a_tap_goes_on_with_the_question_as_the_newest_message() -> None:
    before = practising()
    on = press(before, "practice", ANNA, GO_ON, 1)
    assert playing(on.room).game == playing(before).game
    assert edits(on) == {"practice": words("practice.goes-on")}
    assert ClearButtons(ToSeat(Seat(0)), "seat0") in on.effects, "the earlier one has no buttons any more"
    assert len(buttons(on, "answer")) == 4


def test_a_tap_ends_it_and_nothing_of_it_is_kept() -> None:
    before = practising()
    end = press(before, "practice", ANNA, END, 1)
    assert end.room == replace(before, match=None, acts=((before.chat, NOW),))
    assert ClearButtons(Private(ANNA.id), "seat0") in end.effects
    assert edits(end) == {"practice": words("practice.ended")}
    assert end.erase is None
    assert toast(press(end.room, "answer", ANNA, 1, 1, 0)) == plain("toast.not-your-game")


@pytest.mark.parametrize("what", [GO_ON, END])
def test_a_button_of_an_earlier_game_ends_nothing(what: int) -> None:
    for before, number in ((practising(), 7), (practising(number=2), 1), (over(), 1), (own(), 1)):
        refuses(press(before, "practice", ANNA, what, number), before, "illegal.over")


# --- commands and buttons of a group ------------------------------------------------------------------------


def test_status_asks_once_more_and_leave_asks_whether_to_end_it() -> None:
    status = says(practising(), ANNA, "/status")
    assert len(buttons(status, "answer")) == 4
    assert ClearButtons(ToSeat(Seat(0)), "seat0") in status.effects
    for command in ("/leave", "/cancel"):
        leave = says(practising(), ANNA, command)
        assert leave.room == practising(), "it is not left by a word alone"
        assert set(buttons(leave, "practice")) == {(GO_ON, 1), (END, 1)}


@pytest.mark.parametrize("command", ["/board", "/history", "/votes", "/players"])
def test_what_is_asked_of_a_game_is_answered_in_the_one_chat(command: str) -> None:
    after = says(practising(), ANNA, command)
    assert len(reads(after)) == 1
    assert all(effect.to in (GROUP, ToSeat(Seat(0))) for effect in after.effects)
    assert playing(after.room).game == playing(practising()).game


@pytest.mark.parametrize(
    "command", ["/newgame", "/join", "/start", "/settings", "/sub", "/remind", "/forget"]
)
def test_a_groups_commands_mean_nothing_there(command: str) -> None:
    for before in (own(), practises(own()).room, practising(), over()):
        assert says(before, ANNA, command, is_admin=True) == Outcome(before)


@pytest.mark.parametrize(
    "verb", ["join", "leave", "remove", "host", "cancel", "clock", "quit", "sit", "replace", "set"]
)
def test_a_groups_buttons_mean_nothing_there(verb: Verb) -> None:
    for before in (practises(own()).room, practising(), over()):
        assert press(before, verb, ANNA, 1, 1, 0, is_admin=True) == Outcome(before)


# --- how long it stays --------------------------------------------------------------------------------------


def test_nobody_is_hurried_and_a_week_later_nothing_is_left() -> None:
    before = practising(clock="fast")
    waited = wakes(before, OWN_ROOM_LIFETIME - 1)
    assert waited == Outcome(before), "no clock answers for who practises, nor reminds them"
    for left in (before, over(), press(practising(), "practice", ANNA, END, 1).room):
        kept = wakes(left, OWN_ROOM_LIFETIME - 1)
        assert (kept.room.chat, kept.effects, kept.erase) == (ChatId(ANNA.id), (), None)
        gone = wakes(left, OWN_ROOM_LIFETIME)
        erased = Outcome(own(), erase=Erase(everything=True, people=(ANNA.id,)))
        assert gone == erased, "and nobody is disturbed"


def test_a_table_that_nobody_began_is_closed_after_an_hour() -> None:
    table = practises(own()).room
    assert wakes(table, 3599) == Outcome(table)
    after = wakes(table, 3600)
    assert after.room.lobby is None
    assert edits(after) == {"lobby": words("practice.ended")}


def test_who_asks_to_be_forgotten_leaves_nothing_there() -> None:
    for before in (practises(own()).room, practising(), over()):
        erased = Outcome(own(), erase=Erase(everything=True, people=(ANNA.id,)))
        assert hears(before, PersonForgotten(ANNA)) == erased
