"""Compute an alarm's states as CloudWatch does: datapoints, missing data, simple expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

#: The name of a metric.
Metric = str
#: (time in seconds, value) of each datapoint.
Values = Iterable[tuple[float, float]]

_COMPARE = {
    "GreaterThanOrEqualToThreshold": lambda value, bound: value >= bound,
    "GreaterThanThreshold": lambda value, bound: value > bound,
    "LessThanThreshold": lambda value, bound: value < bound,
}
_COLLECT: dict[str, Callable[[list[float]], float]] = {"Sum": sum, "Maximum": max}


@dataclass(frozen=True)
class Alarm:
    """An alarm of the expanded template."""

    properties: Mapping[str, Any]

    def states(self, metrics: Mapping[Metric, Values], until: float) -> list[str]:
        """Return the state after each period, beginning when there are enough periods."""
        period = int(self.properties.get("Period") or self._parts()[0]["MetricStat"]["Period"])
        count = int(self.properties["EvaluationPeriods"])
        needed = int(self.properties.get("DatapointsToAlarm", count))
        points = [self._point(metrics, begin, period) for begin in range(0, int(until), period)]
        states, state = [], "INSUFFICIENT_DATA"
        for end in range(count, len(points) + 1):
            state = self._state(points[end - count : end], needed, state)
            states.append(state)
        return states

    def _state(self, window: list[float | None], needed: int, before: str) -> str:
        breaching = _COMPARE[self.properties["ComparisonOperator"]]
        missing = self.properties["TreatMissingData"]
        if missing == "ignore" and all(value is None for value in window):
            return before
        bad = 0
        for value in window:
            if value is None:
                bad += missing == "breaching"
            else:
                bad += breaching(value, self.properties["Threshold"])
        return "ALARM" if bad >= needed else "OK"

    def _point(self, metrics: Mapping[Metric, Values], begin: int, period: int) -> float | None:
        if "Metrics" not in self.properties:
            statistic = (
                self.properties.get("Statistic") or "Maximum"
            )  # with few values the 99th percentile is this
            return _collected(metrics.get(self.properties["MetricName"], ()), statistic, begin, period)
        found = {}
        for part in self._parts():
            stat = part["MetricStat"]
            name = stat["Metric"]["MetricName"] + (
                ":" + part["Id"] if part["Id"] in ("updates", "wakeups") else ""
            )
            found[part["Id"]] = _collected(metrics.get(name, ()), stat["Stat"], begin, period)
        (text,) = (part["Expression"] for part in self.properties["Metrics"] if "Expression" in part)
        filled = re.sub(r"FILL\((\w+), 0\)", lambda name: str(found[name[1]] or 0), text)
        assert re.fullmatch(r"[\d.+*/() -]+", filled)
        return float(eval(filled))  # it contains only numbers

    def _parts(self) -> list[dict[str, Any]]:
        return [part for part in self.properties["Metrics"] if "MetricStat" in part]


def _collected(values: Values, statistic: str, begin: int, period: int) -> float | None:
    here = [value for at, value in values if begin <= at < begin + period]
    return None if not here else float(_COLLECT[statistic](here))


def every(seconds: float, until: float, value: float = 1.0, begin: float = 0.0) -> list[tuple[float, float]]:
    """Return the same value every ``seconds`` seconds."""
    return [(begin + number * seconds, value) for number in range(int((until - begin) // seconds) + 1)]


def redelivered(until: float, value: float = 1.0) -> list[tuple[float, float]]:
    """Return a value at each delivery of a failing update: at once, after 2, 4, 8 … s, then every 120 s."""
    times, wait = [0.0], 2.0
    while times[-1] < until:
        times.append(times[-1] + wait)
        wait = min(2 * wait, 120)
    return [(at, value) for at in times]
