"""``python -m sandbox storm``: overload one bot with many games at once, in virtual time.

The real entries run in simulated processes (``sandbox.cloud``) without faults. Telegram accepts thirty posts
and edits a second, and locks the bot out if it keeps calling. Every seat answers after 8 to 50 seconds. A run
without the bot's own pace shows what the pace is good for.
"""

import argparse
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate, pairwise
from multiprocessing import get_context
from os import cpu_count
from statistics import quantiles

from sandbox.faults.ledger import Owed
from sandbox.measurements import table, write
from sandbox.processes import play_in_processes
from sandbox.shared_bot import Group, SharedBot, is_judged, seconds_waited
from sandbox.telegram.calls import Flood, FloodLimits, Refusal, too_many

#: Numbers of rooms to measure, from a number that works without delays to far too many.
ROOMS = (100, 150, 200, 250, 300, 400, 2000)
#: Virtual seconds of play. For the same time afterwards, nobody answers.
SECONDS = 600
#: Virtual seconds and numbers of rooms of the runs without a pace. Longer runs would show nothing new.
SHORT, BEFORE = 120, (400, 2000)
PLAYERS = 7
#: Virtual seconds between two looks at prompts; and from there to the answer.
LOOKING, THINKING = 5.0, (8.0, 45.0)
#: Posts and edits that Telegram accepts per second. As many may come at once.
TAKEN = 30
#: After this many refused calls within a minute, Telegram locks the bot out. Seconds of the first lock-out,
#: and of the longest. Each is twice as long as the one before.
REFUSALS, LOCKED, LONGEST_LOCK = 100, 5.0, 300.0

#: The goals: messages a second, refused calls for each sent one, wake-ups a second, and the longest wait.
LEAST_SENT, MOST_REFUSED, MOST_WAKEUPS, LONGEST = 25.0, 1 / 20, 15.0, 1.5
#: A second has a backlog if this many messages (two seconds' worth) waited at its beginning and its end.
BACKLOG = 60
#: If fewer messages wait, a run is not judged, because the longest wait comes from a group's own limit.
LEAST_WAITING = 500
#: Seconds over which wake-ups are averaged, and seconds that a flush may take without counting as a wait.
WINDOW, AT_ONCE = 10, 3.0
#: A delay counts as unnoticed if at most one message in a hundred waits longer than this (seconds).
UNNOTICED = 5.0
#: Seconds in which the groups' minutes pass after the games are set up.
_CALM = 120.0


