"""Measure one run of a storm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from statistics import quantiles

from .simulation import Simulation

#: The goals (``QUALITY``, the row *Storm*).
LEAST_SENT, MOST_REFUSED, MOST_WAKEUPS, LONGEST = 25.0, 1 / 20, 15.0, 1.5
#: A second has a backlog if this many messages (two seconds' worth) waited at its beginning and its end.
BACKLOG = 60
#: If fewer messages wait, a run is not judged, because the longest wait comes from a group's own limit.
LEAST_WAITING = 500
#: Seconds over which wake-ups are averaged, and seconds that a flush may take without counting as a wait.
WINDOW, AT_ONCE = 10, 3.0


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one run."""

    rooms: int
    seconds: int
    limited: bool
    #: Calls that Telegram accepted, and refused.
    sent: int
    refused: int
    #: Messages sent per second during a backlog; None: there was no backlog.
    rate: float | None
    #: The largest number of wake-ups per second, averaged over ten seconds.
    wakeups: float
    #: The largest number of messages waiting at once.
    waiting: int
    #: Seconds that a message waited: the median, the 99th percentile, the longest.
    usual: float
    late: float
    longest: float
    #: Seconds from the end of play until no message waited in rooms without limited chats; None: messages
    #: still waited somewhere at the end of the run.
    drained: int | None
    #: True if some groups were in slow mode and some private chats were full. Waits there do not count.
    chats: bool = False
    #: The number of chats that refused a message because they were slow or full.
    full: int = 0

    @property
    def bound(self) -> float:
        """Return the goal for the longest wait in seconds."""
        return max(AT_ONCE, LONGEST * self.waiting / (self.rate or 30.0))

    @property
    def judged(self) -> bool:
        """Return True if enough messages waited to judge the run."""
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


def measure(rooms: int, seconds: int, *, limited: bool, chats: bool = False, seed: int = 1) -> Figures:
    """Let rooms play for some virtual seconds, and rest for the same time; return the figures."""
    simulation = Simulation(rooms, seed, limited=limited, chats=chats)
    try:
        simulation.storm(seconds)
    finally:
        simulation.close()
    counters, telegram = simulation.counters, simulation.telegram
    sent, woken = _by_second(telegram.sent, simulation.began), _by_second(counters.wakeups, simulation.began)
    busy = [sent[second] for second, (a, b) in enumerate(pairwise(counters.backlog)) if min(a, b) >= BACKLOG]
    # Messages that still wait have waited at least until now.
    waits = sorted([*counters.waits, *(simulation.clock() - since for since in counters.written.values())])
    cuts = quantiles(waits, n=100) if len(waits) > 1 else [0.0] * 99
    last = max((second for second, count in enumerate(counters.backlog) if count), default=0)
    return Figures(
        rooms,
        seconds,
        limited,
        len(telegram.sent),
        len(telegram.refused),
        sum(busy) / len(busy) if busy else None,
        max(sum(woken[at + more] for more in range(WINDOW)) / WINDOW for at in range(2 * seconds)),
        counters.most,
        cuts[49],
        cuts[98],
        waits[-1] if waits else 0.0,
        None if counters.waiting or counters.held else max(0, last + 1 - seconds),
        chats,
        len(telegram.limited),
    )


def _by_second(moments: Iterable[float], began: float) -> Counter[int]:
    return Counter(int(moment - began) for moment in moments)
