"""Find a bot's table, queues, secrets and Telegram connection, in the cloud or on this machine."""

from __future__ import annotations

import getpass
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import botocore.exceptions
from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError
from telegram.request import BaseRequest

from infra.aws import client
from infra.configuration import TELEGRAM_API_URL
from infra.queue import WakeupQueue
from infra.store.archives import Archives
from infra.store.orders import Audit, Orders
from infra.store.pace import Pace
from infra.store.people import Users
from infra.store.rooms import Rooms
from infra.store.set_aside import SetAside
from infra.store.table import DynamoTable
from infra.telegram.gateway import Gateway
from local.bot_socket import connect_to_bot, socket_path
from local.dynamodb import Client
from local.queue import DelayQueue, QueueClient
from local.sqlite_table import InUse, Unusable, open_table

T = TypeVar("T")

#: The stack's outputs that are needed here: our name for each, and the name in ``template.yaml``.
OUTPUTS = {
    "table": "TableName",
    "queue": "WakeupQueueUrl",
    "dead_letters": "DeadLetterQueueUrl",
    "token": "BotTokenSecretId",
    "secret": "WebhookSecretId",
    "webhook": "WebhookUrl",
    "connections": "MaxConnections",
    "concurrency": "ReservedConcurrency",
    "webhook function": "WebhookFunctionName",
    "wakeup function": "WakeupFunctionName",
}

#: Returns a client of an AWS service, by the service's name.
Service = Callable[[str], Any]


class CannotRun(RuntimeError):
    """The command cannot run, for example because there is no such bot or room. The text says why."""


class NotDone(RuntimeError):
    """A command failed, or only half of it was done. The text says what to do."""


def user_name() -> str:
    """Return the name of the user who runs this, or their number if the system has no name for them."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())


@dataclass
class Bot:
    """A bot to operate, in the cloud or at home."""

    name: str
    store: DynamoTable
    gateway: Gateway
    wakeups: WakeupQueue
    clock: Callable[[], float] = time.time
    #: The stack's outputs, by the names in ``OUTPUTS``; empty at home.
    stack: Mapping[str, str] = field(default_factory=dict)
    #: The parameters of the stack's last deployment, by name; empty at home.
    parameters: Mapping[str, str] = field(default_factory=dict)
    service: Service | None = None
    #: Telegram's address, and a transport if it is not HTTP.
    api_url: str = TELEGRAM_API_URL
    request: BaseRequest | None = None
    #: The beacon's setting; None: drand's relays.
    beacon: str | None = None
    #: True if the bot at home is running.
    running: bool = False
    #: The operator's name for the audit.
    operator: str = field(default_factory=user_name)

    def __post_init__(self) -> None:
        self.rooms, self.users = Rooms(self.store, self.clock), Users(self.store, self.clock)
        self.archives, self.pace = Archives(self.store), Pace(self.store, self.clock)
        self.set_aside = SetAside(self.store, self.rooms, self.clock)
        self.orders, self.audit = Orders(self.store, self.clock), Audit(self.store, self.clock)

    @property
    def at_home(self) -> bool:
        """Return True if this is the bot on this machine."""
        return self.service is None

    @property
    def soon(self) -> str:
        """Say when a room will carry out a command."""
        if self.running:
            return "within half a minute"
        return "once the bot runs again" if self.at_home else "now"

    @property
    def everywhere(self) -> str:
        """Say when all processes will know an order."""
        return self.soon if self.at_home else "in every process within half a minute"

    def record(self, what: str, whom: str, act: Callable[[], T]) -> T:
        """Write an action and its target to the audit. Then do the action, and return its result."""
        self.audit.record(self.operator, what, whom)
        return act()

    def call(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Call a method of the Bot API. Raises WireError."""
        return self.gateway.run(self.gateway.call(method, params or {}))

    def cloud(self, name: str) -> Any:
        """Return a client of an AWS service. Raises CannotRun at home."""
        if self.service is None:
            raise CannotRun("the bot on one machine has no such thing")
        return self.service(name)


