"""Calling off a lobby or a game: a second question, and who may do it."""

import pytest

from bot.conversation.outcome import GROUP, ClearButtons, Lookup, Toast
from tests.bot.conversation.acts import choose, leaves, needs, press, says, tap
from tests.bot.conversation.people import SEED, person
from tests.bot.conversation.replies import buttons, edits, keys, posts, refuses, tells, toast, unchanged
from tests.bot.conversation.rooms import changed, finished, game, lobby, playing, room
from tests.bot.conversation.texts import plain, words


def test_the_command_asks_and_calls_nothing_off() -> None:
    after = says(game(), person(0), "/cancel")
    assert after.room.playing is not None
    assert posts(after) == [words("cancel.ask")]
    question = playing(after.room).game.asked
    assert sorted(buttons(after, "cancel")) == [(1, question, 0), (1, question, 1)]


def test_the_same_question_about_a_lobby() -> None:
    after = says(lobby(3), person(0), "/cancel")
    assert after.room.lobby is not None
    assert posts(after) == [words("cancel.ask.lobby")]
    assert sorted(buttons(after, "cancel")) == [(1, 0, 0), (1, 0, 1)]


def test_a_called_off_game_shows_roles_and_opens_the_seal() -> None:
    after = tap(game(5), "cancel", person(0), 1)
    assert after.room.playing is None
    assert playing(after.room).cancelled
    told = "\n".join(posts(after))
    assert words("game.cancelled") in told
    assert SEED in told
    assert all(name in told for name in ("Ada", "Ben", "Cleo", "Dirk", "Edda"))
    assert ClearButtons(GROUP, "cancel") in after.effects


def test_called_off_players_hear_their_own_role() -> None:
    after = tap(game(roles="lllfh"), "cancel", person(0), 1)
    told = [tells(after, seat) for seat in range(5)]
    assert [len(each) for each in told] == [1] * 5
    roles = ["Liberal", "Liberal", "Liberal", "Fascist", "Hitler"]
    for (text,), role in zip(told, roles, strict=True):
        assert words("ending.cancelled", role="x").partition("x")[0] in text
        assert role in text
        assert "You won" not in text


def test_before_it_is_called_off_nobody_reads_the_seed() -> None:
    assert SEED not in "\n".join(posts(says(game(5), person(0), "/cancel")))


def test_a_lobby_that_is_called_off_is_closed() -> None:
    after = tap(lobby(3), "cancel", person(0), 1)
    assert after.room.lobby is None
    assert edits(after) == {"lobby": words("lobby.cancelled"), "cancel": words("lobby.cancelled")}


def test_on_second_thoughts_nothing_is_called_off() -> None:
    for before in (game(), lobby(3)):
        after = tap(before, "cancel", person(0), 0)
        assert after.room == before
        assert edits(after) == {"cancel": words("cancel.kept")}
        assert keys(after) == []


@pytest.mark.parametrize("answer", [-1, 2, 7])
def test_a_forged_answer_is_no_yes(answer: int) -> None:
    for before in (game(), lobby(3)):
        assert tap(before, "cancel", person(0), answer).room == before


def test_once_the_game_went_on_the_answer_is_no_longer_meant() -> None:
    before = game()
    asked = playing(before).game.asked
    gone_on = choose(before, 1).room
    after = press(gone_on, "cancel", person(0), 1, asked, 1)
    assert unchanged(after, gone_on)
    assert after.toast == Toast(plain("cancel.stale"), alert=True)


def test_an_answer_to_an_earlier_lobby_is_ignored() -> None:
    assert toast(press(lobby(3, number=2), "cancel", person(0), 1, 0, 1)) == plain("cancel.stale")
    assert toast(press(room(), "cancel", person(0), 1, 0, 1)) == plain("cancel.stale")


def test_a_question_of_the_lobby_calls_off_no_game() -> None:
    before = game()
    refuses(press(before, "cancel", person(0), 1, 0, 1), before, "cancel.stale")


def test_a_question_of_an_old_game_closes_no_lobby() -> None:
    before = says(tap(game(), "cancel", person(0), 1).room, person(0), "/newgame").room
    late = press(before, "cancel", person(0), 1, playing(game()).game.asked, 1)
    refuses(late, before, "cancel.stale")


def test_where_there_is_nothing_the_command_says_so() -> None:
    for nothing in (room(), finished()):
        assert posts(says(nothing, person(0), "/cancel")) == [words("lobby.none")]


def test_a_game_is_called_off_by_an_admin_or_a_host_who_plays() -> None:
    for player in (person(1), person(9)):
        assert posts(says(game(), player, "/cancel")) == [words("cancel.only")]
        assert tap(game(), "cancel", player, 1).room.playing is not None
    assert says(game(), person(9), "/cancel", is_admin=True).effects
    assert tap(game(), "cancel", person(9), 1, is_admin=True).room.playing is None


def test_a_host_without_a_seat_calls_no_game_off() -> None:
    got_up = leaves(game(), person(0)).room
    for before in (got_up, tap(got_up, "sit", person(8), 0).room, changed(game(), host=109)):
        host = person(playing(before).host - 100)  # type: ignore[operator]
        assert toast(tap(before, "cancel", host, 1)) == plain("cancel.only")
        assert posts(says(before, host, "/cancel")) == [words("cancel.only")]


def test_a_lobby_is_called_off_by_its_host_or_an_admin() -> None:
    assert posts(says(lobby(3), person(1), "/cancel")) == [words("only-host")]
    assert toast(tap(lobby(3), "cancel", person(1), 1)) == plain("only-host")
    assert tap(lobby(3), "cancel", person(9), 1, is_admin=True).room.lobby is None


def test_the_right_is_asked_at_the_command_and_again_at_the_tap() -> None:
    for before in (game(), lobby(3)):
        needs(Lookup.IS_ADMIN, says, before, person(1), "/cancel")
        needs(Lookup.IS_ADMIN, tap, before, "cancel", person(1), 1)
