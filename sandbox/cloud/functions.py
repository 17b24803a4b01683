"""Simulate the bot's two Lambda functions. Each invocation runs in a warm or a new process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handlers.service.build import Built
from sandbox.promises.invocation import Invocation
from sandbox.telegram import VirtualClock

from .loop import ProcessLoop
from .machine import Died, Machine
from .network import BotProcess, Network

#: Time-outs in seconds, as in ``template.yaml``.
TIMEOUTS = {"webhook": 20.0, "wakeup": 60.0}
#: Seconds between two runs of the watchdog, as in ``template.yaml``.
WATCHDOG = 180.0

#: A process that is free for an invocation, the bot built in it, and its event loop.
Warm = tuple[BotProcess, Built, ProcessLoop]


class LambdaContext:
    """Lambda's context object, in virtual time."""

    def __init__(self, clock: VirtualClock, ends: float) -> None:
        self._clock = clock
        self._ends = ends

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds until the process is killed."""
        return max(0, int((self._ends - self._clock()) * 1000))


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
        build: Callable[[BotProcess, ProcessLoop], Built],
        choose_warm: Callable[[int], int | None],
        most_idle: int,
    ) -> None:
        self._machine = machine
        self._network = network
        self._build = build
        self._choose_warm = choose_warm
        self._most_idle = most_idle
        self._idle: dict[str, list[Warm]] = {kind: [] for kind in TIMEOUTS}
        self._processes: list[tuple[BotProcess, ProcessLoop]] = []

    def invoke(
        self,
        invocation: Invocation,
        respond: Callable[[Built, LambdaContext], Any],
        ended: Callable[[Any, BaseException | None], None],
    ) -> None:
        """Start an invocation with its time-out. ``ended`` gets its result, or its exception."""
        idle = self._idle[invocation.kind]
        index = self._choose_warm(len(idle))
        process, built, loop = self._start_process() if index is None else idle.pop(index)
        process.invocation = invocation
        ends = self._machine.clock() + TIMEOUTS[invocation.kind]
        context = LambdaContext(self._machine.clock, ends)

        def over(result: Any, raised: BaseException | None) -> None:
            invocation.died, invocation.over = isinstance(raised, Died), True
            if not invocation.died and len(idle) < self._most_idle:
                idle.append((process, built, loop))
            else:
                process.dead = True
                loop.close()
            ended(result, raised)

        self._machine.at(ends, lambda: self._network.kill(process, invocation))
        process.run(lambda: respond(built, context), over)

    def close(self) -> None:
        """End all processes."""
        for process, loop in self._processes:
            process.end()
            loop.close()

    def _start_process(self) -> Warm:
        process = BotProcess(self._machine)
        loop = ProcessLoop(process)
        self._processes = [(p, o) for p, o in self._processes if not p.dead] + [(process, loop)]
        return process, self._build(process, loop), loop
