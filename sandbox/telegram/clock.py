"""Virtual time, so that a game of an hour takes a second."""

from __future__ import annotations

#: The beginning of virtual time, in seconds since 1970.
BEGINNING = 1_800_000_000.0


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
