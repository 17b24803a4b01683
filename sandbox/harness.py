"""The whole bot in one thread: Lambda's entries, a local table and queue, and the Telegram stand-in.

There are no sockets, and one clock drives everything.
"""

import asyncio
import base64
import hashlib
import random
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

from telegram.request import BaseRequest

from bot.display.board_picture import Draw
from bot.display.pictures import board_svg
from engine import Seat, View
from handlers import wakeup, webhook
from handlers.service.build import Built, build
from handlers.setup import webhook_parameters
from infra.configuration import Configuration
from infra.observability import Log
from infra.secrets import link_key_of
from local.dynamodb import Client, LocalTable
from local.invocation import LambdaContext, webhook_event
from local.queue import DelayQueue
from sandbox.beacon import StandinBeacon
from sandbox.telegram import Response, Telegram, VirtualClock
from sandbox.telegram.delivery import DEFAULT_CONNECTIONS
from sandbox.telegram.transport import StandinRequest

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

SECRET = "desk-secret"
TOKEN = "424242:desk-token-of-no-value"
TABLE = "chancellery-desk"
#: The key with which the bot signs links.
LINK_KEY = link_key_of(TOKEN)
#: The bot's configuration. None of it is secret.
ENVIRONMENT = {
    "TABLE_NAME": TABLE,
    "QUEUE_URL": "http://queue.invalid/desk",
    "WEBHOOK_SECRET": SECRET,
    "BOT_USERNAME": "chancellery_bot",
    "TELEGRAM_API_URL": "http://telegram.invalid",
}
#: Any credentials will do, since no request leaves this machine.
CREDENTIALS = {
    "aws_access_key_id": "nobody",
    "aws_secret_access_key": "nothing",
    "region_name": "eu-central-1",
}
_READS = ("GetItem", "Query")

#: A PNG of one grey pixel. Whatever follows it in a file is ignored.
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)


def sketch(board: View, theme: str, computers: tuple[Seat, ...] = ()) -> bytes:
    """Return a one-pixel PNG followed by the drawing's hash, so other boards give other bytes."""
    return PIXEL + hashlib.sha256(board_svg(board, theme, computers).encode()).digest()


class Harness:
    """The bot with its table, its queue and a Telegram."""

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
        """Build the bot.

        Args:
            client: the client of the table.
            clock: returns the seconds since 1970.
            validated: check every call to Telegram against aiogram's models.
            seed: the bot's entropy follows from it; None: real entropy.
            draw: draws the board.
            log: gets the bot's log lines.
            environment: adds to ``ENVIRONMENT``, or overrides it.
        """
        self.clock = clock
        self.client = client
        self.telegram = telegram_with_webhook(clock, validated=validated)
        self.queue = DelayQueue(clock)
        #: Requests to the table so far, by operation.
        self.requests: Counter[str] = Counter()
        self.beacon = StandinBeacon(clock, seed or 0)
        variables = {**ENVIRONMENT, "BOT_TOKEN": self.telegram.token, **(environment or {})}
        settings = Configuration.from_environment(variables)
        self.built: Built = build(
            settings,
            dynamodb=client,  # type: ignore[arg-type]
            sqs=lambda: self.queue,  # type: ignore[arg-type,return-value]
            request=self.transport(),
            clock=clock,
            log=log,
            wait_until=partial(_wait_until, clock) if isinstance(clock, VirtualClock) else None,
            entropy=(lambda: secrets.token_hex(32)) if seed is None else seeded_entropy(seed),
            draw=draw,
            beacon=self.beacon.beacon,
            beacon_client=self.beacon.client(),
        )
        if isinstance(client, Client):
            client.on_call.append(self._count_request)
        else:
            count = "before-call.dynamodb"
            client.meta.events.register(count, lambda model, **_: self._count_request(model.name))

    @property
    def reads(self) -> int:
        """Return the number of requests so far that read the table."""
        return sum(self.requests[name] for name in _READS)

    @property
    def writes(self) -> int:
        """Return the number of other requests: writes, whether they succeeded or not."""
        return self.requests.total() - self.reads

    def transport(self) -> BaseRequest:
        """Return the transport over which the bot calls Telegram."""
        return StandinRequest(self.telegram)

    def post(self, update: dict[str, Any], headers: dict[str, str]) -> Response:
        """Pass one update to the webhook's entry, as Lambda does."""
        return Response.of(webhook.respond(self.built, webhook_event(update, headers), LambdaContext()))

    def settle(self) -> None:
        """Deliver all updates and wake-ups that are due now."""
        while True:
            self.telegram.delivery.run_until_idle(self.post)
            batch = self.queue.due()
            if batch is None:
                return
            self.wake(batch)

    def wait_for_deal(self, sealed: Callable[[], bool]) -> None:
        """Advance virtual time from wake-up to wake-up until ``sealed`` returns False."""
        while sealed():
            at = self.queue.next_at
            assert at is not None, "no wake-up is queued to deal"
            assert isinstance(self.clock, VirtualClock)
            self.clock.until(at)
            self.settle()

    def wake(self, event: dict[str, Any]) -> None:
        """Pass an event to the wake-up entry: a batch of the queue, or the schedule's event."""
        wakeup.respond(self.built, event, LambdaContext())

    def close(self) -> None:
        """Close the bot's connections."""
        self.built.app.gateway.close()

    def watch(self) -> None:
        """Run the watchdog once, as the schedule does every few minutes."""
        self.wake({})

    def _count_request(self, operation: str) -> None:
        self.requests[operation] += 1


def telegram_with_webhook(clock: Callable[[], float], *, validated: bool = True) -> Telegram:
    """Return a Telegram with a webhook. It keeps the bot's updates until the caller delivers them."""
    telegram = Telegram(clock, validated=validated)
    telegram.call("setWebhook", webhook_parameters("https://bot.invalid/", SECRET, DEFAULT_CONNECTIONS))
    return telegram


#: How many turns of the event loop other tasks get before virtual time advances.
_TURNS = 50


async def _wait_until(clock: VirtualClock, moment: float) -> None:
    """Advance virtual time, but first let tasks send what they can send now."""
    for _ in range(_TURNS):
        await asyncio.sleep(0)
    clock.until(moment)


def seeded_entropy(seed: int) -> Callable[[], str]:
    """Return a source of entropy that follows from a seed."""
    rng = random.Random(f"entropy/{seed}")
    return lambda: rng.randbytes(32).hex()


def harness_in_memory(
    clock: Callable[[], float] | None = None, *, client: Client | None = None, **options: Any
) -> closing[Harness]:
    """Return a context manager of a harness on our own table. ``client`` may inject faults."""
    return closing(Harness(client or Client(LocalTable()), clock or VirtualClock(), **options))
