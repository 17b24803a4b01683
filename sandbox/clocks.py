"""A clock that can jump ahead of real time."""

from __future__ import annotations

import time
from collections.abc import Callable


class LeapingClock:
    """A clock that runs with ``real`` but can jump ahead. Call it for the seconds since 1970."""

    def __init__(self, real: Callable[[], float] = time.time) -> None:
        self._real = real
        #: The sum of all leaps in seconds.
        self.leapt = 0.0

    def __call__(self) -> float:
        """Return the time, in seconds since 1970."""
        return self._real() + self.leapt

    def real(self, moment: float) -> float:
        """Return the real time at which this clock will show ``moment`` if it does not leap before."""
        return moment - self.leapt

    def leap_to(self, moment: float) -> None:
        """Set the clock forward to ``moment``. A moment in the past changes nothing."""
        self.leapt += max(0.0, moment - self())
