"""Simulate the bot's two Lambda functions, and the SQS queue that invokes one of them.

Each invocation runs in a warm or a new process. The queue delays and repeats messages as SQS does.
"""

import random
from collections import Counter, deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from handlers.service.build import Built
from sandbox.cloud.network import Invocation

from .faults import Fault
from .machine import Died, Machine
from .network import BotProcess, Network

#: Time-outs in seconds, as in ``template.yaml``.
TIMEOUTS = {"webhook": 20.0, "wakeup": 60.0}
#: Seconds between two runs of the watchdog, as in ``template.yaml``.
WATCHDOG = 180.0
#: The queue's values, as in ``template.yaml``.
VISIBILITY, RECEIVES, BATCH, WORKERS = 90.0, 5, 5, 5
#: One message in this many comes early, because the queue's clock and the worker's differ.
EARLY_EVERY = 5

#: Is called with the ids of the messages that failed, or with None if all failed.
Done = Callable[[set[str] | None], None]


class Functions:
    """Run invocations.

    Args:
        build: builds the bot in a new process.
        choose_warm: gets the number of warm processes; returns the index of the one to use, or None to start
            a new process.
        most_idle: the maximum number of warm processes of each function.
    """

    def __init__(
        self,
        machine: Machine,
        network: Network,
        build: Callable[[BotProcess], Built],
        choose_warm: Callable[[int], int | None],
        most_idle: int,
    ) -> None:
        self._machine = machine
        self._network = network
        self._build = build
        self._choose_warm = choose_warm
        self._most_idle = most_idle
        #: By function, the processes that are free for an invocation, and the bot built in each.
        self._idle: dict[str, list[tuple[BotProcess, Built]]] = {kind: [] for kind in TIMEOUTS}
        self._processes: list[BotProcess] = []

    def invoke(
        self,
        invocation: Invocation,
        respond: Callable[[Built, Any], Any],
        ended: Callable[[Any, BaseException | None], None],
    ) -> None:
        """Start an invocation with its time-out.

        ``respond`` gets the bot and Lambda's context object; ``ended`` gets its result, or its exception.
        """
        idle = self._idle[invocation.kind]
        index = self._choose_warm(len(idle))
        process, built = self._start_process() if index is None else idle.pop(index)
        process.invocation = invocation
        ends = self._machine.clock() + TIMEOUTS[invocation.kind]
        millis_left = lambda: max(0, int((ends - self._machine.clock()) * 1000))  # noqa: E731
        context = SimpleNamespace(get_remaining_time_in_millis=millis_left)

        def over(result: Any, raised: BaseException | None) -> None:
            invocation.died, invocation.over = isinstance(raised, Died), True
            if not invocation.died and len(idle) < self._most_idle:
                idle.append((process, built))
            else:
                process.dead = True
                process.loop.close()
            ended(result, raised)

        self._machine.at(ends, lambda: self._network.kill(process, invocation))
        process.run(lambda: respond(built, context), over)

    def close(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.end()

    def _start_process(self) -> tuple[BotProcess, Built]:
        process = BotProcess(self._machine)
        self._processes = [running for running in self._processes if not running.dead] + [process]
        return process, self._build(process)


class Queue:
    """Pass batches of (id, body) to ``wake``; one in ``EARLY_EVERY`` comes ``early`` seconds too soon."""

    def __init__(
        self,
        machine: Machine,
        rng: random.Random,
        wake: Callable[[list[tuple[str, str]], Done], None],
        early: float = 0.0,
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
