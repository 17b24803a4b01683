"""The one thread that owns the desk: it does what browsers ask, and whatever is due."""

import queue
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from typing import Any, TypeVar

from sandbox.page.clock import PageClock
from sandbox.page.recorder import RecordedDesk
from sandbox.page.scene import Cast, Scene

T = TypeVar("T")
Json = dict[str, Any]
#: Gets (kind, what) of everything for browsers: ``snapshot`` or ``news``. It is called in the thread.
Tell = Callable[[str, Json], None]


class Worker:
    """A scene in its own thread."""

    def __init__(self, cast: Cast, tell: Tell, *, validated: bool = False) -> None:
        self._cast = cast
        self._validated = validated
        self._tell = tell
        self._jobs: queue.SimpleQueue[Callable[[Scene], None] | None] = queue.SimpleQueue()
        self._closing = False
        self._again = False
        #: Grows with each message to browsers.
        self.sequence = 0
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)

    def start(self) -> None:
        """Open the desk. Jobs wait until it is open."""
        self._thread.start()

    def stop(self) -> None:
        """Close the desk, and wait until it is closed."""
        self._closing = True
        self._jobs.put(None)
        self._thread.join(10)

    def ask(self, job: Callable[[Scene], T]) -> "Future[T]":
        """Run a job with the scene, in its thread; return a future of its result."""
        future: Future[T] = Future()

        def run(scene: Scene) -> None:
            try:
                future.set_result(job(scene))
            except Exception as error:
                future.set_exception(error)

        self._jobs.put(run)
        return future

    def restart(self, cast: Cast) -> None:
        """Clear the desk and begin again with these people."""
        self._cast = cast
        self._again = True
        self._jobs.put(None)

    def _run(self) -> None:
        while not self._closing:
            self._again = False
            clock = PageClock()
            with closing(RecordedDesk(clock, validated=self._validated)) as opened:
                scene = Scene(opened, self._cast, clock)
                scene.lay()
                scene.news()
                self._say("snapshot", scene.snapshot())
                while not (self._closing or self._again):
                    self._turn(scene)

    def _turn(self, scene: Scene) -> None:
        try:
            job = self._jobs.get(timeout=max(0.0, scene.next_at - time.time()))
            if job is not None:
                job(scene)
        except queue.Empty:
            pass
        try:
            scene.tick()
        except Exception:
            # The desk goes on, as Lambda would; the developer sees why.
            traceback.print_exc()
            time.sleep(0.2)
        if news := scene.news():
            self._say("news", news)

    def _say(self, kind: str, what: Json) -> None:
        self.sequence += 1
        self._tell(kind, {"sequence": self.sequence, **what})
