"""The whole bot on a desk: Lambda's entries, a local table and queue, and the Telegram stand-in.

Everything runs in this process and thread, without sockets, by one clock.
"""

import asyncio
import random
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from telegram.request import BaseRequest

from bot.display.board_picture import Draw
from handlers import wakeup, webhook
from handlers.service.build import Built, build
from handlers.setup import webhook_parameters
from infra.configuration import Configuration
from infra.observability import Log
from infra.outbox.send import WaitUntil
from infra.secrets import link_key_of
from local.dynamodb import Client, LocalTable
from local.invocation import LambdaContext, webhook_event
from local.queue import DelayQueue
from sandbox.beacon import DeskBeacon
from sandbox.sketch import sketch
from sandbox.telegram import Response, Telegram, VirtualClock
from sandbox.telegram.delivery import DEFAULT_CONNECTIONS
from sandbox.telegram.transport import StandinRequest

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

SECRET = "desk-secret"
TOKEN = "424242:desk-token-of-no-value"
TABLE = "chancellery-desk"
#: The key with which the bot on a desk signs links.
LINK_KEY = link_key_of(TOKEN)
#: The configuration of a bot on a desk; none of it is secret.
ENVIRONMENT = {
    "TABLE_NAME": TABLE,
    "QUEUE_URL": "http://queue.invalid/desk",
    "WEBHOOK_SECRET": SECRET,
    "BOT_USERNAME": "chancellery_bot",
    "TELEGRAM_API_URL": "http://telegram.invalid",
}
#: Any credentials will do: nothing leaves this machine.
CREDENTIALS = {
    "aws_access_key_id": "nobody",
    "aws_secret_access_key": "nothing",
    "region_name": "eu-central-1",
}
_READS = ("GetItem", "Query")


@dataclass
class Measured:
    """The cost of the entries so far."""

    updates: int = 0
    seconds: float = 0.0
    store: dict[str, int] = field(default_factory=dict)

    @property
    def reads(self) -> int:
        """Return the number of requests that read the table."""
        return sum(self.store.get(name, 0) for name in _READS)

    @property
    def writes(self) -> int:
        """Return the number of requests that wrote to the table, or tried to."""
        return sum(count for name, count in self.store.items() if name not in _READS)


class Desk:
    """A bot, a table, a queue and a Telegram, wired together."""

    def __init__(
        self,
        client: "DynamoDBClient | Client",
        clock: Callable[[], float],
        *,
        validated: bool = True,
        seed: int | None = None,
        draw: Draw = sketch,
        log: Log | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """``environment`` adds to ``ENVIRONMENT``, or overrides it."""
        self.clock = clock
        self.client = client
        self.telegram = telegram(clock, validated=validated)
        self.queue = DelayQueue(clock)
        self.measured = Measured()
        advance = clock.advance if isinstance(clock, VirtualClock) else None
        self.beacon = DeskBeacon(clock, seed or 0, pause=advance)
        told = {**ENVIRONMENT, "BOT_TOKEN": self.telegram.token, **(environment or {})}
        settings = Configuration.from_environment(told)
        self.built: Built = build(
            settings,
            dynamodb=client,  # type: ignore[arg-type]
            sqs=lambda: self.queue,  # type: ignore[arg-type,return-value]
            request=self.transport(),
            clock=clock,
            log=log,
            wait_until=_waiting(clock) if isinstance(clock, VirtualClock) else None,
            entropy=_fresh if seed is None else seeded(seed),
            draw=draw,
            beacon=self.beacon.beacon,
            beacon_client=self.beacon.client(),
        )
        if isinstance(client, Client):
            client.on_call.append(self._count)
        else:
            client.meta.events.register("before-call.dynamodb", self._count_model)

    def transport(self) -> BaseRequest:
        """Return the bot's transport to Telegram."""
        return StandinRequest(self.telegram)

    def post(self, update: dict[str, Any], headers: dict[str, str]) -> Response:
        """Hand one update to the webhook's entry, as Lambda does."""
        event = webhook_event(update, headers)
        began = time.thread_time()
        reply = webhook.respond(self.built, event, LambdaContext())
        self.measured.seconds += time.thread_time() - began
        self.measured.updates += 1
        return Response.of(reply)

    def settle(self) -> None:
        """Deliver every update and every wake-up that is due now."""
        while True:
            self.telegram.delivery.run_until_idle(self.post)
            batch = self.queue.due()
            if batch is None:
                return
            self.wake(batch)

    def wait_for_deal(self, sealed: Callable[[], bool]) -> None:
        """Let virtual time pass from wake-up to wake-up as long as a game is ``sealed``."""
        while sealed():
            at = self.queue.next_at
            assert at is not None, "nobody comes to deal"
            assert isinstance(self.clock, VirtualClock)
            self.clock.until(at)
            self.settle()

    def wake(self, event: dict[str, Any]) -> None:
        """Hand a batch of the queue, or the schedule's event, to the wake-up entry."""
        wakeup.respond(self.built, event, LambdaContext())

    def close(self) -> None:
        """Close the bot's connections."""
        self.built.app.gateway.close()
        if not isinstance(self.client, Client):
            self.client.meta.events.unregister("before-call.dynamodb", self._count_model)

    def watch(self) -> None:
        """Do the schedule's work of every few minutes."""
        self.wake({})

    def _count(self, operation: str) -> None:
        self.measured.store[operation] = self.measured.store.get(operation, 0) + 1

    def _count_model(self, model: Any, **_: Any) -> None:
        self._count(model.name)


def telegram(clock: Callable[[], float], *, validated: bool = True) -> Telegram:
    """Return a Telegram that keeps a bot's updates until the code around it takes them to the webhook."""
    made = Telegram(clock, validated=validated)
    made.call("setWebhook", webhook_parameters("https://bot.invalid/", SECRET, DEFAULT_CONNECTIONS))
    return made


#: How many turns other tasks get before virtual time goes on.
_TURNS = 50


def _waiting(clock: VirtualClock) -> WaitUntil:
    """Return a wait that lets virtual time pass."""

    async def wait_until(moment: float) -> None:
        # Tasks that can send at once do so before time goes on.
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        clock.until(moment)

    return wait_until


def _fresh() -> str:
    return secrets.token_hex(32)


def seeded(seed: int) -> Callable[[], str]:
    """Return a source of entropy that a seed decides."""
    rng = random.Random(f"entropy/{seed}")
    return lambda: rng.randbytes(32).hex()


@contextmanager
def desk_in_memory(
    clock: Callable[[], float] | None = None,
    *,
    validated: bool = True,
    seed: int | None = None,
    client: Client | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Desk]:
    """Yield a desk on our own table (see ``local.dynamodb``); ``client`` may inject faults."""
    opened = Desk(
        client or Client(LocalTable()),
        clock or VirtualClock(),
        validated=validated,
        seed=seed,
        environment=environment,
    )
    try:
        yield opened
    finally:
        opened.close()
