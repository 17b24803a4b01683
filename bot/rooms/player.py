"""Somebody at a table."""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

#: Before a computer's name, wherever one is named. No person's name has it.
COMPUTER: Final = "🤖"


#: 0, which is not stored: no advice.
Advised = Annotated[int, Field(exclude_if=operator.not_)]
#: False, which is not stored: only fatal answers take a second tap.
Confirms = Annotated[bool, Field(exclude_if=operator.not_)]


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table, as known when they joined. The seat is their place in the list."""

    #: Telegram's id; None: no person, who is sent nothing and presses nothing.
    id: int | None
    name: str
    language: str
    #: Whether a computer plays here: one of its own, which has no id, or one in the place of whoever got up.
    computer: bool = False
    #: In how many more games, this one included, the player's prompts come with advice.
    advised: Advised = 0
    #: Whether nominating, discarding and enacting take a second tap, as executing does.
    confirms: Confirms = False

    @property
    def shown(self) -> str:
        """Return the name that others read. A computer is never taken for a person."""
        return f"{COMPUTER} {self.name}" if self.computer else self.name


def people_of(players: Sequence[Player]) -> Mapping[int, int]:
    """Return the people among these, by place. Computers are left out."""
    return {place: player.id for place, player in enumerate(players) if player.id is not None}
