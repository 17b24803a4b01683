"""Fixtures for the operator's commands: local AWS, Telegram's stand-in, and a running game."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from click.testing import CliRunner, Result
from moto import mock_aws
from rich.console import Console

from infra.beacon import NotOutYet
from infra.store.items import OutboxEntry, RoomItem
from local.dynamodb import Client, LocalTable
from local.sqlite_table import open_table
from operate.bot import OUTPUTS, at_home, stack
from operate.commands import Run, main
from operate.output import Output
from sandbox.harness import CREDENTIALS, TABLE, Harness, harness_in_memory
from sandbox.telegram import VirtualClock
from sandbox.telegram.delivery import Webhook
from sandbox.telegram.transport import StandinRequest
from tests.system.table import Table

NAMES = ("Anastasia", "Bartholomew", "Clementine", "Dagobert", "Euphemia")
URL = "https://bot.invalid/"


@cache
def aws_client(name: str) -> Any:
    """Return moto's client. Make it once, because that takes longer than a test."""
    make: Any = boto3.client
    return make(name, **CREDENTIALS)


class Cloud:
    """The AWS services of a stack: moto's, and replacements for what moto lacks."""

    def __init__(self, table: Any) -> None:
        self.outputs: dict[str, str] = {}
        self.parameters: dict[str, str] = {}
        self.concurrency = 10
        #: The published version, as ``GetAlias`` returns it.
        self.alias: dict[str, Any] = {"FunctionVersion": "7"}
        self.variables: dict[str, str] = {}
        self.code = {"published": "one", None: "one"}
        self._made: dict[str, Any] = {"dynamodb": table}

    def __call__(self, name: str) -> Any:
        if name in ("cloudformation", "lambda"):
            return self
        return self._made.get(name) or aws_client(name)

    def describe_stacks(self, StackName: str) -> dict[str, Any]:  # noqa: N803
        if StackName != "game":
            response: Any = {"Error": {"Code": "ValidationError", "Message": "does not exist"}}
            raise ClientError(response, "DescribeStacks")
        listed = [{"OutputKey": key, "OutputValue": value} for key, value in self.outputs.items()]
        given = [{"ParameterKey": key, "ParameterValue": value} for key, value in self.parameters.items()]
        return {"Stacks": [{"Outputs": listed, "Parameters": given}]}

    def get_alias(self, FunctionName: str, Name: str) -> dict[str, Any]:  # noqa: N803
        assert (FunctionName in ("webhook", "wakeup"), Name) == (True, "published")
        return self.alias

    def get_function_configuration(self, FunctionName: str, Qualifier: str | None = None) -> Any:  # noqa: N803
        return {"Environment": {"Variables": self.variables}, "CodeSha256": self.code[Qualifier]}

    def get_account_settings(self) -> dict[str, Any]:
        limit = {"ConcurrentExecutions": self.concurrency, "UnreservedConcurrentExecutions": self.concurrency}
        return {"AccountLimit": limit}


