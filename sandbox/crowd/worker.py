"""A worker: a thread with its own app and its own client of the table. It may be killed at any request.

Like a Lambda process, it does one job after another. To kill it, every further request of its app raises
``Killed``, and its next job gets a new app.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from handlers import wakeup, webhook
from handlers.service.build import Built, build
from infra.aws import client
from infra.observability import Log
from local.invocation import LambdaContext
from local.queue import QueueClient
from sandbox.beacon import STANDIN_CHAIN, StandinBeacon
from sandbox.sketch import sketch
from sandbox.telegram.delivery import Pending
from sandbox.telegram.transport import OfflineRequest

WEBHOOK, WAKEUP = "webhook", "wakeup"
_ENTRIES = {WEBHOOK: webhook.respond, WAKEUP: wakeup.respond}
_REFUSED = "ConditionalCheckFailedException"


class Killed(BaseException):
    """The worker is dead. The bot must not catch this."""


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
    #: The worker dies after this many requests and answers; None: it does not.
    dies_after: int | None = None
    #: The posts so far, as in ``messages``.
    sent: list[tuple[int, int]] = field(default_factory=list)
    #: Seconds that virtual time had leapt when the job began.
    leapt: float = 0.0

    def step(self) -> None:
        """Note a request or an answer. Raises Killed if the worker is dead from now on."""
        if self.dies_after is not None:
            self.dies_after -= 1
            if self.dies_after < 0:
                raise Killed


class Worker:
    """Do jobs, one after another.

    Args:
        parent: the simulation, which has Telegram and the queue.
        dynamodb: arguments of the client of the table.
    """

    def __init__(self, parent: Any, dynamodb: Mapping[str, Any]) -> None:
        self.job: Job | None = None
        self._parent = parent
        # Long time-outs, because a slow machine is not a fault. A single try, because requests to this table
        # do not get lost.
        self._dynamodb = client("dynamodb", connect=30, read=60, tries=1, **dynamodb)
        register: Any = self._dynamodb.meta.events.register
        register("before-parameter-build.dynamodb", self._asked)
        register("after-call.dynamodb", self._answered)
        self._built: Built | None = None

    def run(self, job: Job) -> Any:
        """Do a job and return the entry's reply. Raises Killed."""
        self.job = job
        self._built = self._built or self._build()
        try:
            return _ENTRIES[job.entry](self._built, job.event, LambdaContext())
        except Killed:
            self._built.app.gateway.close()
            self._built = None
            raise

    def close(self) -> None:
        """Close all connections."""
        if self._built is not None:
            self._built.app.gateway.close()
        self._dynamodb.close()

    def _build(self) -> Built:
        parent = self._parent
        queue: Any = QueueClient(self._enqueue)
        return build(
            parent.configuration,
            dynamodb=self._dynamodb,
            sqs=lambda: queue,
            request=WorkerRequest(self),
            clock=parent.clock,
            log=Log(parent.log),
            draw=sketch,
            beacon=STANDIN_CHAIN,
            beacon_client=StandinBeacon(parent.clock).client(),
        )

    def call(self, path: str, params: dict[str, Any], files: Any) -> tuple[int, bytes]:
        """Call Telegram."""
        assert self.job is not None
        self.job.step()
        answer: tuple[int, bytes] = self._parent.call(self.job, path, params, files)
        self.job.step()
        return answer

    def _enqueue(self, body: str, delay: float) -> None:
        assert self.job is not None
        self.job.step()
        self._parent.enqueue(body, delay)

    def _asked(self, params: Mapping[str, Any], context: dict[str, Any], **_: Any) -> None:
        assert self.job is not None
        self.job.step()
        # Only a save has a writer's token. Other writes, such as of leases, have none.
        named = params.get("ExpressionAttributeNames", {}).values()
        context["saves"] = "writer" in named or "writer" in params.get("Item", {})

    def _answered(self, parsed: Mapping[str, Any], context: Mapping[str, Any], **_: Any) -> None:
        code = parsed.get("Error", {}).get("Code")
        if context["saves"] and code in (None, _REFUSED):
            self._parent.saved(code is None)
        assert self.job is not None
        self.job.step()


class WorkerRequest(OfflineRequest):
    """python-telegram-bot's transport of a worker."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    async def answer_call(
        self, path: str, params: dict[str, Any], files: dict[str, bytes]
    ) -> tuple[int, bytes]:
        """Return Telegram's answer."""
        return self._worker.call(path, params, files)
