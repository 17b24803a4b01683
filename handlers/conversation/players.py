"""People as players: with the name and the language that they have at the table."""

from handlers.conversation.incoming import Person
from handlers.conversation.outcome import Known, Need, found
from handlers.rooms.player import Player


def player_of(person: Person, known: Known) -> Player:
    """A person as a player, speaking the language that they chose."""
    return Player(person.id, person.name, found(known.language, Need.LANGUAGE))