class StormFlood(Flood):
    """Telegram's limits for a whole bot: a bucket of messages, and a lock-out if the bot keeps calling."""

    def __init__(self, now: float) -> None:
        super().__init__(FloodLimits(per_chat_second=None, overall_second=None))
        self.sent: list[float] = []
        self.refused: list[float] = []
        self._refusals: deque[float] = deque()
        self._lock = LOCKED
        self._tokens, self._filled = float(TAKEN), now

    def check(self, chat_id: int, now: float, slow_mode: int = 0) -> None:
        """Raise ``Refusal`` 429 if the bot may not post or edit now."""
        in_vain = now < self.flood_until
        try:
            super().check(chat_id, now, slow_mode)
            self._tokens = min(TAKEN, self._tokens + (now - self._filled) * TAKEN)
            self._filled = now
            in_vain = self._tokens < 1
            if in_vain:
                raise too_many(1)
        except Refusal:
            self.refused.append(now)
            if in_vain:
                self._note_refusal(now)
            raise
        self._tokens -= 1

    def count(self, chat_id: int, now: float) -> None:
        """Count a message that was done."""
        super().count(chat_id, now)
        self.sent.append(now)

    def _note_refusal(self, now: float) -> None:
        self._refusals.append(now)
        while self._refusals[0] <= now - 60:
            self._refusals.popleft()
        if len(self._refusals) > REFUSALS:
            self._refusals.clear()
            self.flood_until = max(self.flood_until, now + self._lock)
            self._lock = min(2 * self._lock, LONGEST_LOCK)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one run."""

    rooms: int
    seconds: int
    paced: bool
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
    #: Seconds from the end of play until no message waited; None: some still waited at the end of the run.
    drained: int | None

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

    def row(self) -> list[object]:
        """Return the row of the report."""
        kind = "" if self.paced else " without a pace"
        waits = (f"{seconds:.1f} s" for seconds in (self.usual, self.late, self.longest, self.bound))
        return [
            f"{self.rooms}{kind}, {self.seconds} s",
            f"{self.sent:,}",
            "–" if self.rate is None else f"{self.rate:.1f}",
            f"{self.refused:,}",
            f"{self.waiting:,}",
            *waits,
            f"{self.wakeups:.1f}",
            "never" if self.drained is None else f"{self.drained} s",
            ("yes" if self.reached else "no") if self.judged else "–",
        ]


def measure(rooms: int, seconds: int, *, paced: bool, seed: int = 1) -> Figures:
    """Let rooms play for some virtual seconds, and rest for the same time; return the figures."""
    with closing(SharedBot(seed, paced=paced)) as bot:
        groups = [Group(bot, PLAYERS) for _ in range(rooms)]
        bot.run(_CALM)
        began = bot.clock()
        bot.telegram.flood = flood = StormFlood(began)
        for group in groups:
            group.play(THINKING, LOOKING)
        bot.run(seconds)
        bot.playing = False
        bot.run(seconds)
    now = bot.clock()
    storm = [message for message in bot.messages if message.written >= began]
    sent, woken = (_by_second(moments, began) for moments in (flood.sent, bot.world.wakeups))
    most, backlog = _waiting(storm, began, 2 * seconds)
    busy = [sent[second] for second, (a, b) in enumerate(pairwise(backlog)) if min(a, b) >= BACKLOG]
    waits = sorted(seconds_waited(message, now) for message in storm if is_judged(message))
    cuts = quantiles(waits, n=100) if len(waits) > 1 else [0.0] * 99
    last = max((second for second, count in enumerate(backlog) if count), default=0)
    return Figures(
        rooms,
        seconds,
        paced,
        len(flood.sent),
        len(flood.refused),
        sum(busy) / len(busy) if busy else None,
        max(sum(woken[at + more] for more in range(WINDOW)) / WINDOW for at in range(2 * seconds)),
        most,
        cuts[49],
        cuts[98],
        waits[-1] if waits else 0.0,
        max(0, last + 1 - seconds) if all(message.removed for message in storm) else None,
    )


def _waiting(messages: Iterable[Owed], began: float, seconds: int) -> tuple[int, list[int]]:
    """Return how many messages waited at most, and at the beginning of each second."""
    changes = [(message.written, 1) for message in messages]
    changes += [(message.removed_at, -1) for message in messages if message.removed]
    changes.sort()
    counts = [0, *accumulate(change for _, change in changes)]
    moments = [moment for moment, _ in changes]
    return max(counts), [counts[bisect_right(moments, began + second)] for second in range(seconds)]


def _by_second(moments: Iterable[float], began: float) -> Counter[int]:
    return Counter(int(moment - began) for moment in moments if moment >= began)


def lines(storms: Sequence[Figures]) -> list[str]:
    """Return the figures of all runs for ``docs/measurements.md``."""
    head = "rooms|sent|a second|refused|waiting|usual wait|1 in 100|longest|may be|wake-ups/s|drained|reached"
    fine = [storm.rooms for storm in storms if storm.paced and storm.late <= UNNOTICED]
    carried = f"One bot serves **{max(fine, default=0)} such games at once** without noticeable delays: of "
    carried += f"100 messages, 99 wait less than {UNNOTICED:.0f} s."
    return [*table(head.split("|"), [one.row() for one in storms]), "", carried]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--rooms", type=_numbers, default=ROOMS, help="numbers of rooms to measure, separated by commas"
    )
    parser.add_argument(
        "--before", type=_numbers, default=BEFORE, help="the same, for runs without the bot's own pace"
    )
    parser.add_argument("--dry", action="store_true", help="print the figures, but write no report")


def run(args: argparse.Namespace) -> int:
    """Measure all runs; return 1 if one misses its goals."""
    wanted = [(rooms, SHORT, False) for rooms in args.before]
    wanted += [(rooms, SECONDS, True) for rooms in args.rooms]
    # The longest run first, so that no other process is idle at the end.
    order = sorted(wanted, key=lambda one: -one[0] * one[2])
    spawn = get_context("spawn")
    results = dict(play_in_processes(order, _measured, cpu_count() or 1, mp_context=spawn))
    report = lines([results[one] for one in wanted])
    print("\n".join(report))
    if not args.dry:
        write("Storm", report, "make storm")
    return 0 if all(one.reached for one in results.values() if one.paced and one.judged) else 1


def _measured(order: tuple[int, int, bool]) -> Figures:
    rooms, seconds, paced = order
    return measure(rooms, seconds, paced=paced)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(",") if number)
