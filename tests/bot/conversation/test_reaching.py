"""People who cannot be written to, or can again; a group that moves, or takes no pictures."""

from dataclasses import replace

from bot.conversation.incoming import BlockChanged, Membership
from bot.conversation.lobby.sealing import QUESTION
from bot.conversation.outcome import Edit, Outcome, Post
from bot.conversation.reaching import mark_as_text, on_moved, on_undelivered, without_pictures
from bot.rooms.model import Room
from bot.rooms.names import ChatId, RoomName
from tests.bot.conversation.acts import choose, elected, hears, press, tap, wakes
from tests.bot.conversation.alone import practising
from tests.bot.conversation.people import BEACON, CHAT, NOW, person, player, robot
from tests.bot.conversation.replies import buttons, posts, tells, told
from tests.bot.conversation.rooms import finished, game, lobby, meeting, names, opened, playing, room
from tests.engine.builders import open_question


def blocks(room: Room, who: int) -> Outcome:
    return hears(room, BlockChanged(person(who), may_write=False))


def returns(room: Room, who: int) -> Outcome:
    return hears(room, BlockChanged(person(who), may_write=True))


def test_the_group_votes_on_a_substitute_for_a_blocker() -> None:
    after = blocks(game(), 3)
    assert playing(after.room).unreached == (3,)
    assert buttons(after, "replace") == [(1, 3)]
    assert "Dirk" in posts(after)[0]


def test_who_blocked_the_bot_and_got_up_leaves_an_open_seat() -> None:
    after = blocks(game(away=(3,)), 3)
    assert buttons(after, "sit") == [(1, 3)]
    assert buttons(after, "replace") == []


def test_where_nobody_else_could_vote_the_group_only_hears_of_it() -> None:
    alone = (player(0), *(robot(f"Robot {n}") for n in range(4)))
    after = blocks(game(seated=alone), 0)
    assert "Ada" in posts(after)[0]
    assert buttons(after, "replace") == buttons(after, "sit") == []


def test_who_is_back_is_told_again_what_the_seat_knows_and_owes() -> None:
    after = returns(game(unreached=(0, 3), replacement_votes={0: (1,), 3: (1,)}), 0)
    assert playing(after.room).unreached == (3,)
    assert playing(after.room).replacement_votes == {3: (1,)}
    assert len(tells(after, 0)) == 2
    assert told(after) == {0}


def test_after_a_game_it_is_noted_and_nobody_is_told() -> None:
    after = blocks(finished(), 2)
    assert playing(after.room).unreached == (2,)
    assert after.effects == ()
    assert playing(returns(after.room, 2).room).unreached == ()


def test_who_blocks_the_bot_gives_up_the_seat_in_a_lobby() -> None:
    assert names(blocks(lobby(3), 1).room) == ["Ada", "Cleo"]
    assert opened(blocks(lobby(3), 0).room).host == 101
    assert returns(lobby(3), 1) == Outcome(lobby(3))
    assert blocks(lobby(3), 9) == Outcome(lobby(3))


def test_start_in_practice_repeats_the_question() -> None:
    before = practising()
    assert before.match is not None
    # A post with a picture may have become too long for one, or need none.
    before = replace(before, match=replace(before.match, pictured=True, post_start=len(before.match.log)))
    after = hears(before, BlockChanged(person(0), may_write=True))
    shown = [effect for effect in after.effects if isinstance(effect, Post)][-1]
    assert playing(after.room).pictured == (shown.picture is not None)
    hinted = press(after.room, "advise", person(0), 1, playing(after.room).game.asked)
    edits = [effect for effect in hinted.effects if isinstance(effect, Edit)]
    assert [edit.caption for edit in edits] == [shown.picture is not None], "else the edit finds no caption"


def test_a_lobby_seat_alone_is_lost_by_leaving() -> None:
    both = replace(finished(), lobby=lobby(3).lobby)
    after = blocks(both, 1)
    assert len(opened(after.room).players) == 2
    assert playing(after.room).players == playing(both).players


# --- what Telegram refuses for good -------------------------------------------------------------------------


def test_whom_the_game_publicly_waits_for_in_vain_is_named() -> None:
    after = on_undelivered(game(), [ChatId(100)])
    assert playing(after.room).unreached == (0,)
    assert "Ada" in posts(after)[0]


def test_nobody_learns_of_a_message_to_the_unasked() -> None:
    assert on_undelivered(game(), [ChatId(103)]) == Outcome(game())
    assert on_undelivered(game(), [ChatId(999)]) == Outcome(game())
    asked_in_secret = meeting()
    seat = open_question(playing(asked_in_secret).game).seats[0]
    assert on_undelivered(asked_in_secret, [ChatId(100 + seat)]) == Outcome(asked_in_secret)


def test_where_nothing_is_played_nobody_is_named() -> None:
    for nothing in (room(), lobby(), finished()):
        assert on_undelivered(nothing, [ChatId(100)]) == Outcome(nothing)


# --- the group ----------------------------------------------------------------------------------------------


def test_an_invited_bot_says_where_the_game_stands() -> None:
    after = hears(choose(game(ballots="group"), 1).room, Membership(RoomName(CHAT), inside=True))
    assert len(buttons(after, "answer")) == 2
    assert hears(lobby(), Membership(RoomName(CHAT), inside=True)) == Outcome(lobby())


def test_in_a_supergroup_what_people_tap_is_posted_anew() -> None:
    assert posts(on_moved(game(), ()))
    assert buttons(on_moved(lobby(), ()), "join") == [(1,)]
    assert on_moved(room(), ()) == Outcome(room())


def test_what_will_be_posted_there_anyway_is_not_posted_twice() -> None:
    assert on_moved(game(), ["game"]) == Outcome(game())
    assert on_moved(lobby(), ["lobby"]) == Outcome(lobby())


def test_the_beacon_question_moves_along_with_the_group() -> None:
    sealed = tap(lobby(5), "start", person(0), beacon=BEACON).room
    assert on_moved(sealed, ()) == Outcome(sealed)
    asked = wakes(sealed, 120, beacon=BEACON, seal_fixed_at=NOW, randomness="").room
    assert len(buttons(on_moved(asked, ()), "beacon")) == 2
    assert on_moved(asked, [QUESTION]) == Outcome(asked)


def test_a_group_that_takes_no_pictures_is_told_in_words() -> None:
    pictured = choose(choose(elected(game(), 1), "f").room, "l").room
    assert playing(pictured).pictured
    after = without_pictures(pictured, NOW)
    assert not after.pictures
    assert not playing(after).pictured
    assert mark_as_text(room()) == room()
