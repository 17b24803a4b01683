"""Log lines and metrics: what happened, in numbers and kinds, never who they are or what they hold.

A line is an event's name with fields from a fixed list. What is not on the list does not get out, so
that a name, a card, a ballot or the token cannot reach a log by carelessness.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import IO, Any

from infra.traces import where

SERVICE = "chancellery"
NAMESPACE = "Chancellery"


class Watched(StrEnum):
    """Events whose metrics template.yaml's alarms and dashboard watch."""

    #: An update met a mistake of ours; it is answered all the same, and does not come again.
    INDIGESTIBLE = "indigestible"
    #: A wake-up could not be queued, or the room not be looked after.
    WAKEUP_FAILED = "wakeup_failed"
    #: How long something has been waiting in a room.
    OUTBOX_AGE = "outbox_age"
    #: Chats that Telegram makes wait.
    PAUSED = "paused"
    #: For how long Telegram makes the whole bot wait.
    BOT_PAUSED = "bot_paused"
    #: What waits for its group's next minute.
    HELD = "held"
    #: Telegram refused for good.
    REFUSED = "refused"
    #: Telegram's answer was lost.
    ANSWER_LOST = "answer_lost"
    #: The store did not take an update, which comes again.
    NOTHING_STORED = "nothing_stored"
    #: The watchdog made its round.
    WATCHDOG_ROUND = "watchdog_round"
    #: Telegram brings its updates elsewhere, or not at all.
    UPDATES_STOPPED = "updates_stopped"
    #: Two of the beacon's mirrors said different things of one round: one of them lies.
    BEACON_DISAGREES = "beacon_disagrees"
    #: A game's record, an erasure or a message failed for good, and waits for the operator.
    SET_ASIDE = "set_aside"


#: What is counted and is no trouble: it makes no line.
_QUIET = frozenset({Watched.HELD, Watched.WATCHDOG_ROUND})


#: What a line may say. ``chat`` and ``room`` are of groups; of persons there is no field at all.
FIELDS = frozenset(
    {
        "attempt",
        "chat",
        "count",
        "detail",
        "due",
        "dropped",
        "entry",
        "error",
        "kind",
        "method",
        "ms",
        "reason",
        "remaining_ms",
        "room",
        "schema",
        "seconds",
        "status",
        "topic",
        "update",
        "version",
        "where",
    }
)

#: Fields whose text may have blanks; it comes from ``infra.telegram.errors``, which quotes nothing sent.
_WORDY = frozenset({"detail"})
_PLAIN = re.compile(r"[\w.:/#-]{0,160}")
#: The key of a person's own room, whose id is theirs; groups have ids below 0.
_OF_A_PERSON = re.compile(r"(room|film)#[0-9]")
_TOKEN = re.compile(r"\d{5,}:[\w-]{20,}")

#: How the names of metrics end that are no counts.
SECONDS = "Seconds"

#: Takes a level (``WARNING``, ``ERROR``, ``METRIC``) and a line.
Sink = Callable[[str, dict[str, Any]], None]


