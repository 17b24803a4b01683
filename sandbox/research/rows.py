"""A row of the page: a setup, a style of playing, and how often each party won."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from sandbox.shares import Share, share


class Style(StrEnum):
    """How the seats play: at a level of ``ai.choose``, or at random."""

    SEASONED = "seasoned"
    NOVICE = "novice"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Row:
    """Games of one setup and style. ``winners``: games by winning parties (``"liberal+communist"``)."""

    ruleset: str
    players: int
    #: The set of options by its name (see ``sandbox.setups``), and the options themselves.
    named: str
    options: Mapping[str, str]
    style: Style
    winners: Mapping[str, int] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Return a key that identifies the row."""
        return f"{self.ruleset}/{self.players}/{self.named}/{self.style}"

    @property
    def games(self) -> int:
        """Return the number of counted games."""
        return sum(self.winners.values())

    def with_winners(self, winners: Mapping[str, int]) -> "Row":
        """Return the same row with these counts."""
        return replace(self, winners=dict(winners))

    def wins(self, party: str) -> int:
        """Return how many games a party won, alone or with another one."""
        return sum(count for won, count in self.winners.items() if party in won.split("+"))

    def share(self, party: str) -> Share:
        """Return a party's share of the games, with its interval."""
        return share(self.wins(party), self.games)
