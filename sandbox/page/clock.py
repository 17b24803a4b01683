"""The page's time: real time that leaps ahead where people are quicker than a group could be."""

import time
from collections.abc import Callable

from sandbox.leaping import LeapingClock

#: Seconds that messages of the bot in a group lie apart, on average, when people play at their own pace.
#: The bot writes about twenty times a minute at most; whoever clicks through a game would only see it wait.
APART = 5.0


class PageClock(LeapingClock):
    """Leaps besides where messages to the group follow too fast."""

    def __init__(self, real: Callable[[], float] = time.time) -> None:
        super().__init__(real)
        self._wrote = 0.0

    def wrote(self, messages: int) -> None:
        """That many messages just went to the group: leap so far that they lie apart."""
        if messages:
            self.leap_to(self._wrote + messages * APART)
            self._wrote = self()
