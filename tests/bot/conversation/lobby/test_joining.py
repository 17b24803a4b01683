"""Taking a seat and giving it up; waiting for the next game."""

import pytest

from bot.conversation.incoming import DeepLink
from bot.conversation.lobby.joining import MOST_WAITING
from bot.conversation.outcome import Lookup
from bot.rooms.model import Player
from bot.rooms.names import RoomName, UserId, read_lobby
from tests.bot.conversation.acts import hears, leaves, needs, says, tap
from tests.bot.conversation.people import CHAT, person, player, robot
from tests.bot.conversation.replies import buttons, edits, keys, posts, refuses, toast, writes
from tests.bot.conversation.rooms import changed_lobby, game, lobby, names, opened, playing, room
from tests.bot.conversation.texts import plain, words

WHERE = RoomName(CHAT)


def test_one_tap_takes_a_seat_and_the_lobby_shows_it() -> None:
    after = tap(lobby(4), "join", person(7))
    assert names(after.room) == ["Ada", "Ben", "Cleo", "Dirk", "Hans"]
    assert "Hans" in edits(after)["lobby"]
    assert toast(after) == plain("toast.joined")
    assert after.remember == 107


def test_who_joins_by_command_sits_as_well() -> None:
    after = says(lobby(4), person(7), "/join")
    assert names(after.room)[-1] == "Hans"
    assert after.remember == 107
    assert (posts(after), list(edits(after))) == ([], ["lobby"]), "the lobby says it"


def test_a_player_speaks_the_language_that_they_chose() -> None:
    assert opened(tap(lobby(4), "join", person(7), language="pl").room).players[-1].language == "pl"
    needs(Lookup.LANGUAGE, tap, lobby(4), "join", person(7))


@pytest.mark.parametrize("need", [Lookup.IS_MEMBER, Lookup.MAY_WRITE])
def test_before_sitting_it_is_asked_who_they_are(need: Lookup) -> None:
    needs(need, tap, lobby(4), "join", person(7))
    needs(need, says, lobby(4), person(7), "/join")


def test_an_unwritable_person_is_led_to_that_lobby() -> None:
    after = tap(lobby(4), "join", person(7), may_write=False)
    assert after.room == lobby(4)
    assert after.toast is not None
    assert after.toast.url is not None
    assert read_lobby(after.toast.url.partition("?start=")[2], b"key") == (WHERE, 1)


def test_the_command_shows_the_same_link_under_a_button() -> None:
    after = says(lobby(4), person(7), "/join", may_write=False)
    (button,) = keys(after)
    assert button.url is not None
    assert read_lobby(button.url.partition("?start=")[2], b"key") == (WHERE, 1)
    assert "Hans" in posts(after)[0]


def test_the_link_seats_and_welcomes_in_private() -> None:
    after = hears(lobby(4), DeepLink(person(7), WHERE, 1))
    assert names(after.room)[-1] == "Hans"
    assert "Everything secret will come to you here" in writes(after, person(7))[0]
    assert "Hans" in edits(after)["lobby"]


def test_the_link_of_an_earlier_lobby_seats_nobody() -> None:
    for before in (lobby(4, number=2), room()):
        after = hears(before, DeepLink(person(7), WHERE, 1))
        assert after.room == before
        assert writes(after, person(7)) == [words("toast.lobby-closed")]


def test_the_link_seats_nobody_who_is_not_in_the_group() -> None:
    after = hears(lobby(4), DeepLink(person(7), WHERE, 1), is_member=False)
    assert len(names(after.room)) == 4
    assert writes(after, person(7)) == [words("toast.not-member")]


@pytest.mark.parametrize(
    ("seats", "who", "member", "why"),
    [(4, 2, True, "toast.already-in"), (10, 11, True, "toast.full"), (4, 9, False, "toast.not-member")],
)
def test_why_somebody_gets_no_seat(seats: int, who: int, member: bool, why: str) -> None:
    before = lobby(seats)
    refuses(tap(before, "join", person(who), is_member=member), before, why)
    by_command = says(before, person(who), "/join", is_member=member)
    assert posts(by_command) == [words(why)]
    assert by_command.room.lobby == before.lobby


