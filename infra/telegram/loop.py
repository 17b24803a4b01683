"""One event loop for the life of a process."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Loop:
    """Runs coroutines one after another on the same loop.

    ``asyncio.run`` would close its loop each time, and the HTTP client's connections with it.
    """

    def __init__(self) -> None:
        self._runner: asyncio.Runner | None = None

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run to the end. Not for use inside a running loop."""
        if self._runner is None:
            # Made at the first use, not at the start. With SnapStart, Lambda takes a snapshot of the process
            # after the start, and the snapshot must not contain the loop's selector.
            self._runner = asyncio.Runner()
        return self._runner.run(coroutine)

    def close(self) -> None:
        """Close the loop; a later ``run`` opens a new one."""
        if self._runner is not None:
            self._runner.close()
            self._runner = None
