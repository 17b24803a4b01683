"""Final refusals of Telegram in a room: people named, texts instead of pictures, things dropped."""

from typing import Any

from bot.conversation.lobby.sealing import SEAL
from bot.conversation.outcome import Outcome, Post, Private
from bot.conversation.refused import Reason, Refusal, handle_refusals
from bot.rooms.names import ChatId, UserId
from tests.bot.conversation.acts import choose, elected, tap
from tests.bot.conversation.people import BEACON, CHAT, person
from tests.bot.conversation.replies import posts
from tests.bot.conversation.rooms import game, lobby, playing, room


def refusal(reason: Reason, chat: int = CHAT, name: str | None = None, *, picture: bool = False) -> Refusal:
    return Refusal(ChatId(chat), reason, name, picture)


def in_a_picture() -> Any:
    """Return a game whose latest post in the group is a picture."""
    shown = choose(choose(elected(game(), 1), "f").room, "l").room
    assert playing(shown).pictured
    return shown


def test_whom_the_game_publicly_waits_for_is_named_and_noted() -> None:
    after = handle_refusals(game(), [refusal(Reason.OTHER, 100)])
    assert playing(after.room).unreached == (0,)
    assert len(posts(after)) == 1


def test_a_seal_that_nobody_gets_to_see_opens_the_lobby_again() -> None:
    sealed = tap(lobby(5), "start", person(0), beacon=BEACON).room
    assert sealed.sealed is not None
    after = handle_refusals(sealed, [refusal(Reason.OTHER, name=SEAL)]).room
    assert after.sealed is None
    assert after.lobby is not None
    assert after.lobby.given_up == (sealed.sealed.proof.seed,)


def test_an_expelled_bot_tells_the_players_only() -> None:
    after = handle_refusals(game(), [refusal(Reason.NOT_IN_CHAT), refusal(Reason.OTHER, 100)])
    assert after.room.bot_removed
    told = [effect.to for effect in after.effects if isinstance(effect, Post)]
    assert told == [Private(UserId(100 + seat)) for seat in range(5)]


def test_a_lost_private_chat_leaves_the_bot_in_the_group() -> None:
    assert not handle_refusals(game(), [refusal(Reason.NOT_IN_CHAT, 103)]).room.bot_removed


def test_where_pictures_are_not_allowed_no_more_are_drawn() -> None:
    after = handle_refusals(in_a_picture(), [refusal(Reason.NO_RIGHTS, name="game", picture=True)]).room
    assert not after.pictures
    assert not playing(after).pictured


def test_one_bad_picture_is_told_in_words() -> None:
    after = handle_refusals(in_a_picture(), [refusal(Reason.OTHER, name="game", picture=True)]).room
    assert after.pictures
    assert not playing(after).pictured


def test_a_strange_picture_changes_nothing_of_the_game() -> None:
    shown = in_a_picture()
    assert handle_refusals(shown, [refusal(Reason.OTHER, picture=True)]) == Outcome(shown)


def test_no_picture_is_told_in_words_where_the_bot_is_out() -> None:
    out = [refusal(Reason.NOT_IN_CHAT), refusal(Reason.NO_RIGHTS, name="game", picture=True)]
    assert handle_refusals(in_a_picture(), out).room.pictures


def test_a_refusal_without_a_game_changes_nothing() -> None:
    assert handle_refusals(room(), [refusal(Reason.OTHER)]) == Outcome(room())
