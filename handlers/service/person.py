"""A person, as the store and Telegram know them: their profile, their language, the groups they are in."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bot.conversation.incoming import Incoming, Person
from bot.conversation.person import own_language
from bot.records.profile import CONFIRM, Profile, games_advised, is_counted
from infra.store.people import UserItem, Users
from infra.telegram.errors import WireError
from infra.telegram.gateway import Gateway

_GONE = ("left", "kicked")
#: Tells a room, by its key, what concerns it. Returns the webhook's reply.
Tell = Callable[[Incoming, str], dict[str, Any] | None]
#: How the key of a wake-up begins that is for somebody who watches a finished game: their id follows.
WATCHING = "film#"
#: So many rooms of one person are looked into: those where they took a seat last.
ROOMS_PER_PERSON = 10


def profile_of(kept: UserItem) -> Profile:
    """Return the part of a person's item that the conversation may know."""
    advised = games_advised(kept.counts, kept.options)
    confirms = bool(kept.options.get(CONFIRM))
    return Profile(kept.language, kept.counts, is_counted(kept.options), advised=advised, confirms=confirms)


def in_own_language(users: Users, person: Person) -> Person:
    """The person, speaking the language that they chose. Raises StoreUnavailable."""
    return replace(person, language=own_language(users.load(person.id).language, person))


async def member_of(gateway: Gateway, chat: int, user: int) -> Mapping[str, Any]:
    """Return Telegram's ``ChatMember`` of a user in a chat, empty if it says nothing."""
    try:
        found = await gateway.call("getChatMember", {"chat_id": chat, "user_id": user})
    except WireError:
        return {}
    return found if isinstance(found, Mapping) else {}


def inside(member: Mapping[str, Any]) -> bool:
    """Return whether a ``ChatMember`` is in the chat."""
    return bool(member) and member["status"] not in _GONE and bool(member.get("is_member", True))
