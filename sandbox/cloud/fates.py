"""A request's fate, by the seed's weather, which says how often what goes wrong."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Fate(StrEnum):
    """The fate of one request, or of one invocation."""

    WELL = "well"
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


_DEATH = (Fate.KILLED_BEFORE, Fate.KILLED_AFTER)
#: The faults possible for each service's requests, with their relative weights.
KINDS: Mapping[str, Mapping[Fate, int]] = {
    "store": {
        **dict.fromkeys(_DEATH, 2),
        Fate.LOST_BEFORE: 2,
        Fate.LOST_AFTER: 3,
        Fate.UNREACHABLE: 1,
        Fate.THROTTLED: 3,
        Fate.BROKEN: 2,
        Fate.RACE: 3,
    },
    "telegram": {
        **dict.fromkeys(_DEATH, 2),
        Fate.LOST_BEFORE: 2,
        Fate.LOST_AFTER: 3,
        Fate.UNREACHABLE: 1,
        Fate.BROKEN: 2,
        Fate.BROKEN_AFTER: 1,
        Fate.TOO_MANY: 4,
        Fate.BAD: 1,
        Fate.FORBIDDEN: 1,
    },
    "queue": {
        **dict.fromkeys(_DEATH, 2),
        Fate.LOST_BEFORE: 2,
        Fate.LOST_AFTER: 2,
        Fate.BROKEN: 2,
        Fate.WAKEUP_LOST: 4,
        Fate.WAKEUP_TWICE: 3,
        Fate.WAKEUP_LATE: 3,
    },
    "beacon": {
        **dict.fromkeys(_DEATH, 2),
        Fate.LOST_BEFORE: 2,
        Fate.UNREACHABLE: 2,
        Fate.BROKEN: 1,
        Fate.EARLY: 3,
        Fate.FORGED: 2,
    },
    "webhook": {Fate.NOT_INVOKED: 2, Fate.REPLY_LOST: 4, Fate.COPIED: 3, Fate.DELAYED: 3},
}
#: The longest storm in seconds, during which a service fails more often than not.
STORM_SECONDS = 60.0
_IN_A_STORM = 0.6
#: The longest time in seconds for which Telegram accepts nothing from the bot.
FLOOD = 120.0


@dataclass(slots=True)
class Storm:
    """A time in which one service fails often."""

    service: str
    begins: float
    ends: float


@dataclass(slots=True)
class Weather:
    """The frequency of faults in one seed's world."""

    #: The probability of a fault for each request.
    rate: float
    #: The kinds of faults in this seed, by service.
    weights: dict[str, dict[Fate, int]]
    #: Times when a service fails much more often.
    storms: list[Storm]
    #: The time when nobody can reach the public beacon: from, to.
    beacon_away: tuple[float, float]
    #: Times when Telegram accepts nothing from the bot, for any chat: from, to.
    floods: list[tuple[float, float]]
    #: The virtual time after which nothing goes wrong, so that every game can end.
    until: float
    #: The most faults, for the same reason.
    most: int

    @classmethod
    def of(cls, rng: random.Random, now: float) -> Weather:
        """Return the weather of a seed: from calm to rough, with all kinds of faults or only some."""
        rate = rng.choice((0.0, 0.003, 0.01, 0.02, 0.05, 0.1))
        weights = {}
        for service, kinds in KINDS.items():
            some = rng.random() < 0.5
            weights[service] = {kind: n for kind, n in kinds.items() if not some or rng.random() < 0.5}
        services = ("store", "telegram", "queue", "beacon")
        away = now + rng.choice((0, 0, 0, 60, 600))
        storms = [
            Storm(
                rng.choice(services),
                begins := now + rng.uniform(0, 600),
                begins + rng.uniform(2, STORM_SECONDS),
            )
            for _ in range(rng.choice((0, 0, 1, 2, 4)))
        ]
        floods = [
            (begins := now + rng.uniform(0, 1800), begins + rng.choice((1, 5, 30, FLOOD)))
            for _ in range(rng.choice((0, 0, 1, 3)))
        ]
        until, most = now + rng.uniform(1200, 7200), rng.choice((20, 100, 400))
        return cls(rate, weights, storms, (now, away), floods, until, most)

    @classmethod
    def calm(cls) -> Weather:
        """Return weather in which nothing goes wrong."""
        return cls(0.0, {service: {} for service in KINDS}, [], (0.0, 0.0), [], 0.0, 0)

    def flood_left(self, now: float) -> float:
        """Return for how many more seconds Telegram accepts nothing from the bot."""
        return max((ends - now for begins, ends in self.floods if begins <= now < ends), default=0.0)


@dataclass(slots=True)
class Fates:
    """Draws what becomes of each request, and counts it."""

    rng: random.Random
    weather: Weather
    clock: Callable[[], float]
    counted: Counter[Fate] = field(default_factory=Counter)

    def draw(self, service: str) -> Fate:
        """Return what becomes of the next request to this service."""
        now, kinds = self.clock(), self.weather.weights[service]
        if not kinds or self.counted.total() >= self.weather.most or now > self.weather.until:
            return Fate.WELL
        rate = self.weather.rate
        if any(s.service == service and s.begins <= now < s.ends for s in self.weather.storms):
            rate = _IN_A_STORM
        if self.rng.random() >= rate:
            return Fate.WELL
        fate = self.rng.choices(list(kinds), list(kinds.values()))[0]
        self.counted[fate] += 1
        return fate
