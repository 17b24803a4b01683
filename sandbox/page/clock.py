"""The page's time: real time that leaps ahead where people are quicker than a group could be."""

import time
from collections.abc import Callable

#: Seconds that messages of the bot in a group lie apart, on average, when people play at their own pace.
#: The bot writes about twenty times a minute at most; whoever clicks through a game would only see it wait.
APART = 5.0


class LeapingClock:
    """Seconds since 1970, running ahead of ``real`` by ``ahead`` seconds. Call it for the time."""

    def __init__(self, real: Callable[[], float] = time.time) -> None:
        self._real = real
        self.ahead = 0.0
        self._wrote = 0.0

    def __call__(self) -> float:
        """The time, in seconds since 1970."""
        return self._real() + self.ahead

    def real(self, moment: float) -> float:
        """When a moment of this clock comes, in real time, if it does not leap before."""
        return moment - self.ahead

    def leap_to(self, moment: float) -> None:
        """Let it be this moment, if it is still to come."""
        self.ahead += max(0.0, moment - self())

    def wrote(self, messages: int) -> None:
        """So many messages went to the group just now: leap so far that they lie apart."""
        if messages:
            self.ahead += max(0.0, self._wrote + messages * APART - self())
            self._wrote = self()
