"""Simulate the SQS queue that invokes the wake-up function: it delays and repeats messages as SQS does."""

import random
from collections import Counter, deque
from collections.abc import Callable

from .faults import Fault
from .machine import Machine

#: The queue's values, as in ``template.yaml``.
VISIBILITY, RECEIVES, BATCH, WORKERS = 90.0, 5, 5, 5
#: One message in this many comes early, because the queue's clock and the worker's differ.
EARLY_EVERY = 5

#: Is called with the ids of the messages that failed, or with None if all failed.
Done = Callable[[set[str] | None], None]


class Queue:
    """Pass batches of (id, body) to ``wake``; one in ``EARLY_EVERY`` comes ``early`` seconds too soon."""

    def __init__(
        self,
        machine: Machine,
        rng: random.Random,
        wake: Callable[[list[tuple[str, str]], Done], None],
        early: float,
    ) -> None:
        self._machine = machine
        self._rng = rng
        self._wake = wake
        self._early = early
        self._ready: deque[tuple[str, str]] = deque()
        self._receives: Counter[str] = Counter()
        self._workers = 0
        self._number = 0

    def put(self, body: str, delay: float, fault: Fault) -> None:
        """Add a message with a delay in seconds and a fault."""
        if fault is Fault.WAKEUP_LOST:
            return
        rng = self._rng
        times = [delay + (rng.uniform(5, 200) if fault is Fault.WAKEUP_LATE else rng.uniform(0, 0.3))]
        if fault is Fault.WAKEUP_TWICE:
            times.append(delay + rng.uniform(0, 30))
        self._number += 1
        if self._number % EARLY_EVERY == 0:
            times[0] = max(0.0, times[0] - self._early)
        for copy, wait in enumerate(times):
            self._machine.after(wait, lambda n=f"{self._number}.{copy}": self._visible(n, body))  # type: ignore[misc]

    def _visible(self, number: str, body: str) -> None:
        if self._receives[number] >= RECEIVES:
            return
        self._ready.append((number, body))
        self._machine.after(self._rng.uniform(0.01, 0.3), self._poll)

    def _poll(self) -> None:
        if not self._ready or self._workers >= WORKERS:
            return
        batch = [self._ready.popleft() for _ in range(min(BATCH, len(self._ready)))]
        self._workers += 1
        for number, _ in batch:
            self._receives[number] += 1
        taken = self._machine.clock()

        def done(failed: set[str] | None) -> None:
            self._workers -= 1
            for number, body in batch:
                if failed is None or number in failed:
                    self._machine.at(
                        taken + VISIBILITY,
                        lambda n=number, b=body: self._visible(n, b),  # type: ignore[misc]
                    )
            self._poll()

        self._wake(batch, done)
