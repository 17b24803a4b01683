"""Virtual time, and processes: threads that take turns, since only the one with the baton runs.

A process hands the baton back when it waits for something from outside. So no other thread runs between two
requests, and everything happens in the order of virtual time.
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
    """The process is dead, and its transports refuse everything that it still tries."""


def _closed() -> threading.Lock:
    """Return a lock that is already taken. Each release lets one waiting thread through."""
    lock = threading.Lock()
    lock.acquire()
    return lock


class Machine:
    """A queue of future events, ordered by time."""

    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock
        self.baton = _closed()
        self._events: list[tuple[float, int, Action]] = []
        self._number = itertools.count()

    def at(self, moment: float, action: Action) -> None:
        """Schedule an action for a time. If that has passed, it comes next."""
        heapq.heappush(self._events, (moment, next(self._number), action))

    def after(self, seconds: float, action: Action) -> None:
        """Schedule an action some seconds from now."""
        self.at(self.clock() + seconds, action)

    def step(self) -> bool:
        """Run the next event; return False if there is none."""
        if not self._events:
            return False
        moment, _, action = heapq.heappop(self._events)
        self.clock.until(moment)
        action()
        return True


class Process:
    """One process of the bot: a thread with its own transports, frozen between invocations."""

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
        """Start an invocation. ``done`` gets its result, or what it raised (Died if it was killed)."""
        assert self._job is None
        assert not self.dead
        self._job, self._done = job, done
        if self._thread is None:
            self._thread = threading.Thread(target=self._live, daemon=True)
            self._thread.start()
        self._resume()

    def kill(self) -> None:
        """End it now, wherever it is. Requests that it has sent still arrive."""
        self.dead = True
        if self._thread is not None and threading.current_thread() is not self._thread:
            self._resume()

    def deliver(self, arrival: Action) -> None:
        """Bring an arrival to the process, to run in its thread. A dead process ignores it."""
        if self.dead:
            return
        self._arrived.append(arrival)
        if self._waiting is not None:
            self._resume()

    def wait(self, until: float | None = None) -> None:
        """Hand the baton back until something arrives or the time has come. For the process's own thread."""
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
        """Raise Died in a dead process."""
        if self.dead:
            raise Died

    def end(self) -> None:
        """End the thread, and kill its invocation if one is running."""
        if not self.dead:
            self.kill()
        if self._thread is not None:
            self._thread.join(10)

    def sleep(self, seconds: float) -> None:
        """Let time pass. For the process's own thread."""
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
            except BaseException as error:  # however the invocation ended, ``job_done`` gets it
                raised = error
            job_done, self._job, self._done = self._done, None, None
            if self.dead:
                raised = raised if isinstance(raised, Died) else Died()
            job_done(result, raised)
            if self.dead:
                break
            self._hand_back()
