"""Expectations for one ruleset: literal data from its rules, never derived from the code."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import Setup
from engine.table import Table

#: Returns the seats that may know a fact whole (None: everybody), from a setup, the table before it and the
#: fact.
AudienceOf = Callable[[Setup, Table, Any], tuple[int, ...] | None]


@dataclass(frozen=True)
class Expected:
    """One ruleset, as its rules have it."""

    id: str
    #: The fewest and the most players.
    players: tuple[int, int]
    #: The values of each option, the default first.
    options: Mapping[str, tuple[str, ...]]
    #: The numbers of players with which Hitler knows the Fascists, and the Communists each other.
    hitler_knows: frozenset[int]
    communists_know: frozenset[int] = frozenset()
    #: The ids of its own facts that everybody may know, and of those among them that show something hidden.
    public: tuple[str, ...] = ()
    revealing: tuple[str, ...] = ()
    #: The audiences of its other facts.
    audiences: Mapping[str, AudienceOf] = field(default_factory=dict)
    #: The number of players of the room in mid-game that is stored for later versions.
    stored: int = 7

    @property
    def name(self) -> str:
        return self.id.partition("@")[0]
