"""The parent's side of the worker processes: assign jobs, read messages, replace dead workers."""

from __future__ import annotations

import os
import selectors
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from sandbox.telegram.delivery import Pending

from .worker import WorkerSettings, work

DIED = ("died",)
#: A message from a worker: its kind, then its contents. ``DIED`` means that the worker is dead.
Incoming = tuple[Any, ...]


@dataclass(slots=True, eq=False)
class Job:
    """One invocation of an entry."""

    entry: str
    event: dict[str, Any]
    #: Telegram's update; None for a wake-up.
    pending: Pending | None = None
    #: The queue's message; None for an update and for the schedule.
    wakeup: str | None = None
    #: True if Telegram lost the connection and does not read the reply.
    broken: bool = False
    #: The posts so far, as in ``messages``.
    sent: list[tuple[int, int]] = field(default_factory=list)
    #: Seconds that virtual time had leapt when the job began.
    leapt: float = 0.0
    began: float = field(default_factory=time.monotonic)


@dataclass(slots=True, eq=False)
class Worker:
    """A worker process and its current job."""

    process: BaseProcess
    pipe: Connection
    job: Job | None = None
    ready: bool = False
    #: When to kill it (``time.monotonic``), unless its job is done first.
    kill_at: float | None = None
    #: Processor seconds used so far.
    cpu: float = 0.0


class WorkerPool:
    """A fixed number of worker processes. A worker that dies is replaced."""

    def __init__(self, workers: int, settings: WorkerSettings) -> None:
        # A new worker is forked from a process that has imported everything, so it starts quickly.
        self._context = get_context("forkserver")
        self._context.set_forkserver_preload(["sandbox.crowd.worker"])
        self._settings = settings
        self._selector = selectors.DefaultSelector()
        self.workers: list[Worker] = []
        self.killed = 0
        self.cpu = 0.0
        self.busy_seconds, self.jobs = 0.0, 0
        for _ in range(workers):
            self._start_worker()

    def idle(self) -> list[Worker]:
        """Return the workers that are free for a job."""
        return [worker for worker in self.workers if worker.ready and worker.job is None]

    @property
    def has_jobs(self) -> bool:
        """Return True if a worker has a job."""
        return any(worker.job is not None for worker in self.workers)

    @property
    def busy(self) -> bool:
        """Return True if a worker has a job, or is still starting."""
        return any(worker.job is not None or not worker.ready for worker in self.workers)

    @property
    def oldest(self) -> float | None:
        """Return the seconds that time had leapt when the oldest unfinished job began."""
        return min((worker.job.leapt for worker in self.workers if worker.job is not None), default=None)

    def assign(self, worker: Worker, job: Job, leapt: float) -> None:
        """Send a job to a worker. ``leapt``: the seconds that virtual time has leapt so far."""
        worker.job, job.leapt = job, leapt
        with suppress(OSError):  # it was just killed; ``messages`` will report that
            worker.pipe.send((job.entry, job.event, leapt))

    def answer(self, worker: Worker, number: int, answer: tuple[int, bytes]) -> None:
        """Send a worker Telegram's answer to its call."""
        with suppress(OSError):
            worker.pipe.send(("answer", number, answer))

    def kill_soon(self, worker: Worker, chance: float) -> None:
        """Have a worker killed after ``chance`` (0–1) times twice the average duration of a job."""
        usual = self.busy_seconds / self.jobs if self.jobs else 0.05
        worker.kill_at = time.monotonic() + 2 * usual * chance

    def messages(self, patience: float) -> Iterator[tuple[Worker, Incoming]]:
        """Wait at most ``patience`` seconds for workers' messages; yield them. Kill due workers."""
        kill_times = [worker.kill_at for worker in self.workers if worker.kill_at is not None]
        if kill_times:
            patience = min(patience, max(0.0, min(kill_times) - time.monotonic()))
        for key, _ in self._selector.select(patience):
            worker: Worker = key.data
            try:
                said = worker.pipe.recv()
            except (EOFError, OSError):  # dead, perhaps in the middle of a message
                said = DIED
                self._replace(worker)
            if said[0] == "ready":
                worker.ready = True
            else:
                yield worker, said
        self._kill_due()

    def free(self, worker: Worker) -> Job:
        """Take a worker's job from it, done or not; return the job."""
        job, worker.job, worker.kill_at = worker.job, None, None
        assert job is not None
        self.busy_seconds += time.monotonic() - job.began
        self.jobs += 1
        return job

    def close(self) -> None:
        """End all workers."""
        for worker in list(self.workers):
            worker.process.kill()
            self._remove(worker)
        self._selector.close()

    def _start_worker(self) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=work, args=(theirs, self._settings), daemon=True)
        process.start()
        theirs.close()
        worker = Worker(process, ours)
        self._selector.register(ours, selectors.EVENT_READ, worker)
        self.workers.append(worker)

    def _kill_due(self) -> None:
        now = time.monotonic()
        for worker in self.workers:
            if worker.kill_at is not None and worker.kill_at <= now and worker.process.pid is not None:
                os.kill(worker.process.pid, signal.SIGKILL)
                worker.kill_at = None
                self.killed += 1

    def _replace(self, worker: Worker) -> None:
        self._remove(worker)
        self._start_worker()

    def _remove(self, worker: Worker) -> None:
        self.cpu += worker.cpu
        self._selector.unregister(worker.pipe)
        worker.pipe.close()
        worker.process.join()
        worker.process.close()
        self.workers.remove(worker)
