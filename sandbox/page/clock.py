"""The page's time: real time that leaps ahead where people are quicker than a group could be."""

import time
from collections.abc import Callable

from sandbox.clocks import LeapingClock

#: Average seconds between messages of the bot in a group when people play at their own pace. The bot writes
#: about twenty times a minute at most. A person who clicks fast would only see it wait.
APART = 5.0


class PageClock(LeapingClock):
    """Leaps also when messages to the group come too fast."""

    def __init__(self, real: Callable[[], float] = time.time) -> None:
        super().__init__(real)
        self._wrote = 0.0

    def wrote(self, messages: int) -> None:
        """Note that this many messages were just sent to the group, and leap to space them out."""
        if messages:
            self.leap_to(self._wrote + messages * APART)
            self._wrote = self()
