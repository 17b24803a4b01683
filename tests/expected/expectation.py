"""Expectations for one ruleset: literal data from its rules, never derived from the code."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import Setup
from engine.table import Table

#: From a setup, the table just before it and a fact to the seats that may know it whole (None: everybody).
AudienceOf = Callable[[Setup, Table, Any], tuple[int, ...] | None]


@dataclass(frozen=True)
class Expected:
    """One ruleset, as its rules have it."""

    id: str
    #: The fewest and the most players.
    players: tuple[int, int]
    #: By option its values, the default first.
    options: Mapping[str, tuple[str, ...]]
    #: With how many players Hitler knows the Fascists, and the Communists each other.
    hitler_knows: frozenset[int]
    communists_know: frozenset[int] = frozenset()
    #: The ids of its own facts that everybody may know, and of those among them that show what was hidden.
    public: tuple[str, ...] = ()
    revealing: tuple[str, ...] = ()
    #: Who may know its other facts.
    audiences: Mapping[str, AudienceOf] = field(default_factory=dict)
    #: With how many players a room in the middle of a game is stored for later versions.
    stored: int = 7

    @property
    def name(self) -> str:
        """The ruleset's name."""
        return self.id.partition("@")[0]