_aws: Service = partial(client, connect=3, read=20, tries=3)


@contextmanager
def stack(name: str, service: Service = _aws, **more: Any) -> Iterator[Bot]:
    """Yield a stack's bot, found by its outputs. boto3 finds region and credentials as it always does.

    Raises CannotRun if AWS is out of reach or gives no such stack, or if the stack lacks an output because
    it was deployed by an older version of the code.
    """
    try:
        found = service("cloudformation").describe_stacks(StackName=name)["Stacks"][0]
    except (HTTPClientError, botocore.exceptions.ConnectionError) as error:
        kind = type(error).__name__
        raise CannotRun(f"AWS is out of reach from here ({kind}): look at the network") from None
    except (ClientError, BotoCoreError) as error:
        why = type(error).__name__
        if isinstance(error, ClientError):
            why = error.response.get("Error", {}).get("Message", "AWS does not say why")
        raise CannotRun(f"stack {name!r}: {why}") from None
    outputs = {output["OutputKey"]: output["OutputValue"] for output in found.get("Outputs", ())}
    if missing := sorted(set(OUTPUTS.values()) - outputs.keys()):
        raise CannotRun(f"stack {name!r} has no output {', '.join(missing)}: deploy this version first")
    named = {ours: outputs[theirs] for ours, theirs in OUTPUTS.items()}
    secrets = service("secretsmanager")

    def token(fresh: bool) -> str:
        return str(secrets.get_secret_value(SecretId=named["token"])["SecretString"])

    clock: Callable[[], float] = more.pop("clock", time.time)
    parameters = {one["ParameterKey"]: one["ParameterValue"] for one in found.get("Parameters", ())}
    with closing(Gateway(token, more.get("api_url", TELEGRAM_API_URL), more.get("request"))) as gateway:
        table = DynamoTable(service("dynamodb"), named["table"])
        wakeups = WakeupQueue(named["queue"], clock, lambda: service("sqs"))
        beacon = parameters.get("Beacon")
        yield Bot(name, table, gateway, wakeups, clock, named, parameters, service, beacon=beacon, **more)


@contextmanager
def at_home(folder: Path, token: str, **more: Any) -> Iterator[Bot]:
    """Yield the bot on this machine. If it runs, use its socket, else open its file. Raises CannotRun."""
    number = token.partition(":")[0]
    path = folder / f"{number}.sqlite3"
    if not token:
        raise CannotRun("BOT_TOKEN is not set: which bot is it?")
    if not path.exists():
        raise CannotRun(f"{path} is not there: that bot never ran here")
    clock: Callable[[], float] = more.pop("clock", time.time)
    url, request = more.get("api_url", TELEGRAM_API_URL), more.get("request")
    try:
        with (
            closing(Gateway(lambda fresh: token, url, request)) as gateway,
            _store(path, socket_path(folder, number), clock) as (client, queue, running),
        ):
            table = DynamoTable(client, "home")  # type: ignore[arg-type]
            wakeups = WakeupQueue("http://queue.invalid/home", clock, lambda: queue)  # type: ignore[arg-type,return-value]
            yield Bot(f"home: {path}", table, gateway, wakeups, clock, running=running, **more)
    except InUse:
        raise CannotRun(f"{path} is in use, and no bot of this version answers: stop what uses it") from None
    except Unusable as error:
        raise CannotRun(str(error)) from None


@contextmanager
def _store(
    path: Path, bot_socket: Path, clock: Callable[[], float]
) -> Iterator[tuple[Client, QueueClient, bool]]:
    """Yield the store's client, the queue, and True if the bot is running."""
    bot = connect_to_bot(bot_socket)
    if bot is not None:
        with closing(bot):
            yield Client(bot.run), QueueClient(bot.put), True
    else:
        with open_table(path) as table:
            yield Client(table), DelayQueue(clock), False
