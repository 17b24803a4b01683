"""What Telegram refuses for good, said to a room: who is named, what is told in words, what is given up."""

from collections.abc import Mapping
from typing import Any

from bot.conversation.lobby.freezing import SEAL
from bot.conversation.outcome import Outcome, Post
from bot.conversation.recipients import Private
from bot.conversation.refused import refused
from infra.outbox.flush import Refusal
from infra.store.entries import OutboxEntry
from infra.telegram.errors import Kind
from tests.bot.conversation.rooms import (
    BEACON,
    CHAT,
    choose,
    elected,
    game,
    lobby,
    person,
    playing,
    posts,
    room,
    tap,
)


def refusal(
    kind: Kind, chat: int = CHAT, name: str | None = None, photo: Mapping[str, Any] | None = None
) -> Refusal:
    return Refusal("000000001.000", OutboxEntry(chat, "sendMessage", name=name, photo=photo), kind)


def in_a_picture() -> Any:
    """A game whose latest post in the group is a picture."""
    shown = choose(choose(elected(game(), 1), "f").room, "l").room
    assert playing(shown).pictured
    return shown


def test_whom_the_game_publicly_waits_for_is_named_and_noted() -> None:
    after = refused(game(), [refusal(Kind.BLOCKED, 100)])
    assert playing(after.room).unreached == (0,)
    assert len(posts(after)) == 1


def test_a_seal_that_nobody_gets_to_see_opens_the_lobby_again() -> None:
    sealed = tap(lobby(5), "start", person(0), beacon=BEACON).room
    assert sealed.sealed is not None
    after = refused(sealed, [refusal(Kind.TOPIC_GONE, name=SEAL)]).room
    assert after.sealed is None
    assert after.lobby is not None
    assert after.lobby.given_up == (sealed.sealed.proof.seed,)


def test_out_of_the_group_the_players_hear_so_and_the_group_is_sent_nothing() -> None:
    after = refused(game(), [refusal(Kind.NOT_IN_CHAT), refusal(Kind.BLOCKED, 100)])
    assert after.room.out
    told = [effect.to for effect in after.effects if isinstance(effect, Post)]
    assert told == [Private(100 + seat) for seat in range(5)]


def test_that_a_private_chat_is_gone_does_not_take_the_bot_out_of_the_group() -> None:
    assert not refused(game(), [refusal(Kind.NOT_IN_CHAT, 103)]).room.out


def test_where_pictures_are_not_allowed_no_more_are_drawn() -> None:
    after = refused(in_a_picture(), [refusal(Kind.NO_RIGHTS, name="game", photo={"events": 1})]).room
    assert not after.pictures
    assert not playing(after).pictured


def test_one_bad_picture_is_told_in_words_and_the_next_is_drawn_again() -> None:
    after = refused(in_a_picture(), [refusal(Kind.BAD_FILE, name="game", photo={"events": 1})]).room
    assert after.pictures
    assert not playing(after).pictured


def test_another_picture_than_the_games_own_changes_nothing_of_the_game() -> None:
    shown = in_a_picture()
    assert refused(shown, [refusal(Kind.BAD_FILE, photo={"events": 1})]) == Outcome(shown)


def test_no_picture_is_told_in_words_where_the_bot_is_out() -> None:
    out = [refusal(Kind.NOT_IN_CHAT), refusal(Kind.NO_RIGHTS, name="game", photo={"events": 1})]
    assert refused(in_a_picture(), out).room.pictures


def test_what_was_refused_where_nothing_is_played_changes_nothing() -> None:
    assert refused(room(), [refusal(Kind.MALFORMED)]) == Outcome(room())