def clean(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that may be logged. The names of others, not their values, go under ``dropped``.

    A text that is no plain word is replaced by ``…``.
    """
    out, dropped = {}, []
    for name, value in fields.items():
        if name in FIELDS:
            out[name] = _value(name, value)
        else:
            dropped.append(_value("dropped", name))
    if dropped:
        out["dropped"] = sorted(dropped)
    return out


def _value(name: str, value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list | tuple):
        return [_value(name, member) for member in value]
    text = str(value)
    if _TOKEN.search(text) or _OF_A_PERSON.match(text):
        return "…"
    if name in _WORDY:
        return text[:80]
    return text if _PLAIN.fullmatch(text) else "…"


class Log:
    """Writes lines and counts. Each app has its own, as it deals with one invocation at a time."""

    def __init__(self, sink: Sink | None = None) -> None:
        self._sink = sink or (PowertoolsSink() if "AWS_LAMBDA_FUNCTION_NAME" in os.environ else _on_a_desk)
        self._bound: dict[str, Any] = {}
        self._counts: dict[str, float] = {}

    @contextmanager
    def invocation(self, **fields: Any) -> Iterator[None]:
        """Add these fields to every line of an invocation, and write the counts at its end."""
        self._bound = clean(fields)
        try:
            yield
        finally:
            self._bound = {}
            self.flush()

    def bind(self, **fields: Any) -> None:
        """More fields for the lines of this invocation: what is known only later, such as the version."""
        self._bound |= clean(fields)

    def warning(self, event: str, **fields: Any) -> None:
        """A line about something that should be rare."""
        self._write("WARNING", event, fields)

    def error(self, event: str, **fields: Any) -> None:
        """A line about something that somebody has to look at."""
        self._write("ERROR", event, fields)

    def failure(self, event: str, error: BaseException, **fields: Any) -> None:
        """A count, and an error line with the exception's type and where it came from, not with its text."""
        self.count(event)
        self.error(event, **fields, error=type(error).__name__, where=where(error))

    def note(self, event: str, facts: Mapping[str, Any]) -> None:
        """Count an event, or keep its longest time, and write a line if it means trouble."""
        if "seconds" in facts:
            self.longest(event, facts["seconds"])
        else:
            self.count(event, facts.get("count", 1))
        # Something that has waited for no time yet has only begun to wait.
        if event not in _QUIET and facts.get("seconds") != 0:
            self.warning(event, **facts)

    def count(self, name: str, value: float = 1) -> None:
        """Add to a metric, written at the end of the invocation. ``lease_lost`` becomes ``LeaseLost``."""
        named = metric(name)
        self._counts[named] = self._counts.get(named, 0) + value

    def longest(self, name: str, seconds: float) -> None:
        """Keep the longest time under a metric. ``outbox_age`` becomes ``OutboxAgeSeconds``."""
        named = metric(name, SECONDS)
        self._counts[named] = max(self._counts.get(named, 0), seconds)

    def flush(self) -> None:
        """Write the counts."""
        counts, self._counts = self._counts, {}
        if counts:
            self._sink("METRIC", counts)

    def _write(self, level: str, event: str, fields: Mapping[str, Any]) -> None:
        self._sink(level, {"event": event, **self._bound, **clean(fields)})


def metric(event: str, unit: str = "") -> str:
    """The name of an event's metric: ``lease_lost`` becomes ``LeaseLost``, a time ends in ``SECONDS``."""
    return "".join(part.capitalize() for part in re.split(r"\W|_", event)) + unit


def _on_a_desk(level: str, line: dict[str, Any]) -> None:
    if level == "METRIC":  # nobody collects them here
        return
    # Not to the standard output, which belongs to the command that is running.
    print(json.dumps({"level": level, **line}, ensure_ascii=False), file=sys.stderr)  # noqa: T201


class PowertoolsSink:
    """In Lambda: lines by powertools' Logger, counts by its Metrics, both made at their first use."""

    def __init__(self, service: str = SERVICE, stream: IO[str] | None = None) -> None:
        self._service = service
        self._stream = stream
        self._logger: Any = None

    def __call__(self, level: str, line: dict[str, Any]) -> None:
        """Write one line."""
        if level == "METRIC":
            self._emit(line)
            return
        if self._logger is None:
            from aws_lambda_powertools.logging import Logger

            self._logger = Logger(service=self._service, stream=self._stream, utc=True)
        event, *_ = line.values()
        fields = {name: value for name, value in line.items() if name != "event"}
        getattr(self._logger, level.lower())(event, extra=fields)

    def _emit(self, counts: Mapping[str, float]) -> None:
        # The ephemeral kind: the ordinary one shares its counts with every other of the process.
        from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

        # A namespace for each stage, so that the alarms of one do not count another's trouble.
        namespace = os.environ.get("POWERTOOLS_METRICS_NAMESPACE") or NAMESPACE
        metrics = EphemeralMetrics(namespace=namespace, service=self._service)
        for name, value in counts.items():
            unit = MetricUnit.Seconds if name.endswith(SECONDS) else MetricUnit.Count
            metrics.add_metric(name=name, unit=unit, value=value)
        metrics.flush_metrics()
