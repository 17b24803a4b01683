"""The faults of requests and invocations, and how often they happen in each seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Fault(StrEnum):
    """A fault of one request or invocation."""

    NONE = "none"
    KILLED_BEFORE = "process killed before the request"
    KILLED_AFTER = "process killed after the request"
    LOST_BEFORE = "request lost, time-out"
    LOST_AFTER = "done, answer lost"
    UNREACHABLE = "no connection"
    THROTTLED = "throttled"
    BROKEN = "5xx, not done"
    BROKEN_AFTER = "5xx, though done"
    RACE = "somebody else's write comes first"
    TOO_MANY = "429"
    BAD = "400"
    FORBIDDEN = "403"
    NOT_INVOKED = "update not taken"
    REPLY_LOST = "update taken, reply lost: repeated"
    COPIED = "update repeated under a new id"
    DELAYED = "update delayed"
    EARLY = "round not there yet"
    FORGED = "round forged"
    WAKEUP_LOST = "wake-up lost"
    WAKEUP_TWICE = "wake-up repeated"
    WAKEUP_LATE = "wake-up late"


_DEATH = (Fault.KILLED_BEFORE, Fault.KILLED_AFTER)
#: The faults possible for each service's requests, with their relative weights.
KINDS: Mapping[str, Mapping[Fault, int]] = {
    "store": {
        **dict.fromkeys(_DEATH, 2),
        Fault.LOST_BEFORE: 2,
        Fault.LOST_AFTER: 3,
        Fault.UNREACHABLE: 1,
        Fault.THROTTLED: 3,
        Fault.BROKEN: 2,
        Fault.RACE: 3,
    },
    "telegram": {
        **dict.fromkeys(_DEATH, 2),
        Fault.LOST_BEFORE: 2,
        Fault.LOST_AFTER: 3,
        Fault.UNREACHABLE: 1,
        Fault.BROKEN: 2,
        Fault.BROKEN_AFTER: 1,
        Fault.TOO_MANY: 4,
        Fault.BAD: 1,
        Fault.FORBIDDEN: 1,
    },
    "queue": {
        **dict.fromkeys(_DEATH, 2),
        Fault.LOST_BEFORE: 2,
        Fault.LOST_AFTER: 2,
        Fault.BROKEN: 2,
        Fault.WAKEUP_LOST: 4,
        Fault.WAKEUP_TWICE: 3,
        Fault.WAKEUP_LATE: 3,
    },
    "beacon": {
        **dict.fromkeys(_DEATH, 2),
        Fault.LOST_BEFORE: 2,
        Fault.UNREACHABLE: 2,
        Fault.BROKEN: 1,
        Fault.EARLY: 3,
        Fault.FORGED: 2,
    },
    "webhook": {Fault.NOT_INVOKED: 2, Fault.REPLY_LOST: 4, Fault.COPIED: 3, Fault.DELAYED: 3},
}
#: The longest outage in seconds, and the probability of a fault for each request during an outage.
OUTAGE_SECONDS = 60.0
_OUTAGE_RATE = 0.6
#: The longest time in seconds for which Telegram refuses all messages from the bot.
FLOOD = 120.0


@dataclass(slots=True)
class Faults:
    """Draw a fault for each request, and count them. Without a plan, nothing fails."""

    rng: random.Random
    clock: Callable[[], float]
    counted: Counter[Fault] = field(default_factory=Counter)
    #: The probability of a fault for each request.
    rate: float = 0.0
    #: The kinds of faults and their weights, by service.
    weights: dict[str, dict[Fault, int]] = field(default_factory=dict)
    #: Time spans in which a service fails much more often: service, from, to.
    outages: list[tuple[str, float, float]] = field(default_factory=list)
    #: The time span in which the public beacon cannot be reached: from, to.
    beacon_away: tuple[float, float] = (0.0, 0.0)
    #: Time spans in which Telegram refuses all messages from the bot: from, to.
    floods: list[tuple[float, float]] = field(default_factory=list)
    #: When faults stop, so that every game can end.
    until: float = 0.0
    #: The maximum number of faults, for the same reason.
    most: int = 0

    def plan(self) -> None:
        """Make a random plan: few or many faults, of all kinds or only of some."""
        rng, now = self.rng, self.clock()
        self.rate = rng.choice((0.0, 0.003, 0.01, 0.02, 0.05, 0.1))
        for service, kinds in KINDS.items():
            some = rng.random() < 0.5
            self.weights[service] = {kind: n for kind, n in kinds.items() if not some or rng.random() < 0.5}
        services = ("store", "telegram", "queue", "beacon")
        self.beacon_away = now, now + rng.choice((0, 0, 0, 60, 600))
        self.outages = [
            (
                rng.choice(services),
                begins := now + rng.uniform(0, 600),
                begins + rng.uniform(2, OUTAGE_SECONDS),
            )
            for _ in range(rng.choice((0, 0, 1, 2, 4)))
        ]
        self.floods = [
            (begins := now + rng.uniform(0, 1800), begins + rng.choice((1, 5, 30, FLOOD)))
            for _ in range(rng.choice((0, 0, 1, 3)))
        ]
        self.until, self.most = now + rng.uniform(1200, 7200), rng.choice((20, 100, 400))

    def flood_left(self) -> float:
        """Return the seconds until Telegram accepts messages from the bot again; 0 if it accepts them now."""
        now = self.clock()
        return max((ends - now for begins, ends in self.floods if begins <= now < ends), default=0.0)

    def draw(self, service: str) -> Fault:
        """Return the fault of the next request to this service."""
        now, kinds = self.clock(), self.weights.get(service)
        if not kinds or self.counted.total() >= self.most or now > self.until:
            return Fault.NONE
        rate = self.rate
        if any(failing == service and begins <= now < ends for failing, begins, ends in self.outages):
            rate = _OUTAGE_RATE
        if self.rng.random() >= rate:
            return Fault.NONE
        fault = self.rng.choices(list(kinds), list(kinds.values()))[0]
        self.counted[fault] += 1
        return fault
