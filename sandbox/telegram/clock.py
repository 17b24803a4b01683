"""Virtual time, so that an hour's game takes a second."""

from __future__ import annotations

#: The beginning of virtual time, in seconds since 1970.
BEGINNING = 1_800_000_000.0


class VirtualClock:
    """A clock that moves only when told; call it for the seconds since the epoch."""

    def __init__(self, now: float = BEGINNING) -> None:
        self.now = now

    def __call__(self) -> float:
        """Return the time, in seconds since 1970."""
        return self.now

    def advance(self, seconds: float) -> float:
        """Move on by ``seconds`` (not negative) and return the new time."""
        if seconds < 0:
            raise ValueError("time does not run backwards")
        self.now += seconds
        return self.now

    def until(self, moment: float) -> float:
        """Move on to ``moment``; a moment already past changes nothing."""
        self.now = max(self.now, moment)
        return self.now
