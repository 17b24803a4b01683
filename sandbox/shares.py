"""Shares of games won, and differences between two shares over the same deals, with 95 % intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

#: The quantile for 95 % of a normal distribution.
Z = 1.96


@dataclass(frozen=True, slots=True)
class Share:
    """A share with the ends of its 95 % interval, each from 0 to 1."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} % ({100 * self.low:.1f}–{100 * self.high:.1f})"


def share(wins: int, games: int) -> Share:
    """Return a share with Wilson's interval, which also holds near 0 and 1."""
    value = wins / games
    middle = (value + Z * Z / (2 * games)) / (1 + Z * Z / games)
    half = Z * sqrt(value * (1 - value) / games + Z * Z / (4 * games * games)) / (1 + Z * Z / games)
    return Share(value, max(0.0, middle - half), min(1.0, middle + half))


class Difference(Share):
    """How much more often one cell won than another in the same deals, from -1 to 1, with its interval."""

    def __str__(self) -> str:
        return f"{100 * self.value:+.1f} ({100 * self.low:+.1f} … {100 * self.high:+.1f})"


def difference(one: Sequence[bool], other: Sequence[bool]) -> Difference:
    """Return ``one`` minus ``other``, with a 95 % interval by the deals in which they differ (McNemar).

    >>> str(difference([True, True, False, True], [True, False, False, False]))
    '+50.0 (+1.0 … +99.0)'
    """
    games = min(len(one), len(other))
    pairs = list(zip(one[:games], other[:games], strict=True))
    gained = sum(a and not b for a, b in pairs)
    lost = sum(b and not a for a, b in pairs)
    value = (gained - lost) / games
    half = Z * sqrt(max(0.0, gained + lost - (gained - lost) ** 2 / games)) / games
    return Difference(value, value - half, value + half)