def test_a_late_joiner_is_told_so_before_any_request() -> None:
    assert toast(tap(lobby(10), "join", person(11), unknown=Lookup.IS_MEMBER)) == plain("toast.full")
    assert toast(tap(lobby(4), "join", person(1), unknown=Lookup.IS_MEMBER)) == plain("toast.already-in")


@pytest.mark.parametrize("command", ["/join", "/start"])
def test_without_a_lobby_there_is_nothing_to_join_or_start(command: str) -> None:
    assert posts(says(room(), person(0), command)) == [words("lobby.none")]


# --- leaving ------------------------------------------------------------------------------------------------


def test_a_seat_is_given_up_by_tap_or_by_command() -> None:
    for after in (tap(lobby(3), "leave", person(1)), says(lobby(3), person(1), "/leave")):
        assert names(after.room) == ["Ada", "Cleo"]
        assert "Ben" not in edits(after)["lobby"]


def test_a_host_who_leaves_hands_over_to_who_joined_first() -> None:
    assert opened(tap(lobby(3), "leave", person(0)).room).host == 101


def test_a_robot_is_never_handed_the_lobby() -> None:
    with_robot = changed_lobby(lobby(), players=(player(0), robot(), player(2)))
    assert opened(tap(with_robot, "leave", person(0)).room).host == 102


def test_the_last_one_who_leaves_stays_the_host() -> None:
    after = tap(lobby(1), "leave", person(0))
    assert opened(after.room).host == 100
    assert names(after.room) == []


def test_another_players_leaving_does_not_touch_the_host() -> None:
    assert opened(tap(lobby(3), "leave", person(2)).room).host == 100


def test_who_has_no_seat_cannot_give_one_up() -> None:
    assert toast(tap(lobby(3), "leave", person(9))) == plain("toast.not-in")
    assert posts(says(lobby(3), person(9), "/leave")) == [words("toast.not-in")]
    assert posts(says(room(), person(9), "/leave")) == [words("toast.not-in")]


def test_leaving_a_running_game_opens_the_seat() -> None:
    assert playing(leaves(game(), person(3)).room).away == (3,)


# --- waiting for the next one -------------------------------------------------------------------------------


def test_who_wants_to_hear_of_the_next_game_is_noted_and_told_so() -> None:
    after = says(room(), person(4), "/nextgame")
    assert after.room.next_game == (player(4),)
    assert "I will tell you" in writes(after, person(4))[0]
    assert after.remember == 104


def test_who_asks_twice_waits_once() -> None:
    after = says(room(next_game=(player(4), player(5))), person(4), "/nextgame")
    assert after.room.next_game == (player(5), player(4))


def test_where_too_many_wait_the_first_is_dropped() -> None:
    crowd = tuple(Player(UserId(1000 + n), "?", "en") for n in range(MOST_WAITING))
    after = says(room(next_game=crowd), person(4), "/nextgame")
    assert after.room.next_game == (*crowd[1:], player(4))


def test_who_could_join_now_is_told_of_the_lobby_instead() -> None:
    after = says(lobby(3), person(9), "/nextgame")
    assert posts(after) == [words("lobby.open")]
    assert after.room.next_game == ()
    assert buttons(after, "join") == [(1,)]
    assert names(tap(after.room, "join", person(9)).room)[-1] == person(9).name


def test_who_sits_in_the_lobby_may_wait_for_the_one_after_it() -> None:
    assert says(lobby(3), person(1), "/nextgame").room.next_game == (player(1),)


def test_whom_the_bot_cannot_write_to_is_shown_how_to_be_told() -> None:
    after = says(room(), person(4), "/nextgame", may_write=False)
    assert after.room.next_game == ()
    assert keys(after)[0].url == "https://t.me/TheBot?start=hello"
    assert "seats you" not in posts(after)[0], "there is no seat to be had yet"
    needs(Lookup.MAY_WRITE, says, room(), person(4), "/nextgame")
