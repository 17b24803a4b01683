"""Time that leaps where nobody would do anything but wait."""

from __future__ import annotations

import time
from collections.abc import Callable


class LeapingClock:
    """Seconds since 1970, ahead of ``real`` by all that was leapt over. Call it for the time."""

    def __init__(self, real: Callable[[], float] = time.time) -> None:
        self._real = real
        #: The seconds leapt over.
        self.leapt = 0.0

    def __call__(self) -> float:
        """Return the time, in seconds since 1970."""
        return self._real() + self.leapt

    def real(self, moment: float) -> float:
        """Return when a moment of this clock comes, in real time, if it does not leap before."""
        return moment - self.leapt

    def leap_to(self, moment: float) -> None:
        """Let it be this moment, if it is still to come."""
        self.leapt += max(0.0, moment - self())


def slowed(began: float, pace: float) -> Callable[[], float]:
    """Return a slowed clock: equal to the machine's at ``began``, then ``pace`` seconds for each second."""
    return lambda: began + (time.time() - began) * pace
