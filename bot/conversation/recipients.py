"""A message's recipient. Its chat is looked up only when the message goes into the outbox.

A message to a seat reaches its player at that time. A computer has no chat and gets nothing.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Group:
    """The room's own chat, and its topic."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The private chat of the person who has this seat in the room's game, if there is one."""

    number: int


@dataclass(frozen=True, slots=True)
class Private:
    """The private chat of a person, with a seat or without one."""

    #: Their Telegram id.
    person: int


To = Group | Seat | Private

GROUP: Final = Group()
