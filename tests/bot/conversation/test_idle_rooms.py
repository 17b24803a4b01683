"""A room untouched for a year: its people are forgotten, and the group's settings stay."""

import re
from dataclasses import replace

import pytest

from bot.conversation.incoming import ForgetIdleRoom
from bot.conversation.outcome import Erase, Outcome
from bot.conversation.waking import LONG
from bot.rooms.model import Room
from bot.rooms.names import ChatId, RoomName, UserId
from tests.bot.conversation.acts import hears, sealed
from tests.bot.conversation.alone import own, practising
from tests.bot.conversation.people import CHAT, NOW, SEED, person, player
from tests.bot.conversation.replies import buttons, posts, told
from tests.bot.conversation.rooms import finished, game, lobby, room
from tests.bot.conversation.texts import words


def forget_if_idle(room: Room, after: int = LONG) -> Outcome:
    """Look at the room this many seconds after NOW."""
    return hears(room, ForgetIdleRoom(RoomName(room.chat, room.topic)), now=NOW + after)


TOUCHED = [
    pytest.param(lobby(5), id="lobby"), pytest.param(sealed(), id="sealed"),
    pytest.param(game(), id="game"), pytest.param(finished(), id="finished"),
    pytest.param(room(acts=((1, NOW),)), id="command"), pytest.param(practising(), id="practice"),
]  # fmt: skip


@pytest.mark.parametrize("before", TOUCHED)
def test_a_second_before_a_year_has_passed_nothing_changes(before: Room) -> None:
    assert forget_if_idle(before, LONG - 1) == Outcome(before)


@pytest.mark.parametrize("before", TOUCHED)
def test_after_a_year_nobody_is_noted_there_any_more(before: Room) -> None:
    after = forget_if_idle(before, LONG + 60)  # a sealed game waits some seconds for its beacon
    assert after.room != before
    assert after.room.user_ids == frozenset()
    assert (after.room.title, after.room.acts) == ("", ())
    assert forget_if_idle(after.room, 9 * LONG) == Outcome(after.room), "there is nothing more to forget"


@pytest.mark.parametrize("last", [((1, NOW - 2 * LONG), (2, NOW + 1)), ((1, NOW - 2 * LONG), (0, NOW + 1))])
def test_the_latest_command_counts_also_one_too_many(last: tuple[tuple[int, int], ...]) -> None:
    before = finished(acts=last)
    assert forget_if_idle(before) == Outcome(before)
    assert forget_if_idle(before, LONG + 1).room.match is None


def test_a_recent_question_touches_a_game() -> None:
    for before in (game(opened_at=NOW - 9), game(time_began_at=NOW - 9)):
        assert forget_if_idle(before, LONG - 1) == Outcome(before)


def test_settings_boards_and_the_number_of_games_stay() -> None:
    before = finished(theme="cold-war", language="de", clock="fast", origin=-77, next_game=(player(9),))
    after = forget_if_idle(replace(before, topic=5, lobby_count=12)).room
    assert after == Room(CHAT, 5, settings=before.settings, lobby_count=12, origin=ChatId(-77))


def test_everybody_noted_is_erased_and_games_stay() -> None:
    before = game(host=112, former={110: 2}, next_game=(player(9),))
    people = tuple(map(UserId, (100, 101, 102, 103, 104, 109, 110, 112)))
    assert forget_if_idle(before).erase == Erase(everything=False, people=people)


def test_an_abandoned_game_is_called_off_and_opened() -> None:
    after = forget_if_idle(game(roles="lllfh"))
    said = "\n".join(posts(after))
    assert words("game.cancelled") in said
    assert words("reveal.roles") in said
    for seat, role in enumerate(("Liberal", "Liberal", "Liberal", "Fascist", "Hitler")):
        assert re.search(rf"{person(seat).name}\W.*: {role}", said)
    assert SEED in said
    assert buttons(after, "proof") == [], "nothing is kept that it could lead to"
    assert told(after) == set(), "nobody is written to after a year"


def test_where_nothing_is_left_lying_nothing_is_said() -> None:
    for before in (lobby(5), finished(), game(cancelled=True), room(acts=((1, NOW),))):
        assert forget_if_idle(before).effects == ()


def test_an_expelled_bot_forgets_in_silence() -> None:
    after = forget_if_idle(game(bot_removed=True))
    assert after.effects == ()
    assert not after.room.bot_removed
    assert after.room.match is None
    assert after.erase is not None


def test_a_room_of_which_nothing_is_known_has_nothing_to_forget() -> None:
    for before in (room(), room(theme="cold-war", lobby_count=3), own()):
        assert forget_if_idle(before, 9 * LONG) == Outcome(before)


def test_of_a_persons_own_room_nothing_stays() -> None:
    erase = Erase(everything=True, people=(UserId(100),))
    assert forget_if_idle(practising(theme="cold-war")) == Outcome(own(), erase=erase)
