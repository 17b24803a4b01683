"""Who is in a group, as Telegram says. What it does not say counts as no: nobody is obeyed on a guess."""

from collections.abc import Mapping
from typing import Any

from infra.telegram.errors import WireError
from infra.telegram.gateway import Gateway

_GONE = ("left", "kicked")


async def member_of(gateway: Gateway, chat: int, user: int) -> Mapping[str, Any]:
    """Telegram's ``ChatMember`` of a user in a chat; empty where it says nothing."""
    try:
        found = await gateway.call("getChatMember", {"chat_id": chat, "user_id": user})
    except WireError:
        return {}
    return found if isinstance(found, Mapping) else {}


def inside(member: Mapping[str, Any]) -> bool:
    """Whether a ``ChatMember`` is in the chat."""
    return bool(member) and member["status"] not in _GONE and bool(member.get("is_member", True))
