"""Promises of a room at rest: nothing is left, and its chats show the last of everything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from infra.store.items import Lease
from sandbox.telegram.limits import GROUP_MINUTE

Item = Mapping[str, Any]
#: The sign of each message shown, by chat and message.
Shown = Mapping[tuple[int, int], Any]


def left(item: Item, now: float = 0.0) -> Iterator[str]:
    """Yield what is left in a room's item: entries of its outbox, a lease that lasts beyond ``now``."""
    for identifier in item["outbox"]["M"]:
        yield f"stuck in the outbox: {identifier}"
    lease = item.get("lease")
    if lease is not None and Lease.unpack(lease["S"]).until > now:
        yield "a lease is held by nobody"


def shows(item: Item, name: str, chat: int, sign: object, shown: Shown) -> bool:
    """Return whether a chat's message of this name, as far as the room knows it.

    Shows what was owed of it last.
    """
    number = item["messages"]["M"].get(name, {}).get("N")
    return number is None or shown.get((chat, int(number)), sign) == sign


def flooded(worst: int) -> Iterator[str]:
    """Yield whether a group was ever written to more often than Telegram allows; ``worst``.

    Its fullest minute.
    """
    if worst > GROUP_MINUTE:
        yield f"{worst} messages in one minute of the group"
