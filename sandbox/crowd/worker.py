"""A worker process with its own app, a real client of the table, and a pipe to the parent.

Like a Lambda process, it does one job after another, and may be killed at any moment. It sends its calls to
Telegram, its wake-ups and its counts over the pipe.
"""

from __future__ import annotations

import asyncio
import itertools
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from handlers import wakeup, webhook
from handlers.service.build import build
from infra.aws import client
from infra.configuration import Configuration
from infra.observability import Log
from local.invocation import LambdaContext
from local.queue import QueueClient
from sandbox.beacon import STANDIN_CHAIN, StandinBeacon
from sandbox.clocks import LeapingClock, slow_clock
from sandbox.sketch import sketch
from sandbox.telegram.transport import OfflineRequest

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

#: Virtual seconds for each real one. A tap waits at most 150 virtual seconds for its answer, and a busy
#: machine is slow.
PACE = 0.1
WEBHOOK, WAKEUP = "webhook", "wakeup"
Prepare = Callable[[], None]
_REFUSED = "ConditionalCheckFailedException"


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """The settings of all workers.

    ``began``: when virtual time began. ``prepare`` runs first in each process. Tests use it to break the bot.
    """

    began: float
    environment: Mapping[str, str]
    dynamodb: Mapping[str, Any]
    prepare: Prepare | None = None


@dataclass(slots=True)
class Tally:
    """Count how often a worker saves a room."""

    saves: int = 0
    conflicts: int = 0

    def watch(self, dynamodb: DynamoDBClient) -> None:
        """Count this client's saves from now on, and the saves that another writer beat."""
        register: Any = dynamodb.meta.events.register
        register("before-parameter-build.dynamodb", self._sent)
        register("after-call.dynamodb", self._answered)

    def _sent(self, params: Mapping[str, Any], context: dict[str, Any], **_: Any) -> None:
        # Only a save has a writer's token. Other writes, such as of leases, have none.
        named = params.get("ExpressionAttributeNames", {}).values()
        context["saves"] = "writer" in named or "writer" in params.get("Item", {})

    def _answered(self, parsed: Mapping[str, Any], context: Mapping[str, Any], **_: Any) -> None:
        if context["saves"]:
            code = parsed.get("Error", {}).get("Code")
            self.saves += code is None
            self.conflicts += code == _REFUSED


def crowd_clock(began: float) -> LeapingClock:
    """Return a clock of virtual time, which is slower than real time and can leap."""
    return LeapingClock(slow_clock(began, PACE))


@dataclass(slots=True)
class ParentPipe:
    """The worker's end of the pipe to the parent."""

    pipe: Connection
    _waiting: dict[int, asyncio.Future[tuple[int, bytes]]] = field(default_factory=dict)
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _watched: bool = False

    def tell(self, *what: object) -> None:
        """Send a message to the parent. It arrives even if this process is then killed."""
        self.pipe.send(what)

    async def call(self, *what: object) -> tuple[int, bytes]:
        """Call Telegram and wait for its answer. Several calls may run at once."""
        loop = asyncio.get_running_loop()
        if not self._watched:
            loop.add_reader(self.pipe.fileno(), self._arrived)
            self._watched = True
        number = next(self._numbers)
        answer = self._waiting[number] = loop.create_future()
        self.tell("call", number, *what)
        try:
            return await answer
        finally:
            del self._waiting[number]

    def job(self) -> Any:
        """Wait for the next job; return None if the parent is gone."""
        while True:
            try:
                said = self.pipe.recv()
            except (EOFError, OSError):
                return None
            if said[0] != "answer":  # an answer between jobs came too late
                return said

    def _arrived(self) -> None:
        _, number, answer = self.pipe.recv()
        waiting = self._waiting.get(number)
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)


class PipeRequest(OfflineRequest):
    """python-telegram-bot's transport, which sends calls to the parent."""

    def __init__(self, parent: ParentPipe) -> None:
        self._parent = parent

    async def answer_call(
        self, path: str, params: dict[str, Any], files: dict[str, bytes]
    ) -> tuple[int, bytes]:
        """Return the parent's answer."""
        return await self._parent.call(path, params, files)


def work(pipe: Connection, settings: WorkerSettings) -> None:
    """Do jobs until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers itself
    if settings.prepare is not None:
        settings.prepare()
    parent, clock, tally = ParentPipe(pipe), crowd_clock(settings.began), Tally()
    # Long time-outs, because a slow machine is not a fault. A single try, because requests to this table do
    # not get lost.
    dynamodb = client("dynamodb", connect=30, read=60, tries=1, **settings.dynamodb)
    tally.watch(dynamodb)
    queue: Any = QueueClient(lambda body, delay: parent.tell("queue", body, delay))
    built = build(
        Configuration.from_environment(settings.environment),
        dynamodb=dynamodb,
        sqs=lambda: queue,
        request=PipeRequest(parent),
        clock=clock,
        log=Log(lambda level, said: None if level == "METRIC" else parent.tell("log", said)),
        draw=sketch,
        beacon=STANDIN_CHAIN,
        beacon_client=StandinBeacon(clock).client(),
    )
    entries = {WEBHOOK: webhook.respond, WAKEUP: wakeup.respond}
    parent.tell("ready")
    while (job := parent.job()) is not None:
        entry, event, clock.leapt = job
        try:
            reply: Any = entries[entry](built, event, LambdaContext())
        except Exception as error:  # as in Lambda: the invocation fails, the process goes on
            parent.tell("log", {"event": "raised", "error": type(error).__name__})
            reply = None
        parent.tell("done", reply, tally.saves, tally.conflicts, time.process_time())
        tally.saves = tally.conflicts = 0
    built.app.gateway.close()
    dynamodb.close()
