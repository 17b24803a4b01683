"""People as players, with their name and language at the table; and people without a seat."""

from bot.conversation.incoming import Person, Tap
from bot.conversation.outcome import Context, Need, found
from bot.display.words import Words
from bot.rooms.model import Room
from bot.rooms.player import Player


def player_of(person: Person, context: Context) -> Player:
    """Return a person as a player, with the language that they chose."""
    language = found(context.language, Need.LANGUAGE)
    return Player(person.id, person.name, language, advised=context.advised, confirms=context.confirms)


def without_seat(room: Room, said: Tap, words: Words) -> str:
    """Return the toast for a tap on a game's button (its first number) by somebody without a seat.

    A member of the game's group reads how to join the next one. A player who left, and has a computer
    in their place, reads how to get back.
    """
    match = room.playing
    if match is None or match.number != said.args[0]:
        return words.plain("toast.not-your-game")
    seat = match.seat_of(said.person.id)
    if seat is not None and match.players[seat].computer:
        return words.plain("toast.stood-in")
    watching = seat is None and said.group == room.chat
    return words.plain("toast.watching" if watching else "toast.not-your-game")
