"""The one thread that runs the bot. It does what browsers ask, and whatever is due."""

import queue
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from typing import Any, TypeVar

from sandbox.page.clock import PageClock
from sandbox.page.recorder import RecordedHarness
from sandbox.page.session import PageSession
from sandbox.page.settings import PageSettings

T = TypeVar("T")
Json = dict[str, Any]
#: Is called in the thread with each message for browsers: its kind (``snapshot`` or ``news``) and content.
Tell = Callable[[str, Json], None]


class Worker:
    """A session in its own thread."""

    def __init__(self, settings: PageSettings, tell: Tell, *, validated: bool = False) -> None:
        self._settings = settings
        self._validated = validated
        self._tell = tell
        self._jobs: queue.SimpleQueue[Callable[[PageSession], None] | None] = queue.SimpleQueue()
        self._closing = False
        self._again = False
        #: Grows with each message to browsers.
        self.sequence = 0
        self._thread = threading.Thread(target=self._run, name="sandbox", daemon=True)

    def start(self) -> None:
        """Start the thread. Jobs wait until the session is open."""
        self._thread.start()

    def stop(self) -> None:
        """Close the session, and wait for the thread to end."""
        self._closing = True
        self._jobs.put(None)
        self._thread.join(10)

    def ask(self, job: Callable[[PageSession], T]) -> "Future[T]":
        """Run a job with the session, in its thread; return a future of its result."""
        future: Future[T] = Future()

        def run(session: PageSession) -> None:
            try:
                future.set_result(job(session))
            except Exception as error:
                future.set_exception(error)

        self._jobs.put(run)
        return future

    def restart(self, settings: PageSettings) -> None:
        """Replace the session with a new one that has these settings."""
        self._settings = settings
        self._again = True
        self._jobs.put(None)

    def _run(self) -> None:
        while not self._closing:
            self._again = False
            clock = PageClock()
            with closing(RecordedHarness(clock, validated=self._validated)) as opened:
                session = PageSession(opened, self._settings, clock)
                session.open_first_lobby()
                session.news()
                self._say("snapshot", session.snapshot())
                while not (self._closing or self._again):
                    self._turn(session)

    def _turn(self, session: PageSession) -> None:
        try:
            job = self._jobs.get(timeout=max(0.0, session.next_at - time.time()))
            if job is not None:
                job(session)
        except queue.Empty:
            pass
        try:
            session.tick()
        except Exception:
            # Print the error and go on, as Lambda does.
            traceback.print_exc()
            time.sleep(0.2)
        if news := session.news():
            self._say("news", news)

    def _say(self, kind: str, what: Json) -> None:
        self.sequence += 1
        self._tell(kind, {"sequence": self.sequence, **what})
