"""The way from a process to what is outside, and back: latencies, time-outs, and the fate of each request."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from sandbox.promises.invocation import Invocation

from .fates import Fate, Fates
from .machine import Died, Machine, Process

T = TypeVar("T")
#: An answer on its way: called where it arrives, it returns or raises what the service said.
Arrival = Callable[[], Any]

#: By service, seconds that a request takes there, and its answer back: usual from–to, worst, how rarely.
Latencies = Mapping[str, tuple[float, float, float, float]]
LATENCIES: Latencies = {
    "store": (0.002, 0.02, 0.9, 0.02),
    "queue": (0.004, 0.03, 1.0, 0.02),
    "beacon": (0.03, 0.3, 2.5, 0.05),
    "telegram": (0.03, 0.3, 3.5, 0.03),
}
#: The same where every request takes its usual time.
USUAL: Latencies = {
    "store": (0.0015, 0.0075, 0.0075, 0.0),
    "queue": (0.0025, 0.01, 0.01, 0.0),
    "beacon": (0.03, 0.3, 0.3, 0.0),
    "telegram": (0.015, 0.075, 0.075, 0.0),
}


class Network:
    """Carries requests, by the fates."""

    def __init__(
        self,
        machine: Machine,
        rng: random.Random,
        fates: Fates,
        tell: Callable[..., None] = lambda *what: None,
        latencies: Latencies = LATENCIES,
    ) -> None:
        self.tell = tell
        self.machine = machine
        self.rng = rng
        self.fates = fates
        self._latencies = latencies
        #: Whose request is being done at this moment.
        self.acting: Invocation | None = None

    def send(
        self,
        process: BotProcess,
        service: str,
        perform: Callable[[], Any],
        instead: Callable[[Fate], Arrival | None],
        arrived: Callable[[Arrival], None],
    ) -> None:
        """Send a request off, in the process's thread.

        Args:
            perform: does it, at the service; what it raises is the answer.
            instead: what is answered by a fate, if anything: without, the request is done.
            arrived: takes the answer, in the process's thread, if one comes.
        """
        process.alive()
        invocation = process.invocation
        fate = self.fates.draw(service)
        if fate is not Fate.WELL:
            invocation.faults.append((self.machine.clock(), fate))
            self.tell(invocation, "meets", f"{service}: {fate}")
        if fate is Fate.KILLED_BEFORE:
            self.kill(process, invocation)
            raise Died
        there, back = self._latency(service), self._latency(service)

        def arrive() -> None:
            if fate is Fate.LOST_BEFORE:
                return
            said = None if fate in _DONE else instead(fate)
            if said is None:
                said = self._done(invocation, perform)
            if fate is Fate.BROKEN_AFTER:
                said = instead(fate) or said
            if fate is Fate.KILLED_AFTER:
                self.kill(process, invocation)
            elif fate is not Fate.LOST_AFTER:
                self.machine.after(back, lambda: process.deliver(lambda: arrived(said)))

        self.machine.after(there, arrive)

    def _done(self, invocation: Invocation, perform: Callable[[], Any]) -> Arrival:
        self.acting = invocation
        try:
            return _answer(perform)
        finally:
            self.acting = None

    def ask(
        self,
        process: BotProcess,
        service: str,
        perform: Callable[[], T],
        instead: Callable[[Fate], Arrival | None],
        patience: float,
    ) -> T:
        """Send a request and wait for its answer; the one way of boto3. Raises what the answer raises.

        Without an answer within ``patience`` (seconds), ``instead(LOST_AFTER)`` says what is raised.
        """
        box: list[Arrival] = []
        self.send(process, service, perform, instead, box.append)
        until = self.machine.clock() + patience
        while not box:
            if self.machine.clock() >= until:
                process.invocation.faults.append((self.machine.clock(), Fate.LOST_AFTER))
                late = instead(Fate.LOST_AFTER)
                assert late is not None
                return late()
            process.wait(until)
        return box[0]()

    def kill(self, process: BotProcess, invocation: Invocation) -> None:
        """The process dies, unless what it was doing then is over."""
        if process.busy and process.invocation is invocation and not process.dead:
            invocation.died = True
            process.kill()

    def _latency(self, service: str) -> float:
        low, high, worst, rarely = self._latencies[service]
        return self.rng.uniform(high, worst) if self.rng.random() < rarely else self.rng.uniform(low, high)


#: Fates in which the request is done before anything is said about it.
_DONE = frozenset({Fate.WELL, Fate.LOST_AFTER, Fate.BROKEN_AFTER, Fate.KILLED_AFTER})


class BotProcess(Process):
    """A process with the invocation that it is busy with."""

    invocation: Invocation


def _answer(perform: Callable[[], Any]) -> Arrival:
    try:
        result = perform()
    except Exception as error:
        return raising(error)
    return lambda: result


def raising(error: BaseException) -> Arrival:
    """An answer that is an error."""

    def arrival() -> Any:
        raise error

    return arrival
