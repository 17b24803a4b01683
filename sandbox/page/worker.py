"""The one thread that runs the bot. It does what browsers ask, and whatever is due."""

import asyncio
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from sandbox.clocks import PageClock
from sandbox.page.recorder import RecordedHarness
from sandbox.page.session import PageSession, PageSettings

T = TypeVar("T")
Json = dict[str, Any]
#: Is called in the thread with each message for browsers: its kind (``snapshot`` or ``news``) and content.
Tell = Callable[[str, Json], None]


class Worker:
    """A session in its own thread. The event loop ``loop`` wakes the thread when something is due."""

    session: PageSession

    def __init__(
        self, settings: PageSettings, tell: Tell, loop: asyncio.AbstractEventLoop, *, validated: bool = False
    ) -> None:
        """Start the thread. Jobs wait until the session is open."""
        self._tell = tell
        self._loop = loop
        self._validated = validated
        self._thread = ThreadPoolExecutor(1, "sandbox")
        self._alarm: asyncio.TimerHandle | None = None
        self._stopped = False
        #: Grows with each message to browsers.
        self.sequence = 0
        self._thread.submit(self._open, settings)

    def stop(self) -> None:
        """Close the session, and wait for the thread to end."""
        self._stopped = True
        self._thread.submit(self._close)
        self._thread.shutdown()

    def ask(self, job: Callable[[PageSession], T]) -> "Future[T]":
        """Run a job with the session, in its thread; return a future of its result."""
        return self._thread.submit(self._do, job)

    def restart(self, settings: PageSettings) -> None:
        """Replace the session with a new one that has these settings."""
        self._thread.submit(self._close)
        self._thread.submit(self._open, settings)

    def _open(self, settings: PageSettings) -> None:
        try:
            clock = PageClock()
            self.session = PageSession(RecordedHarness(clock, validated=self._validated), settings, clock)
            self.session.open_first_lobby()
            self.session.news()
            self._say("snapshot", self.session.snapshot())
            self._plan()
        except Exception:
            traceback.print_exc()
            raise

    def _close(self) -> None:
        self.session.harness.close()

    def _do(self, job: Callable[[PageSession], T]) -> T:
        try:
            return job(self.session)
        finally:
            self._tick()

    def _tick(self) -> None:
        try:
            self.session.tick()
        except Exception:
            # Print the error and go on, as Lambda does.
            traceback.print_exc()
            time.sleep(0.2)
        if news := self.session.news():
            self._say("news", news)
        self._plan()

    def _plan(self) -> None:
        if not self._stopped:
            seconds = max(0.0, self.session.next_at - time.time())
            self._loop.call_soon_threadsafe(self._wake_in, seconds)

    def _wake_in(self, seconds: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._loop.call_later(seconds, self._wake)

    def _wake(self) -> None:
        if not self._stopped:
            self._thread.submit(self._tick)

    def _say(self, kind: str, what: Json) -> None:
        self.sequence += 1
        self._tell(kind, {"sequence": self.sequence, **what})
