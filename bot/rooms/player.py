"""A player of a game."""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

#: Prefix of every computer's name. No person's name has it.
COMPUTER: Final = "🤖"


#: 0, which is not stored: no advice.
Advised = Annotated[int, Field(exclude_if=operator.not_)]
#: False, which is not stored: only fatal answers take a second tap.
Confirms = Annotated[bool, Field(exclude_if=operator.not_)]


@dataclass(frozen=True, slots=True)
class Player:
    """A player, as known when they joined. The seat is their place in the list."""

    #: Telegram's id; None for a computer.
    id: int | None
    name: str
    language: str
    #: True if a computer plays here: as its own player (without an id), or for a person who left.
    computer: bool = False
    #: In how many more games, including this one, the player's prompts come with advice.
    advised: Advised = 0
    #: True if nominating, discarding and enacting take a second tap, as executing does.
    confirms: Confirms = False

    @property
    def shown(self) -> str:
        """Return the name that others read. A computer's name shows that it is one."""
        return f"{COMPUTER} {self.name}" if self.computer else self.name


def people_of(players: Sequence[Player]) -> Mapping[int, int]:
    """Return the people among these players by seat, without computers."""
    return {place: player.id for place, player in enumerate(players) if player.id is not None}
