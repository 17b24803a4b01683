"""People as players, with the name and the language that they have at the table; and those who are none."""

from handlers.conversation.incoming import Person, Tap
from handlers.conversation.outcome import Known, Need, found
from handlers.display.words import Words
from handlers.rooms.model import Room
from handlers.rooms.player import Player


def player_of(person: Person, known: Known) -> Player:
    """A person as a player, speaking the language that they chose."""
    return Player(person.id, person.name, found(known.language, Need.LANGUAGE))


def without_seat(room: Room, said: Tap, words: Words) -> str:
    """What somebody is told who has no seat in the game whose button they tap (its first number).

    Who looks on in the game's own group hears how to get into the next one.
    """
    match = room.playing
    watching = match is not None and match.number == said.args[0] and match.seat_of(said.person.id) is None
    return words.plain("toast.watching" if watching and said.group == room.chat else "toast.not-your-game")
