"""Log lines and metrics: kinds of events and numbers, never people or cards.

A line is an event's name with fields from a fixed list. No other field is written, so that a name, a card, a
ballot or the token cannot reach a log by accident.
"""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum, auto
from typing import IO, Any

SERVICE = "chancellery"
NAMESPACE = "Chancellery"


class Watched(StrEnum):
    """Events that the alarms and the dashboard in ``template.yaml`` watch."""

    #: A bug of ours broke an update. It was still answered with 200, so Telegram does not send it again.
    UPDATE_FAILED = auto()
    #: A wake-up could not be queued, its room could not be handled, or a duty of the watchdog failed.
    WAKEUP_FAILED = auto()
    #: How long a room's outbox has not been empty.
    OUTBOX_AGE = auto()
    #: Sending to a chat stopped for a while: after a 429, a call that did not reach Telegram, a lost answer,
    #: or trouble with the token.
    PAUSED = auto()
    #: How long the whole bot pauses because of Telegram's limit.
    BOT_PAUSED = auto()
    #: A message waits: for its group's limit per minute, for a send slot, or for the end of a pause.
    WAITING = auto()
    #: A call was given up. In most cases Telegram refused it for good.
    REFUSED = auto()
    #: Telegram's answer was lost.
    ANSWER_LOST = auto()
    #: An update could not be stored. Telegram sends it again.
    UPDATE_NOT_STORED = auto()
    #: The watchdog made its round.
    WATCHDOG_ROUND = auto()
    #: Telegram delivers the updates elsewhere, or not at all.
    UPDATES_STOPPED = auto()
    #: Two of the beacon's relays gave different values for one round, so one of them lies.
    BEACON_DISAGREES = auto()
    #: Recording a finished game, deleting stored data or sending a message was given up, and needs the
    #: operator.
    SET_ASIDE = auto()


#: Events that are counted but mean no trouble, so no line is written.
_QUIET = frozenset({Watched.WAITING, Watched.WATCHDOG_ROUND})


#: The fields that a line may have. None of them identifies a person: see ``_OF_A_PERSON``.
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

#: Fields whose text may contain spaces. It comes from ``infra.telegram.errors``, which quotes no message.
_WORDY = frozenset({"detail"})
_PLAIN = re.compile(r"[\w.:/#-]{0,160}")
#: Keys that contain a person's id: those of private rooms (``room#``), and those of people who watch a replay
#: (``film#``). Groups have ids below 0.
_OF_A_PERSON = re.compile(r"(room|film)#[0-9]")
_TOKEN = re.compile(r"\d{5,}:[\w-]{20,}")

#: Suffix of metrics that measure seconds. All others are counts.
SECONDS = "Seconds"

#: Takes a level (``WARNING``, ``ERROR``, ``METRIC``) and a line.
Sink = Callable[[str, dict[str, Any]], None]


def clean(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that may be logged, and under ``dropped`` the names of the others.

    A text that is not a plain word is replaced by ``…``.
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


def frames_of(error: BaseException) -> list[str]:
    """Return ``file:line:function`` of the calls nearest to the error, at most eight, the nearest last.

    Leaves out lines of source and the exception's text. The text may quote an item, a message or an address
    that holds the token.
    """
    found = traceback.extract_tb(error.__traceback__)[-8:]
    paths = ["/".join(each.filename.split("/")[-2:]) for each in found]
    return [f"{path}:{each.lineno}:{each.name.strip('<>')}" for path, each in zip(paths, found, strict=True)]


class Log:
    """Writes lines and counts.

    It keeps one invocation's fields and counts. So each bot object has its own log and handles one invocation
    at a time.
    """

    def __init__(self, sink: Sink | None = None) -> None:
        in_lambda = "AWS_LAMBDA_FUNCTION_NAME" in os.environ
        self._sink = sink or (PowertoolsSink() if in_lambda else _write_to_stderr)
        self._bound: dict[str, Any] = {}
        self._counts: dict[str, float] = {}

    @contextmanager
    def invocation(self, **fields: Any) -> Iterator[None]:
        """Add these fields to every line of an invocation, and write the counts at its end."""
        self._bound = fields
        try:
            yield
        finally:
            self._bound = {}
            self.flush()

    def bind(self, **fields: Any) -> None:
        """Add fields to the invocation's next lines, for example the room's version once it is known."""
        self._bound |= fields

    def write(self, level: str, event: str, **fields: Any) -> None:
        """Write a line: a WARNING about something rare, or an ERROR that the operator must look at."""
        self._sink(level, {"event": event, **clean({**self._bound, **fields})})

    def failure(self, event: str, error: BaseException, **fields: Any) -> None:
        """Count an error, and write a line with the exception's type and origin, but not with its text."""
        self.count(event)
        self.write("ERROR", event, **fields, error=type(error).__name__, where=frames_of(error))

    def note(self, event: str, facts: Mapping[str, Any]) -> None:
        """Count an event, or keep the longest time of such events. Write a line if it means trouble."""
        if "seconds" in facts:
            named = metric_name(event, SECONDS)
            self._counts[named] = max(self._counts.get(named, 0), facts["seconds"])
        else:
            self.count(event, facts.get("count", 1))
        # At 0 seconds a message has only begun to wait, which is no trouble.
        if event not in _QUIET and facts.get("seconds") != 0:
            self.write("WARNING", event, **facts)

    def count(self, name: str, value: float = 1) -> None:
        """Add to a metric, written at the end of the invocation. ``lease_lost`` becomes ``LeaseLost``."""
        named = metric_name(name)
        self._counts[named] = self._counts.get(named, 0) + value

    def flush(self) -> None:
        """Write the counts."""
        counts, self._counts = self._counts, {}
        if counts:
            self._sink("METRIC", counts)


def metric_name(event: str, unit: str = "") -> str:
    """Return the name of an event's metric: ``LeaseLost`` for ``lease_lost``. Times end in ``SECONDS``."""
    return "".join(part.capitalize() for part in re.split(r"\W|_", event)) + unit


def _write_to_stderr(level: str, line: dict[str, Any]) -> None:
    if level == "METRIC":  # nobody collects them here
        return
    # Not to the standard output, which belongs to the running command.
    print(json.dumps({"level": level, **line}, ensure_ascii=False), file=sys.stderr)  # noqa: T201


class PowertoolsSink:
    """Lambda's sink: powertools' Logger for lines and its Metrics for counts, each made at its first use."""

    def __init__(self, service: str = SERVICE, stream: IO[str] | None = None) -> None:
        self._service = service
        self._stream = stream
        self._logger: Any = None

    def __call__(self, level: str, line: dict[str, Any]) -> None:
        """Write a line, or the counts if the level is METRIC."""
        if level == "METRIC":
            self._emit(line)
            return
        if self._logger is None:
            from aws_lambda_powertools.logging import Logger

            self._logger = Logger(service=self._service, stream=self._stream, utc=True)
        fields = dict(line)
        getattr(self._logger, level.lower())(fields.pop("event"), extra=fields)

    def _emit(self, counts: Mapping[str, float]) -> None:
        # EphemeralMetrics, because all Metrics of one process share their counts.
        from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

        # A namespace for each stage, so that its alarms do not count another stage's trouble.
        namespace = os.environ.get("POWERTOOLS_METRICS_NAMESPACE") or NAMESPACE
        metrics = EphemeralMetrics(namespace=namespace, service=self._service)
        for name, value in counts.items():
            unit = MetricUnit.Seconds if name.endswith(SECONDS) else MetricUnit.Count
            metrics.add_metric(name=name, unit=unit, value=value)
        metrics.flush_metrics()
