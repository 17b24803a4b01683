"""Virtual time, and simulated processes: threads of which only one runs at a time, with asyncio's loop.

The thread that holds the baton runs. It hands the baton back when it waits for something from outside. So no
other thread runs between two requests, and everything happens in the order of virtual time.
"""

import asyncio
import heapq
import itertools
import threading
from collections.abc import Callable
from typing import Any

from infra.telegram.gateway import Loop
from sandbox.telegram import VirtualClock

Action = Callable[[], object]


class Died(BaseException):
    """The process is dead. Its transports raise this for whatever it still tries to send."""


def _locked() -> threading.Lock:
    """Return a lock that is already taken. Each release lets one waiting thread continue."""
    lock = threading.Lock()
    lock.acquire()
    return lock


class Machine:
    """Virtual time and a queue of events, ordered by time."""

    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock
        self.baton = _locked()
        self._events: list[tuple[float, int, Action]] = []
        self._number = itertools.count()

    def at(self, moment: float, action: Action) -> None:
        """Schedule an action. If ``moment`` has passed, the action runs next."""
        heapq.heappush(self._events, (moment, next(self._number), action))

    def after(self, seconds: float, action: Action) -> None:
        """Schedule an action for ``seconds`` from now."""
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
    """A simulated process: a thread that is stopped between invocations."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.loop = ProcessLoop(self)
        self.dead = False
        self._gate = _locked()
        self._arrived: list[Action] = []
        self._waiting: object | None = None
        self._job: Callable[[], Any] | None = None
        self._done: Callable[[Any, BaseException | None], None] | None = None
        self._thread: threading.Thread | None = None

    def run(self, job: Callable[[], Any], done: Callable[[Any, BaseException | None], None]) -> None:
        """Start an invocation. ``done`` gets its result, or its exception (Died if it was killed)."""
        assert self._job is None
        assert not self.dead
        self._job, self._done = job, done
        if self._thread is None:
            self._thread = threading.Thread(target=self._live, daemon=True)
            self._thread.start()
        self._resume()

    def kill(self) -> None:
        """Kill the process now. Requests that it has sent still arrive."""
        self.dead = True
        if self._thread is not None and threading.current_thread() is not self._thread:
            self._resume()

    def deliver(self, arrival: Action) -> None:
        """Run ``arrival`` in the process's thread. A dead process ignores it."""
        if self.dead:
            return
        self._arrived.append(arrival)
        if self._waiting is not None:
            self._resume()

    def wait(self, until: float | None = None) -> None:
        """Let other threads run until something arrives, or until a time. Call it in the process's thread."""
        self.check_alive()
        if not self._arrived:
            waiting = self._waiting = object()
            if until is not None:
                self.machine.at(until, lambda: self._time_out(waiting))
            self._hand_back()
            self._waiting = None
            self.check_alive()
        arrived, self._arrived = self._arrived, []
        for arrival in arrived:
            arrival()

    def check_alive(self) -> None:
        """Raise Died if the process is dead."""
        if self.dead:
            raise Died

    def end(self) -> None:
        """Kill the process and wait for its thread to end."""
        if not self.dead:
            self.kill()
        if self._thread is not None:
            self._thread.join(10)
        self.loop.close()

    def sleep(self, seconds: float) -> None:
        """Wait for some virtual seconds. Call it in the process's thread."""
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
        self._gate.acquire()
        try:
            while not self.dead:
                assert self._job is not None
                assert self._done is not None
                result, raised = None, None
                try:
                    result = self._job()
                except BaseException as error:  # ``job_done`` gets every result and every exception
                    raised = error
                job_done, self._job, self._done = self._done, None, None
                if self.dead:
                    raised = raised if isinstance(raised, Died) else Died()
                job_done(result, raised)
                if not self.dead:
                    self._hand_back()
        finally:
            self.machine.baton.release()


class VirtualLoop(asyncio.BaseEventLoop):
    """asyncio's event loop, in which the process replaces the selector and the machine gives the time."""

    def __init__(self, process: Process) -> None:
        super().__init__()
        self._process = process
        self._selector = self
        # Rounding errors must not make a timer miss its event.
        self._clock_resolution = 0.0005

    def time(self) -> float:
        """Return the virtual time."""
        return self._process.machine.clock()

    def select(self, timeout: float | None) -> list[Any]:
        """Wait until an answer arrives or the next timer is due. Answers run their own callbacks."""
        if timeout is None or timeout > 0:
            self._process.wait(None if timeout is None else self.time() + timeout)
        else:
            self._process.check_alive()
        return []

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Report an error, unless the process is dead: its unfinished work does not matter."""
        if not self._process.dead:
            super().call_exception_handler(context)

    def _process_events(self, event_list: list[Any]) -> None:
        assert not event_list

    def _write_to_self(self) -> None:
        """Do nothing, since no other thread wakes this loop."""


class ProcessLoop(Loop):
    """The event loop of a process."""

    def __init__(self, process: Process) -> None:
        super().__init__()
        self._process = process
        self._runner = asyncio.Runner(loop_factory=lambda: VirtualLoop(process))

    def close(self) -> None:
        """Close the loop without running its tasks, because a dead process must not continue."""
        if self._runner is None:
            return
        loop = self._runner.get_loop()
        for task in asyncio.all_tasks(loop):
            task._log_destroy_pending = False  # type: ignore[attr-defined]
        loop.close()
        self._runner = None
