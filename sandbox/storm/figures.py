"""A storm's result in figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from statistics import quantiles

from .city import City

#: The goals (``QUALITY``, the row *Storm*).
LEAST_SENT, MOST_REFUSED, MOST_WAKEUPS, LONGEST = 25.0, 1 / 20, 15.0, 1.5
#: A second has a backlog if this many messages waited at its beginning and its end: two seconds' worth.
BACKLOG = 60
#: With fewer messages waiting there is no storm, and the longest wait comes from a group's own limit.
LEAST_WAITING = 500
#: Seconds over which wake-ups are averaged, and the longest delay that is not a wait: a flush takes that
#: long.
WINDOW, AT_ONCE = 10, 3.0


@dataclass(frozen=True, slots=True)
class Figures:
    """One storm."""

    rooms: int
    seconds: int
    limited: bool
    #: Calls that Telegram accepted, and refused.
    sent: int
    refused: int
    #: Messages sent a second while there was a backlog; None: there was none.
    rate: float | None
    #: The most a second, over any ten seconds.
    wakeups: float
    #: The most messages that waited at once.
    waiting: int
    #: Seconds that a message waited: the median, one in a hundred, the worst.
    usual: float
    late: float
    longest: float
    #: Seconds from the end of play until nothing waited; None: something still did.
    drained: int | None

    @property
    def bound(self) -> float:
        """Seconds that the longest wait may take."""
        return max(AT_ONCE, LONGEST * self.waiting / (self.rate or 30.0))

    @property
    def judged(self) -> bool:
        """Return whether it was a storm at all."""
        return self.waiting >= LEAST_WAITING

    @property
    def reached(self) -> bool:
        """Return whether every figure is."""
        return (
            (self.rate is None or self.rate >= LEAST_SENT)
            and self.refused <= self.sent * MOST_REFUSED
            and self.wakeups <= MOST_WAKEUPS
            and self.longest <= self.bound
            and self.drained is not None
        )


def measured(rooms: int, seconds: int, *, limited: bool, seed: int = 1) -> Figures:
    """Let this many rooms play for some virtual seconds, and then rest for as long."""
    city = City(rooms, seed, limited=limited)
    try:
        city.storm(seconds)
    finally:
        city.close()
    seen, telegram = city.seen, city.telegram
    sent, woken = _by_second(telegram.sent, city.began), _by_second(seen.wakeups, city.began)
    busy = [sent[second] for second, (a, b) in enumerate(pairwise(seen.backlog)) if min(a, b) >= BACKLOG]
    # Messages that still wait have waited at least until now.
    waits = sorted([*seen.waits, *(city.clock() - since for since in seen.written.values())])
    cuts = quantiles(waits, n=100) if len(waits) > 1 else [0.0] * 99
    last = max((second for second, count in enumerate(seen.backlog) if count), default=0)
    return Figures(
        rooms,
        seconds,
        limited,
        len(telegram.sent),
        len(telegram.refused),
        sum(busy) / len(busy) if busy else None,
        max(sum(woken[at + more] for more in range(WINDOW)) / WINDOW for at in range(2 * seconds)),
        seen.most,
        cuts[49],
        cuts[98],
        waits[-1] if waits else 0.0,
        None if seen.waiting else max(0, last + 1 - seconds),
    )


def _by_second(moments: Iterable[float], began: float) -> Counter[int]:
    return Counter(int(moment - began) for moment in moments)
