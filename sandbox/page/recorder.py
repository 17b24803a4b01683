"""Record updates and wake-ups with their requests to the store and to Telegram."""

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from bot.display.board_picture import render
from local.dynamodb import Client, LocalTable
from local.dynamodb.client import Run
from sandbox.harness import Harness
from sandbox.telegram import Call, Response

#: The maximum number of turns to keep.
KEPT = 300


@dataclass(slots=True, eq=False)
class RecordedCall:
    """A call to Telegram: when it began after the turn did, and how long it took, in milliseconds."""

    call: Call
    at: float
    took: float = 0.0


@dataclass(slots=True, eq=False)
class Turn:
    """One run of an entry and its requests. Times are in milliseconds; ``began`` in seconds since 1970."""

    number: int
    kind: str
    content: dict[str, Any]
    began: float
    took: float = 0.0
    status: int = 200
    #: Requests to the store: operation, start, duration.
    store: list[tuple[str, float, float]] = field(default_factory=list)
    calls: list[RecordedCall] = field(default_factory=list)


class Recorder:
    """Keep the latest turns."""

    def __init__(self) -> None:
        self.turns: deque[Turn] = deque(maxlen=KEPT)
        self.fresh: list[Turn] = []
        self._number = 0
        self._started = 0.0
        self._asked = 0.0
        #: True while an entry runs. Reads of the page itself belong to no turn.
        self._inside = False

    @contextmanager
    def turn(self, kind: str, content: dict[str, Any]) -> Iterator[Turn]:
        """Record everything in the ``with`` block as one turn."""
        self._number += 1
        turn = Turn(self._number, kind, content, time.time())
        self.turns.append(turn)
        self.fresh.append(turn)
        self._started = time.perf_counter()
        self._inside = True
        try:
            yield turn
        finally:
            turn.took = self._now()
            self._inside = False

    def find(self, number: int) -> Turn | None:
        """Return the turn with this number, or None if it is no longer kept."""
        return next((turn for turn in self.turns if turn.number == number), None)

    def timed(self, run: Run) -> Run:
        """Return a function like ``run`` that also records each request to the table."""

        def recorded(operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
            asked = self._now()
            try:
                return run(operation, arguments)
            finally:
                if self._inside:
                    named = operation.title().replace("_", "")
                    self.turns[-1].store.append((named, asked, self._now() - asked))

        return recorded

    def before_call(self, call: Call) -> None:
        """Record that a call to Telegram begins. A call in a webhook's reply belongs to the last turn."""
        if self.turns:
            self.turns[-1].calls.append(RecordedCall(call, self._now()))

    def after_call(self, call: Call, _: dict[str, Any]) -> None:
        """Record that a call to Telegram was answered."""
        if self.turns:
            called = next((c for c in reversed(self.turns[-1].calls) if c.call is call), None)
            if called is not None:
                called.took = self._now() - called.at

    def _now(self) -> float:
        return 1000 * (time.perf_counter() - self._started)


class RecordedHarness(Harness):
    """A harness that records its turns and really draws its boards."""

    def __init__(self, clock: Callable[[], float], *, validated: bool = False) -> None:
        self.table = LocalTable()
        self.recorder = Recorder()
        client = Client(self.recorder.timed(self.table.run))
        super().__init__(client, clock, validated=validated, draw=render)
        self.telegram.before_call.append(self.recorder.before_call)
        self.telegram.after_call.append(self.recorder.after_call)

    def post(self, update: dict[str, Any], headers: dict[str, str]) -> Response:
        """Pass one update to the webhook's entry, and record it as a turn."""
        with self.recorder.turn("update", update) as turn:
            response = super().post(update, headers)
            turn.status = response.status
        return response

    def wake(self, event: dict[str, Any]) -> None:
        """Pass an event to the wake-up entry, and record it as a turn, unless the watchdog did nothing."""
        with self.recorder.turn("wake-up" if "Records" in event else "watchdog", event) as turn:
            super().wake(event)
        if turn.kind == "watchdog" and not turn.calls and len(turn.store) < 2:
            self.recorder.turns.remove(turn)
            self.recorder.fresh.remove(turn)
