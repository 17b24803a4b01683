"""Clocks that move only when told, or that leap ahead of real time."""

import time
from collections.abc import Callable

#: The beginning of virtual time, in seconds since 1970.
BEGINNING = 1_800_000_000.0
#: Seconds of virtual time per message to the page's group. The bot writes at most about twenty times a minute
#: there, so a person who plays quickly would have to wait for it in real time.
APART = 5.0


class VirtualClock:
    """A clock that moves only when told. Call it for the seconds since 1970."""

    def __init__(self, now: float = BEGINNING) -> None:
        self.now = now

    def __call__(self) -> float:
        """Return the time, in seconds since 1970."""
        return self.now

    def advance(self, seconds: float) -> float:
        """Move the clock forward and return the new time. Raises ValueError if ``seconds`` is negative."""
        if seconds < 0:
            raise ValueError("time does not run backwards")
        self.now += seconds
        return self.now

    def until(self, moment: float) -> float:
        """Move the clock forward to ``moment`` and return the time. A moment in the past changes nothing."""
        self.now = max(self.now, moment)
        return self.now


class PageClock:
    """A clock that runs with ``real`` and leaps ahead. Call it for the seconds since 1970.

    It also leaps when messages to the group come too quickly.
    """

    def __init__(self, real: Callable[[], float] = time.time) -> None:
        self._real = real
        #: The sum of all leaps in seconds.
        self.leapt = 0.0
        self._wrote = 0.0

    def __call__(self) -> float:
        """Return the time, in seconds since 1970."""
        return self._real() + self.leapt

    def real(self, moment: float) -> float:
        """Return the real time at which this clock will show ``moment`` if it does not leap before."""
        return moment - self.leapt

    def leap_to(self, moment: float) -> None:
        """Set the clock forward to ``moment``. A moment in the past changes nothing."""
        self.leapt += max(0.0, moment - self())

    def wrote(self, messages: int) -> None:
        """Note that messages were just sent to the group, and leap so that they are far enough apart."""
        if messages:
            self.leap_to(self._wrote + messages * APART)
            self._wrote = self()
