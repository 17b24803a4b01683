"""Virtual time and processes: threads of which only the one with the baton runs.

A process hands the baton back whenever it waits for something from outside. So between two requests
nobody else runs, and the order of everything is the order of events in virtual time.
"""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable
from typing import Any

from sandbox.telegram import VirtualClock

Action = Callable[[], object]


class Died(BaseException):
    """The process is dead. Whatever it would still do never happens: its transports refuse everything."""


def _closed() -> threading.Lock:
    """A lock that is taken until somebody lets go of it, once for each time: the cheapest hand-over."""
    lock = threading.Lock()
    lock.acquire()
    return lock


class Machine:
    """The events to come, in the order of their times."""

    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock
        self.baton = _closed()
        self._events: list[tuple[float, int, Action]] = []
        self._number = itertools.count()

    def at(self, moment: float, action: Action) -> None:
        """Do something at a time; one that has passed means next."""
        heapq.heappush(self._events, (moment, next(self._number), action))

    def after(self, seconds: float, action: Action) -> None:
        """Do something so many seconds from now."""
        self.at(self.clock() + seconds, action)

    def step(self) -> bool:
        """Let the next event happen; False when there is none."""
        if not self._events:
            return False
        moment, _, action = heapq.heappop(self._events)
        self.clock.until(moment)
        action()
        return True


class Process:
    """One process of the bot: a thread with transports of its own, frozen between invocations."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.dead = False
        self._gate = _closed()
        self._arrived: list[Action] = []
        self._waiting: object | None = None
        self._job: Callable[[], Any] | None = None
        self._done: Callable[[Any, BaseException | None], None] | None = None
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Return whether an invocation is under way."""
        return self._job is not None

    def run(self, job: Callable[[], Any], done: Callable[[Any, BaseException | None], None]) -> None:
        """Begin an invocation; ``done`` is told its result or what it raised (Died when it died)."""
        assert self._job is None
        assert not self.dead
        self._job, self._done = job, done
        if self._thread is None:
            self._thread = threading.Thread(target=self._live, daemon=True)
            self._thread.start()
        self._resume()

    def kill(self) -> None:
        """End it now, wherever it is. What it has sent off stays on its way."""
        self.dead = True
        if self._thread is not None and threading.current_thread() is not self._thread:
            self._resume()

    def deliver(self, arrival: Action) -> None:
        """Something from outside for the process, to be dealt with in its thread; the dead get nothing."""
        if self.dead:
            return
        self._arrived.append(arrival)
        if self._waiting is not None:
            self._resume()

    def wait(self, until: float | None = None) -> None:
        """In the process's thread: hand the baton back until something arrives, or that time comes."""
        self.alive()
        if not self._arrived:
            waiting = self._waiting = object()
            if until is not None:
                self.machine.at(until, lambda: self._time_out(waiting))
            self._hand_back()
            self._waiting = None
            self.alive()
        arrived, self._arrived = self._arrived, []
        for arrival in arrived:
            arrival()

    def alive(self) -> None:
        """Raises Died in a dead process."""
        if self.dead:
            raise Died

    def end(self) -> None:
        """Let the thread go; what is still under way dies."""
        if not self.dead:
            self.kill()
        if self._thread is not None:
            self._thread.join(10)

    def sleep(self, seconds: float) -> None:
        """In the process's thread: let time pass."""
        until = self.machine.clock() + seconds
        while self.machine.clock() < until:
            self.wait(until)

    def _time_out(self, waiting: object) -> None:
        if self._waiting is waiting and not self.dead:
            self._resume()

    def _resume(self) -> None:
        self._gate.release()
        self.machine.baton.acquire()

    def _hand_back(self) -> None:
        self.machine.baton.release()
        self._gate.acquire()

    def _live(self) -> None:
        try:
            self._work()
        finally:
            self.machine.baton.release()

    def _work(self) -> None:
        self._gate.acquire()
        while not self.dead:
            assert self._job is not None
            assert self._done is not None
            result, raised = None, None
            try:
                result = self._job()
            except BaseException as error:  # the invocation's own end, whatever it is
                raised = error
            job_done, self._job, self._done = self._done, None, None
            if self.dead:
                raised = raised if isinstance(raised, Died) else Died()
            job_done(result, raised)
            if self.dead:
                break
            self._hand_back()
