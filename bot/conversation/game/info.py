"""Commands that anyone may give at any time: status, board, players, help; and one's own role."""

from bot.conversation.game.announce import (
    NAMED,
    replay,
    role_card,
    telling_group,
    telling_seat,
)
from bot.conversation.game.memory import learned
from bot.conversation.game.seats import unseat_row
from bot.conversation.incoming import Command, Tap
from bot.conversation.outcome import Context, Outcome, Post, Toast
from bot.conversation.players import without_seat
from bot.conversation.posting import group_link, to_group, words_of
from bot.display.board import board_text, marked_text, players_text
from bot.display.board_picture import picture_of
from bot.display.buttons import Button
from bot.display.help import group_help
from bot.display.history import history_texts
from bot.display.role_card import role_popup
from bot.display.votes import votes_texts
from bot.display.words import Html, Words, closest, shown_length
from bot.rooms.model import Room


def board(room: Room, said: Command, context: Context) -> Outcome:
    """Show the board."""
    if room.match is None:
        return Outcome(room, (to_group(words_of(room).html("lobby.none")),))
    telling = telling_group(room, room.match)
    text = board_text(telling)
    marked = marked_text(telling, NAMED - shown_length(text))
    shown = Html("\n".join(part for part in (text, marked) if part))
    return Outcome(room, (to_group(shown, picture=picture_of(room, room.match)),))


def history(room: Room, said: Command, context: Context) -> Outcome:
    """Show governments, ballots, claims, and contradictions between claims.

    After the game's end this is the replay with the truth.
    """
    match = room.match
    if match is None:
        return Outcome(room, (to_group(words_of(room).html("lobby.none")),))
    if match.won:
        return Outcome(room, tuple(to_group(text) for text in replay(room, match)))
    texts = history_texts(telling_group(room, match), match.claims, match.suspicions)
    return Outcome(room, tuple(to_group(text) for text in texts))


def votes(room: Room, said: Command, context: Context) -> Outcome:
    """Show who voted what in every round, as a grid."""
    if room.match is None:
        return Outcome(room, (to_group(words_of(room).html("lobby.none")),))
    return Outcome(room, tuple(to_group(text) for text in votes_texts(telling_group(room, room.match))))


def players(room: Room, said: Command, context: Context) -> Outcome:
    """Show the seats in order."""
    if room.match is None:
        return Outcome(room, (to_group(words_of(room).html("lobby.none")),))
    rows = () if room.playing is None else (unseat_row(room, room.playing),)
    return Outcome(room, (to_group(players_text(telling_group(room, room.match)), rows),))


def help_in_group(room: Room, said: Command, context: Context) -> Outcome:
    """Say what the bot is, and list its commands."""
    return Outcome(room, (to_group(group_help(words_of(room))),))


def only_in_private(room: Room, said: Command, context: Context) -> Outcome:
    """Lead to the private chat, the one place where /role and /games are answered."""
    words = words_of(room)
    button = Button(words.plain("button.open-private"), url=context.deep_link())
    return Outcome(room, (to_group(words.html("private.only", command=said.name), ((button,),)),))


def role_tap(room: Room, said: Tap, context: Context) -> Outcome:
    """Show the tapper their role in a pop-up that nobody else sees."""
    match = room.match
    seat = None if match is None or match.number != said.args[0] else match.seat_played_by(said.person.id)
    if match is None or seat is None:
        words = Words(closest(said.person.language))
        return Outcome(room, toast=Toast(without_seat(room, said, words), alert=True))
    return Outcome(room, toast=Toast(role_popup(telling_seat(room, match, seat)), alert=True))


def role_in(room: Room, person: int) -> tuple[Post, ...]:
    """Return a person's role card in this room's running game, with what they learned since.

    Nothing where they have no seat.
    """
    match = room.playing
    seat = None if match is None else match.seat_played_by(person)
    if match is None or seat is None:
        return ()
    return (role_card(room, match, seat), *learned(room, match, seat))


def game_in(room: Room, said: Command) -> Html | None:
    """Return a line about the game or lobby in this room that a person is in, or None."""
    words = Words(closest(said.person.language))
    sealed = room.sealed is not None and room.sealed.seats(said.person.id)
    if sealed or (room.playing is not None and room.playing.seat_played_by(said.person.id) is not None):
        return words.html("games.playing", group=group_link(room))
    if room.lobby is not None and room.lobby.seats(said.person.id):
        return words.html("games.lobby", group=group_link(room))
    return None
