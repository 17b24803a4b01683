"""What both a group's edge and a private chat's need of a person."""

from collections.abc import Callable
from dataclasses import replace

from bot.conversation.incoming import Person, Said
from bot.conversation.person import own_language
from bot.records.profile import Profile, is_counted
from infra.store.people import UserItem, Users

#: Tells a room, by its key, what concerns it.
Tell = Callable[[Said, str], object]
#: So many rooms of one person are looked into: those where they took a seat last.
ROOMS_PER_PERSON = 10


def profile_of(kept: UserItem) -> Profile:
    """Return what the conversation may know of a person's item."""
    return Profile(kept.language, kept.counts, is_counted(kept.options))


def in_own_language(users: Users, person: Person) -> Person:
    """The person, speaking the language that they chose. Raises StoreUnavailable."""
    return replace(person, language=own_language(users.load(person.id).language, person))
