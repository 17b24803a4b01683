"""The whole bot on a desk: Lambda's entries, a local table and queue, and the Telegram stand-in.

Everything runs in this process and thread, without sockets, by one clock.
"""

import json
import random
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from moto import mock_aws

from handlers import wakeup, webhook
from handlers.build import Built, build
from handlers.display.board_picture import Draw
from infra.schema import create_table
from infra.settings import Settings
from infra.table import dynamodb_client
from sandbox.dynamodb import Client, Table
from sandbox.queue import DeskQueue
from sandbox.sketch import sketch
from sandbox.telegram import Response, Telegram, VirtualClock
from sandbox.telegram.transport import StandinRequest

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

SECRET = "desk-secret"
TABLE = "chancellery-desk"
#: Settings of a bot on a desk; nothing in it is worth keeping secret.
ENVIRONMENT = {
    "TABLE_NAME": TABLE,
    "QUEUE_URL": "http://queue.invalid/desk",
    "WEBHOOK_SECRET": SECRET,
    "BOT_USERNAME": "chancellery_bot",
    "TELEGRAM_API_URL": "http://telegram.invalid",
}
#: Any will do: nothing leaves this machine.
CREDENTIALS = {
    "aws_access_key_id": "nobody",
    "aws_secret_access_key": "nothing",
    "region_name": "eu-central-1",
}
_READS = ("GetItem", "Query")


class LambdaContext:
    """As much of Lambda's context as the entries use."""

    def get_remaining_time_in_millis(self) -> int:
        """Always plenty."""
        return 30_000


@dataclass
class Measured:
    """What the entries cost so far."""

    updates: int = 0
    seconds: float = 0.0
    store: dict[str, int] = field(default_factory=dict)

    @property
    def reads(self) -> int:
        """Requests that read the table."""
        return sum(self.store.get(name, 0) for name in _READS)

    @property
    def writes(self) -> int:
        """Requests that wrote to it, or tried to."""
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
    ) -> None:
        self.clock = clock
        self.client = client
        self.telegram = Telegram(clock, validated=validated)
        self.queue = DeskQueue(clock)
        self.measured = Measured()
        settings = Settings.from_environment({**ENVIRONMENT, "BOT_TOKEN": self.telegram.token})
        self.built: Built = build(
            settings,
            dynamodb=client,  # type: ignore[arg-type]
            sqs=lambda: self.queue,  # type: ignore[arg-type,return-value]
            request=StandinRequest(self.telegram),
            clock=clock,
            entropy=_fresh if seed is None else seeded(seed),
            draw=draw,
        )
        if isinstance(client, Client):
            client.on_call.append(self._count)
        else:
            client.meta.events.register("before-call.dynamodb", self._count_model)
        self.telegram.call("setWebhook", {"url": "https://desk.invalid/", "secret_token": SECRET})

    def post(self, update: dict[str, Any], headers: dict[str, str]) -> Response:
        """Hand one update to the webhook's entry, as Lambda does."""
        event = {"version": "2.0", "headers": headers, "body": json.dumps(update), "isBase64Encoded": False}
        began = time.thread_time()
        reply = webhook.respond(self.built, event, LambdaContext())
        self.measured.seconds += time.thread_time() - began
        self.measured.updates += 1
        return Response(reply["statusCode"], reply.get("body", ""), reply.get("headers", {}))

    def settle(self) -> None:
        """Deliver every update and every wake-up that is due now."""
        while True:
            self.telegram.delivery.run_until_idle(self.post)
            batch = self.queue.due()
            if batch is None:
                return
            self.wake(batch)

    def wake(self, event: dict[str, Any]) -> None:
        """Hand a batch of the queue, or the schedule's event, to the wake-up entry."""
        wakeup.respond(self.built, event, LambdaContext())

    def close(self) -> None:
        """Let go of what the bot holds open."""
        self.built.app.gateway.close()
        if not isinstance(self.client, Client):
            self.client.meta.events.unregister("before-call.dynamodb", self._count_model)

    def watch(self) -> None:
        """What the schedule does every few minutes."""
        self.wake({})

    def _count(self, operation: str) -> None:
        self.measured.store[operation] = self.measured.store.get(operation, 0) + 1

    def _count_model(self, model: Any, **_: Any) -> None:
        self._count(model.name)


@cache
def _client() -> "DynamoDBClient":
    # One for all desks of this process: reading the description of the service takes longer than a lobby.
    return dynamodb_client(**CREDENTIALS)


def _fresh() -> str:
    return secrets.token_hex(32)


def seeded(seed: int) -> Callable[[], str]:
    """Entropy that is the same for the same seed."""
    rng = random.Random(f"entropy/{seed}")
    return lambda: rng.randbytes(32).hex()


AnyDesk = TypeVar("AnyDesk", bound=Desk)


def desk(
    clock: Callable[[], float] | None = None, *, validated: bool = True, seed: int | None = None
) -> AbstractContextManager[Desk]:
    """A desk whose table is moto's, in this process. With a seed, its deals are always the same."""
    return desk_of(Desk, clock, validated=validated, seed=seed)


@contextmanager
def desk_of(
    make: type[AnyDesk],
    clock: Callable[[], float] | None = None,
    *,
    validated: bool = True,
    seed: int | None = None,
) -> Iterator[AnyDesk]:
    """The same, of a class of its own."""
    with mock_aws():
        client = _client()
        create_table(client, TABLE)
        opened = make(client, clock or VirtualClock(), validated=validated, seed=seed)
        try:
            yield opened
        finally:
            opened.close()


@contextmanager
def desk_in_memory(
    clock: Callable[[], float] | None = None,
    *,
    validated: bool = True,
    seed: int | None = None,
    client: Client | None = None,
) -> Iterator[Desk]:
    """A desk on a table of our own, much faster than moto's; ``client`` may put faults in."""
    opened = Desk(client or Client(Table()), clock or VirtualClock(), validated=validated, seed=seed)
    try:
        yield opened
    finally:
        opened.close()
