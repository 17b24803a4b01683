"""The bot's two Lambda functions: each invocation runs in a process of its kind, warm or new."""

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
#: Seconds between two rounds of the watchdog, from the wake-up entry's schedule.
WATCHDOG = 180.0

#: A process between two invocations, with the bot built in it.
Warm = tuple[BotProcess, Built, ProcessLoop]


class LambdaContext:
    """Lambda's, in virtual time."""

    def __init__(self, clock: VirtualClock, ends: float) -> None:
        self._clock = clock
        self._ends = ends

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds until the process is killed."""
        return max(0, int((self._ends - self._clock()) * 1000))


class Functions:
    """The functions that run invocations.

    Args:
        built: the bot of a new process.
        warm: which of so many warm processes takes the next invocation; None: a new one does.
        most_idle: how many of a kind wait for one at most.
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
        """Begin an invocation, which its time-out kills; ``ended`` is told its result or what it raised."""
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
