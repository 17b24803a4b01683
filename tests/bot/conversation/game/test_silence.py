"""Silence: whose messages are taken away while a government legislates, and of the dead."""

from typing import Any

import pytest

from bot.conversation.incoming import Chatter
from bot.conversation.outcome import Delete
from bot.rooms.names import MessageId, RoomName
from engine.rulesets.red_dawn.secret_roles import Returned
from tests.bot.conversation.acts import choose, elected, governed, hears, says
from tests.bot.conversation.people import CHAT, person
from tests.bot.conversation.replies import posts
from tests.bot.conversation.rooms import finished, game, lobby
from tests.engine.builders import Play
from tests.engine.rulesets.games import board, red_dawn

KILLS = {"fascist": ("kill", None, None, None, None, None)}


def is_deleted(room: Any, seat: int) -> bool:
    """Return True if what a seat writes in the group is deleted."""
    after = hears(room, Chatter(person(seat), RoomName(CHAT), MessageId(7)))
    assert after.delete in (None, Delete(CHAT, MessageId(7)))
    return after.delete is not None


def test_president_and_chancellor_are_quiet_with_policies() -> None:
    room = elected(game(silence="on"), 1)
    assert [is_deleted(room, seat) for seat in range(5)] == [True, True, False, False, False]
    room = choose(room, "f").room
    assert [is_deleted(room, seat) for seat in range(5)] == [True, True, False, False, False]
    assert not any(is_deleted(choose(room, "l").room, seat) for seat in range(5))


def test_during_nomination_and_ballots_all_talk() -> None:
    room = game(silence="on")
    assert not any(is_deleted(room, seat) for seat in range(5))
    assert not any(is_deleted(choose(room, 1).room, seat) for seat in range(5))


@pytest.mark.parametrize(("ruleset", "silence", "quiet"), [
    ("classic@1", "ruleset", False), ("classic@1", "on", True), ("classic@1", "off", False),
    ("online@1", "ruleset", True), ("online@1", "off", False),
])  # fmt: skip
def test_which_games_are_played_in_silence(ruleset: str, silence: str, quiet: bool) -> None:
    assert is_deleted(elected(game(ruleset=ruleset, silence=silence), 1), 0) is quiet


def test_who_has_no_seat_talks() -> None:
    assert not is_deleted(elected(game(silence="on"), 1), 9)
    assert not is_deleted(lobby(silence="on"), 0)
    assert not is_deleted(finished(silence="on"), 0)


def test_words_behind_a_command_are_taken_away() -> None:
    room = elected(game(silence="on"), 1)
    after = says(room, person(0), "/status I have three fascists")
    assert after.delete == Delete(CHAT, MessageId(77))
    assert posts(after) == []
    bare = says(room, person(0), "/status")
    assert bare.delete is None
    assert posts(bare)
    assert says(room, person(2), "/status hello").delete is None


def test_the_dead_are_quiet_to_the_end() -> None:
    play = Play(5).until_fascist(4)
    victim = play.harmless
    room = choose(game(play=play, silence="on"), victim).room
    assert is_deleted(room, victim)
    assert sum(is_deleted(room, seat) for seat in range(5)) == 1


@pytest.mark.rule("R2.6", "R4.34")
def test_silence_ends_for_a_monarchist_who_returns() -> None:
    options = {"secret-roles": "on"}
    killing = board("red-dawn@1", 6, options, tracks=KILLS)
    roles = "liberal:monarchist liberal liberal fascist hitler communist"
    play = red_dawn(6, "fll fll", roles, first=1, options=options, board=killing).govern("f").target(0)
    assert is_deleted(game(play=play, silence="on"), 0)
    assert not is_deleted(game(play=play, silence="on"), 2)
    play.reject()
    assert is_deleted(game(play=play, silence="on"), 0)
    play.reject()
    assert play.told(Returned)
    assert not is_deleted(game(play=play, silence="on"), 0)


def test_a_government_that_enacted_talks_again() -> None:
    assert not is_deleted(governed(game(silence="on"), 1, "l"), 0)
