"""Shares of games won, with intervals; and differences between cells of the same deals."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from sandbox.balance.rows import Share, Z, share

__all__ = ["Difference", "Share", "difference", "share"]


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more often one cell won than another in the same deals, from -1 to 1, with its interval."""

    value: float
    low: float
    high: float
    games: int

    def __str__(self) -> str:
        return f"{100 * self.value:+.1f} ({100 * self.low:+.1f} … {100 * self.high:+.1f})"


def difference(one: Sequence[bool], other: Sequence[bool]) -> Difference:
    """``one`` less ``other``, deal by deal; 95 % by the deals in which they differ (McNemar's).

    >>> str(difference([True, True, False, True], [True, False, False, False]))
    '+50.0 (+1.0 … +99.0)'
    """
    games = min(len(one), len(other))
    pairs = list(zip(one[:games], other[:games], strict=True))
    gained = sum(a and not b for a, b in pairs)
    lost = sum(b and not a for a, b in pairs)
    value = (gained - lost) / games
    half = Z * sqrt(max(0.0, gained + lost - (gained - lost) ** 2 / games)) / games
    return Difference(value, value - half, value + half, games)
