"""Measure a storm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from statistics import quantiles

from .simulation import Simulation

#: The goals (``QUALITY``, the row *Storm*).
LEAST_SENT, MOST_REFUSED, MOST_WAKEUPS, LONGEST = 25.0, 1 / 20, 15.0, 1.5
#: A second has a backlog if this many messages waited at its beginning and its end: two seconds' worth.
BACKLOG = 60
#: With fewer messages waiting it is not a storm, and the longest wait comes from a group's own limit.
LEAST_WAITING = 500
#: Seconds over which wake-ups are averaged. Seconds that a flush may take, which are not a wait.
WINDOW, AT_ONCE = 10, 3.0


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one storm."""

    rooms: int
    seconds: int
    limited: bool
    #: Calls that Telegram accepted, and refused.
    sent: int
    refused: int
    #: Messages sent a second during a backlog; None: there was none.
    rate: float | None
    #: The most wake-ups a second, over any ten seconds.
    wakeups: float
    #: The most messages waiting at once.
    waiting: int
    #: Seconds that a message waited: the median, one in a hundred, the worst.
    usual: float
    late: float
    longest: float
    #: Seconds from the end of play until nothing waited in the judged rooms; None: messages still waited
    #: somewhere at the end.
    drained: int | None
    #: True if some groups were in slow mode, and some private chats full. Waits there do not count.
    chats: bool = False
    #: How many chats refused a message because of their own limit.
    full: int = 0

    @property
    def bound(self) -> float:
        """Return the seconds that the longest wait may take."""
        return max(AT_ONCE, LONGEST * self.waiting / (self.rate or 30.0))

    @property
    def judged(self) -> bool:
        """Return True if enough messages waited to call it a storm."""
        return self.waiting >= LEAST_WAITING

    @property
    def reached(self) -> bool:
        """Return True if every figure reaches its goal."""
        return (
            (self.rate is None or self.rate >= LEAST_SENT)
            and self.refused <= self.sent * MOST_REFUSED
            and self.wakeups <= MOST_WAKEUPS
            and self.longest <= self.bound
            and self.drained is not None
        )


def measured(rooms: int, seconds: int, *, limited: bool, chats: bool = False, seed: int = 1) -> Figures:
    """Let these rooms play for some virtual seconds, then rest for as long, and return the figures."""
    simulation = Simulation(rooms, seed, limited=limited, chats=chats)
    try:
        simulation.storm(seconds)
    finally:
        simulation.close()
    seen, telegram = simulation.seen, simulation.telegram
    sent, woken = _by_second(telegram.sent, simulation.began), _by_second(seen.wakeups, simulation.began)
    busy = [sent[second] for second, (a, b) in enumerate(pairwise(seen.backlog)) if min(a, b) >= BACKLOG]
    # Messages that still wait have waited at least until now.
    waits = sorted([*seen.waits, *(simulation.clock() - since for since in seen.written.values())])
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
        None if seen.waiting or seen.held else max(0, last + 1 - seconds),
        chats,
        len(telegram.limited),
    )


def _by_second(moments: Iterable[float], began: float) -> Counter[int]:
    return Counter(int(moment - began) for moment in moments)
