"""A person's profile, language and membership, from the store and from Telegram."""

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
#: Passes an incoming value to the room of a key. Returns the webhook's reply.
Tell = Callable[[Incoming, str], dict[str, Any] | None]
#: Prefix of wake-up keys for people who watch a finished game. The user id follows.
WATCHING = "film#"
#: How many of a person's rooms to look into: those where they sat down last.
ROOMS_PER_PERSON = 10


def profile_of(user_item: UserItem) -> Profile:
    """Return the part of a person's item that the conversation may know."""
    advised = games_advised(user_item.counts, user_item.options)
    confirms = bool(user_item.options.get(CONFIRM))
    return Profile(
        user_item.language,
        user_item.counts,
        is_counted(user_item.options),
        advised=advised,
        confirms=confirms,
    )


def in_own_language(users: Users, person: Person) -> Person:
    """Return the person with the language that they chose. Raises StoreUnavailable."""
    return replace(person, language=own_language(users.load(person.id).language, person))


async def member_of(gateway: Gateway, chat: int, user: int) -> Mapping[str, Any]:
    """Return Telegram's ``ChatMember`` of a user in a chat, empty if it says nothing."""
    try:
        found = await gateway.call("getChatMember", {"chat_id": chat, "user_id": user})
    except WireError:
        return {}
    return found if isinstance(found, Mapping) else {}


def inside(member: Mapping[str, Any]) -> bool:
    """Return True if a ``ChatMember`` is in the chat."""
    return bool(member) and member["status"] not in _GONE and bool(member.get("is_member", True))
