"""Check a room when nothing is running: nothing waits to be sent, and its chats show the last state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from infra.store.items import Lease
from sandbox.telegram.limits import GROUP_MINUTE

Item = Mapping[str, Any]
#: The fingerprint of each message, by chat and message id.
Shown = Mapping[tuple[int, int], Any]


def leftovers(item: Item, now: float = 0.0) -> Iterator[str]:
    """Yield a complaint for each outbox entry in a room's item, and for a lease that lasts beyond ``now``."""
    for identifier in item["outbox"]["M"]:
        yield f"stuck in the outbox: {identifier}"
    lease = item.get("lease")
    if lease is not None and Lease.unpack(lease["S"]).until > now:
        yield "a lease is held by nobody"


def shows_last_content(item: Item, name: str, chat: int, fingerprint: object, shown: Shown) -> bool:
    """Return True if the message that the room remembers by this name has this fingerprint, or none."""
    number = item["remembered"]["M"].get(name, {}).get("N")
    return number is None or shown.get((chat, int(number)), fingerprint) == fingerprint


def flood_complaints(worst: int) -> Iterator[str]:
    """Yield a complaint if ``worst``, the messages in a group's busiest minute, exceeds Telegram's limit."""
    if worst > GROUP_MINUTE:
        yield f"{worst} messages in one minute of the group"
