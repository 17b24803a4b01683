"""asyncio's event loop in virtual time. When it has nothing to do, its process lets others run."""

from __future__ import annotations

import asyncio
from typing import Any

from infra.telegram.loop import Loop

from .machine import Process


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
