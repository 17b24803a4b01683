"""The mark under which a room remembers that what is kept of it beside it is to be erased, and how."""

from dataclasses import asdict
from typing import Any

from bot.conversation.outcome import Erase

#: The mark's name among what a room remembers.
ERASURE = "erasing"


def erasure(erase: Erase | None) -> dict[str, Any]:
    """What is saved with the room whose records are to be erased."""
    return {} if erase is None else {ERASURE: asdict(erase)}
