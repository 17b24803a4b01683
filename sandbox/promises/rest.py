"""Promises of a room at rest: nothing waits any more, and its chats show the last state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from infra.store.items import Lease
from sandbox.telegram.limits import GROUP_MINUTE

Item = Mapping[str, Any]
#: The fingerprint of each message, by chat and message id.
Shown = Mapping[tuple[int, int], Any]


def left(item: Item, now: float = 0.0) -> Iterator[str]:
    """Yield what is left in a room's item: entries of its outbox, a lease that lasts beyond ``now``."""
    for identifier in item["outbox"]["M"]:
        yield f"stuck in the outbox: {identifier}"
    lease = item.get("lease")
    if lease is not None and Lease.unpack(lease["S"]).until > now:
        yield "a lease is held by nobody"


def shows(item: Item, name: str, chat: int, fingerprint: object, shown: Shown) -> bool:
    """Return True if the message that the room knows by this name shows the last content written for it."""
    number = item["remembered"]["M"].get(name, {}).get("N")
    return number is None or shown.get((chat, int(number)), fingerprint) == fingerprint


def flooded(worst: int) -> Iterator[str]:
    """Yield a fault if ``worst``, the messages in a group's fullest minute, is more than Telegram allows."""
    if worst > GROUP_MINUTE:
        yield f"{worst} messages in one minute of the group"
