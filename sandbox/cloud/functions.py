"""The bot's two Lambda functions: each invocation runs in a warm or a new process of its function."""

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
#: Seconds between two rounds of the watchdog, as in ``template.yaml``.
WATCHDOG = 180.0

#: A process between two invocations, with the bot built in it.
Warm = tuple[BotProcess, Built, ProcessLoop]


class LambdaContext:
    """Lambda's context, in virtual time."""

    def __init__(self, clock: VirtualClock, ends: float) -> None:
        self._clock = clock
        self._ends = ends

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds until the process is killed."""
        return max(0, int((self._ends - self._clock()) * 1000))


class Functions:
    """Run invocations.

    Args:
        built: builds the bot in a new process.
        warm: gets the number of warm processes and returns the index of the next one to use; None: start one.
        most_idle: the most warm processes of each function.
    """

    def __init__(
        self,
        machine: Machine,
        network: Network,
        built: Callable[[BotProcess, ProcessLoop], Built],
        warm: Callable[[int], int | None],
        most_idle: int,
    ) -> None:
        self._machine = machine
        self._network = network
        self._built = built
        self._warm = warm
        self._most_idle = most_idle
        self._idle: dict[str, list[Warm]] = {kind: [] for kind in TIMEOUTS}
        self._processes: list[tuple[BotProcess, ProcessLoop]] = []

    def invoke(
        self,
        invocation: Invocation,
        respond: Callable[[Built, LambdaContext], Any],
        ended: Callable[[Any, BaseException | None], None],
    ) -> None:
        """Start an invocation with its time-out. ``ended`` gets its result, or what it raised."""
        idle = self._idle[invocation.kind]
        place = self._warm(len(idle))
        process, built, loop = self._new() if place is None else idle.pop(place)
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

    def _new(self) -> Warm:
        process = BotProcess(self._machine)
        loop = ProcessLoop(process)
        self._processes = [(p, o) for p, o in self._processes if not p.dead] + [(process, loop)]
        return process, self._built(process, loop), loop
