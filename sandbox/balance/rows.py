"""One row of the page: a setup, a way of playing, and who won how many games."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import sqrt

#: For 95 % of a normal distribution.
Z = 1.96


class Style(StrEnum):
    """How the seats play: the levels of ``ai.choose``."""

    SEASONED = "seasoned"
    NOVICE = "novice"


@dataclass(frozen=True, slots=True)
class Row:
    """Who won how often. ``winners`` by the parties that won together: ``"liberal+communist"``."""

    ruleset: str
    players: int
    #: The set of options by its name (see ``sandbox.setups``), and the options themselves.
    named: str
    options: Mapping[str, str]
    style: Style
    winners: Mapping[str, int] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What tells this row from all others."""
        return f"{self.ruleset}/{self.players}/{self.named}/{self.style}"

    @property
    def games(self) -> int:
        """How many games were counted."""
        return sum(self.winners.values())

    def counted(self, winners: Mapping[str, int]) -> "Row":
        """The same row with these games."""
        return replace(self, winners=dict(winners))

    def wins(self, party: str) -> int:
        """How many games a party won, alone or with another one."""
        return sum(count for won, count in self.winners.items() if party in won.split("+"))

    def share(self, party: str) -> "Share":
        """A party's share of the games, with its interval."""
        return share(self.wins(party), self.games)

    def line(self) -> str:
        """The row for somebody who watches."""
        parties = sorted({party for won in self.winners for party in won.split("+")})
        return f"{self.key}: " + ", ".join(f"{party} {self.share(party)}" for party in parties)


@dataclass(frozen=True, slots=True)
class Share:
    """A share with the ends of its 95 % interval, each from 0 to 1."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} % ({100 * self.low:.1f}–{100 * self.high:.1f})"


def share(wins: int, games: int) -> Share:
    """So many of so many, with Wilson's interval, which holds near 0 and 1 too."""
    value = wins / games
    middle = (value + Z * Z / (2 * games)) / (1 + Z * Z / games)
    half = Z * sqrt(value * (1 - value) / games + Z * Z / (4 * games * games)) / (1 + Z * Z / games)
    return Share(value, max(0.0, middle - half), min(1.0, middle + half))
