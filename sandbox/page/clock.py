"""The page's clock: real time that leaps ahead when people play faster than the group's limit allows."""

import time
from collections.abc import Callable

from sandbox.clocks import LeapingClock

#: Seconds of virtual time per message to the group. The bot writes at most about twenty times a minute there,
#: so a person who plays quickly would have to wait for it in real time.
APART = 5.0


class PageClock(LeapingClock):
    """A clock that also leaps when messages to the group come too quickly."""

    def __init__(self, real: Callable[[], float] = time.time) -> None:
        super().__init__(real)
        self._wrote = 0.0

    def wrote(self, messages: int) -> None:
        """Note that messages were just sent to the group, and leap so that they are far enough apart."""
        if messages:
            self.leap_to(self._wrote + messages * APART)
            self._wrote = self()
