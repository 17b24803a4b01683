"""A message's recipient. Its chat is found where it goes into the outbox, and only there.

A seat is told what concerns it, whoever has it then. A computer has no chat, and is sent nothing.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Group:
    """The room's own chat, and its topic."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The private chat of whoever has this seat in the room's game, if it is a person."""

    number: int


@dataclass(frozen=True, slots=True)
class Private:
    """The private chat of a person, with a seat or without one."""

    #: Telegram's id of them.
    person: int


To = Group | Seat | Private

GROUP: Final = Group()
