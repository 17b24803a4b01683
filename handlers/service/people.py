"""What both a group's edge and a private chat's need of a person."""

from collections.abc import Callable
from dataclasses import replace

from bot.conversation.incoming import Person, Said
from bot.conversation.person import own_language
from infra.store.people import Users

#: Tells a room, by its key, what concerns it.
Tell = Callable[[Said, str], object]
#: So many rooms of one person are looked into: those where they took a seat last.
ROOMS_PER_PERSON = 10


def in_own_language(users: Users, person: Person) -> Person:
    """The person, speaking the language that they chose. Raises StoreUnavailable."""
    return replace(person, language=own_language(users.load(person.id).language, person))
