"""Admins who write anonymously: a command that depends on who gives it is given again by a tap."""

import pytest

from bot.conversation.routing import ANONYMOUS
from tests.bot.conversation.acts import press, says, tap
from tests.bot.conversation.people import person
from tests.bot.conversation.replies import buttons, edits, posts, refuses, toast, unchanged
from tests.bot.conversation.rooms import game, lobby, names, opened, playing, room
from tests.bot.conversation.texts import plain, words

NEWGAME, JOIN, LEAVE, START, CANCEL, NEXTGAME, SUB = range(7)


@pytest.mark.parametrize("command", ANONYMOUS)
def test_an_anonymous_command_is_answered_by_a_button(command: str) -> None:
    after = says(lobby(3), person(0), command, anonymous=True)
    assert after.room.lobby == lobby(3).lobby
    assert posts(after) == [words("anonymous")]
    assert buttons(after, "again") == [(ANONYMOUS.index(command), 1)]


def test_what_anybody_may_ask_is_answered_at_once() -> None:
    assert posts(says(lobby(3), person(0), "/status", anonymous=True)) == [words("lobby.open")]


def test_the_tap_opens_the_tappers_lobby() -> None:
    after = tap(room(), "again", person(4), NEWGAME, 0)
    assert opened(after.room).host == 104
    assert edits(after)["again"] == words("anonymous.done")


def test_in_a_lobby_the_tap_is_the_lobbys_own() -> None:
    joined = tap(lobby(3), "again", person(4), JOIN, 1)
    assert names(joined.room)[-1] == "Edda"
    assert toast(joined) == plain("toast.joined")
    assert names(tap(joined.room, "again", person(4), LEAVE, 1).room) == names(lobby(3))
    assert tap(lobby(5), "again", person(0), START, 1).room.match is not None


def test_where_nothing_came_of_it_the_button_stays() -> None:
    full = tap(lobby(10), "again", person(11), JOIN, 1)
    assert unchanged(full, lobby(10))
    assert toast(full) == plain("toast.full")


def test_a_button_is_worth_nothing_once_another_lobby_was_opened() -> None:
    for index, games in ((JOIN, 0), (99, 1), (-1, 1)):
        after = tap(lobby(3), "again", person(4), index, games)
        assert unchanged(after, lobby(3))
        assert toast(after) == plain("illegal.closed")


@pytest.mark.parametrize("command", [LEAVE, SUB])
def test_a_player_is_asked_after_the_tap_as_well(command: int) -> None:
    asked = tap(game(), "again", person(2), command, 1)
    assert playing(asked.room).away == ()
    assert buttons(asked, "quit") == [(1, 2, 1), (1, 2, 0)]


def test_calling_off_by_tap_asks_first() -> None:
    assert words("cancel.ask.lobby") in posts(tap(lobby(3), "again", person(0), CANCEL, 1))
    for before, why in ((lobby(3), "only-host"), (game(), "cancel.only")):
        refuses(tap(before, "again", person(1), CANCEL, 1), before, why)
    assert posts(press(room(), "again", person(1), CANCEL, 0)) == [words("lobby.none")]
