"""A clock that can leap, so that nobody has to wait in real time."""

from __future__ import annotations

import time
from collections.abc import Callable


class LeapingClock:
    """A clock ahead of ``real`` by all its leaps. Call it for the time in seconds since 1970."""

    def __init__(self, real: Callable[[], float] = time.time) -> None:
        self._real = real
        #: The seconds of all leaps.
        self.leapt = 0.0

    def __call__(self) -> float:
        """Return the time, in seconds since 1970."""
        return self._real() + self.leapt

    def real(self, moment: float) -> float:
        """Return the real time of a moment of this clock, if there is no leap before it."""
        return moment - self.leapt

    def leap_to(self, moment: float) -> None:
        """Leap to a moment, unless it has passed."""
        self.leapt += max(0.0, moment - self())


def slowed(began: float, pace: float) -> Callable[[], float]:
    """Return a slowed clock: equal to the machine's at ``began``, then ``pace`` seconds for each second."""
    return lambda: began + (time.time() - began) * pace