class Operator:
    #: The services of the bot's stack, unless it runs at home.
    cloud: Cloud

    def __init__(self, harness: Harness, table: Table, opened: Callable[[ExitStack], Any]) -> None:
        self.harness = harness
        self.table = table
        self.rooms = harness.built.app.rooms
        self.key = table.name.key
        #: The seat of the first President.
        self.president = table.match().game.table.president
        self.opened = opened
        #: The key of a message that was set aside.
        self.aside = f"{self.key}|message|1"
        self.set_aside()

    @property
    def hook(self) -> Webhook:
        hook = self.harness.telegram.delivery.webhook
        assert hook is not None
        return hook

    def secret(self, name: str = "secret") -> str:
        return str(self.cloud("secretsmanager").get_secret_value(SecretId=name)["SecretString"])

    def send_dead_letters(self, count: int, body: str = "{}") -> tuple[Any, str]:
        """Put messages into the queue of dead letters; return SQS and the queue's address."""
        sqs, dead = self.cloud("sqs"), self.cloud.outputs["DeadLetterQueueUrl"]
        for _ in range(count):
            sqs.send_message(QueueUrl=dead, MessageBody=body)
        return sqs, dead

    def findings(self) -> dict[str, dict[str, str]]:
        return {row["what"]: row for row in self.json("doctor")["findings"]}

    def item(self) -> RoomItem:
        item = self.rooms.load(self.key)
        assert item is not None
        return item

    def set_aside(self, method: str = "sendMessage", target: str | None = None) -> None:
        """Set aside a private message, which no output may show."""
        entry = OutboxEntry(self.table.people[1].id, method, {"text": "You are Hitler."}, target=target)
        kept = self.harness.built.app.room_service.recorder.set_aside
        kept.put_message(self.key, "1", entry, "NetworkError")

    def __call__(self, *arguments: str, input: str = "", json_: bool = False) -> Result:
        console = Console(width=200, force_terminal=False)
        run = Run(Output(console=console), self.opened)
        with console.capture() as shown:
            options = ["--json"] if json_ else []
            result = CliRunner().invoke(main, [*options, *arguments], input=input, obj=run)
        result.stdout_bytes += shown.get().encode()
        return result

    def json(self, *arguments: str) -> Any:
        """Run a command without confirmation, and return its JSON output."""
        result = self("--yes", *arguments, json_=True)
        assert result.exit_code in (0, 1), result.output
        return json.loads(result.stdout)


def secrets_of(table: Table) -> list[str]:
    """Return what no output may contain: names and ids of people, roles and secrets."""
    people = [str(user.id) for user in table.people]
    return [*NAMES, *people, "fascist", "liberal", "hitler", table.tg.token, "desk-secret", "The Reichstag"]


class OutOfReach:
    """A client of the beacon without a network."""

    async def fetch(self, *_: object, **__: object) -> None:
        raise NotOutYet("no relay answers")


@pytest.fixture(autouse=True)
def no_drand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the doctor ask no relay: it would wait for the answer."""
    monkeypatch.setattr("operate.doctor.BeaconClient", OutOfReach)


@pytest.fixture
def cloud() -> Iterator[tuple[Cloud, Harness, Table]]:
    # Use our own table, because a game on moto's takes far longer.
    with mock_aws(), harness_in_memory(client=Client(LocalTable())) as harness:
        made = Cloud(harness.client)
        table = Table(harness).add_people(*NAMES).open(5)
        sqs, vault = made("sqs"), made("secretsmanager")
        queue, dead = (sqs.create_queue(QueueName=name)["QueueUrl"] for name in ("wakeups", "dead"))
        secrets = (("token", harness.telegram.token), ("secret", "desk-secret"))
        token, secret = (vault.create_secret(Name=n, SecretString=value)["Name"] for n, value in secrets)
        said = (TABLE, queue, dead, token, secret, URL, "4", "0", "webhook", "wakeup")
        made.outputs = dict(zip(OUTPUTS.values(), said, strict=True))
        yield made, harness, table


@pytest.fixture
def operator(cloud: tuple[Cloud, Harness, Table]) -> Operator:
    made, harness, table = cloud

    def opened(leaving: ExitStack) -> Any:
        request = StandinRequest(harness.telegram)
        reached = stack("game", made, clock=harness.clock, request=request, operator="olga")
        return leaving.enter_context(reached)

    operator = Operator(harness, table, opened)
    operator.cloud = made
    return operator


@pytest.fixture
def at_the_desk(tmp_path: Path) -> Operator:
    """Return the operator of a self-hosted bot that stopped in the middle of a game."""
    clock = VirtualClock()
    token = "424242:desk-token-of-no-value"
    path = tmp_path / "424242.sqlite3"
    with open_table(path) as kept, harness_in_memory(clock, client=Client(kept)) as harness:
        table = Table(harness).add_people(*NAMES).open(5)
        operator = Operator(harness, table, lambda leaving: opened(leaving))

    def opened(leaving: ExitStack) -> Any:
        request = StandinRequest(harness.telegram)
        more: dict[str, Any] = {"clock": clock, "request": request, "beacon": os.environ.get("BEACON")}
        return leaving.enter_context(at_home(tmp_path, token, operator="olga", **more))

    return operator
