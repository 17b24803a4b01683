"""Measure a cold start under the real Lambda runtime interface, and compare it with a minimal bot."""

from __future__ import annotations

import random
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from sandbox.lambda_runtime import LambdaRuntime, Usage, build_bundle, install_client, running_lambda
from sandbox.local_cloud import LocalCloud, local_cloud
from sandbox.measurements import Section, table
from sandbox.random_players import RandomPlayers
from sandbox.telegram import Chat, User
from sandbox.telegram.model import Message

#: The least that any bot with these libraries does at its start: import them, and create two clients (one
#: reads the secrets).
FLOOR = """
import telegram
import boto3
from pydantic import BaseModel, TypeAdapter
session = boto3.Session()
clients = [session.client("dynamodb"), session.client("secretsmanager")]

def handler(event, context):
    return {"statusCode": 200}
"""
#: The same, and it also posts a message with python-telegram-bot.
FLOOR_POSTING = (
    FLOOR
    + """
import asyncio
import os
from telegram.request import HTTPXRequest

async def post(event):
    request = HTTPXRequest()
    bot = telegram.Bot(event["token"], os.environ["TELEGRAM_API_URL"] + "/bot", None, request, request)
    await bot.send_message(event["chat"], "Hello")

def handler(event, context):
    asyncio.run(post(event))
    return {"statusCode": 200}
"""
)
#: The goal for a cold start, as a multiple of the floor, for medians on an idle machine.
REACH = 1.45
WEBHOOK = "handlers.webhook.handler"
#: The number of players in the game whose taps start new processes.
PLAYERS = 7
#: The number of later updates, to measure a warm process.
WARM = 10


@dataclass(frozen=True, slots=True)
class Cold:
    """Medians of all rounds. Times are a process's CPU milliseconds from its start to its first answer."""

    rounds: int
    floor_ms: float
    floor_mb: float
    #: The floor with a posted message.
    posting_ms: float
    #: The first update opens a lobby in a new room, and the bot posts the lobby.
    command_ms: float
    #: The first update is a tap in a running game.
    tap_ms: float
    #: Peak memory, the highest of all rounds.
    peak_mb: float
    #: Processor milliseconds for each later update, HTTP included.
    warm_ms: float

    @property
    def command_ratio(self) -> float:
        """Return the time of a start with a command, as a multiple of the floor."""
        return self.command_ms / self.floor_ms

    @property
    def posting_ratio(self) -> float:
        """Return the time of a start with a command, as a multiple of the floor with a posted message."""
        return self.command_ms / self.posting_ms

    @property
    def tap_ratio(self) -> float:
        """Return the time of a start with a tap, as a multiple of the floor."""
        return self.tap_ms / self.floor_ms


class _Game:
    """A game in which each tap may start a new process."""

    def __init__(self, cloud: LocalCloud) -> None:
        self.cloud = cloud
        self.rng = random.Random(1)
        self._waiting: list[tuple[User, Message]] = []
        self.players: RandomPlayers | None = None

    def open(self, runtime: LambdaRuntime) -> None:
        """Open a lobby, let everybody join, and start the game."""
        telegram = self.cloud.telegram
        people = [telegram.add_user(f"P{seat}", started=True) for seat in range(PLAYERS)]
        group = telegram.add_group("The Reichstag", people)
        telegram.send(people[0], group, "/newgame")
        self.cloud.deliver(runtime)
        for verb, users in (("join", people), ("start", people[:1])):
            for user in users:
                message, data = _button(group, verb)
                telegram.tap(user, message, data)
                self.cloud.deliver(runtime)
        self.players = RandomPlayers(telegram, people, self.rng, group, lambda: ())

    def tap(self) -> bool:
        """Let one seat answer; return False if no seat must answer."""
        assert self.players is not None
        self._waiting = self._waiting or list(self.players.prompts())
        while self._waiting:
            user, message = self._waiting.pop(0)
            if self.players.tap(user, message):
                return True
        return False


def _button(group: Chat, verb: str) -> tuple[Message, str]:
    for message in reversed(group.messages.values()):
        for button in message.buttons():
            if button.get("callback_data", "").startswith(f"{verb}|"):
                return message, button["callback_data"]
    raise LookupError(verb)


def measure(bundle: Path, client: Path, cloud: LocalCloud, scratch: Path, rounds: int = 9) -> Cold:
    """Start a new process for each floor, for a command and for a tap; repeat this ``rounds`` times."""
    floor = scratch / "floor"
    floor.mkdir()
    (floor / "floor.py").write_text(FLOOR)
    (floor / "posting.py").write_text(FLOOR_POSTING)
    host = cloud.telegram.add_user("Ann", started=True)
    floors: list[Usage] = []
    posting: list[Usage] = []
    commands: list[Usage] = []
    taps: list[Usage] = []
    warm: list[float] = []
    game = _Game(cloud)
    for _ in range(rounds):
        with running_lambda(
            floor, "floor.handler", cloud.environment, client=client, path=(bundle,)
        ) as runtime:
            runtime.invoke({})
            floors.append(runtime.usage())
        with running_lambda(
            floor, "posting.handler", cloud.environment, client=client, path=(bundle,)
        ) as runtime:
            runtime.invoke({"token": cloud.telegram.token, "chat": host.id})
            posting.append(runtime.usage())
        with running_lambda(bundle, WEBHOOK, cloud.environment, client=client) as runtime:
            group = cloud.telegram.add_group("The Chancellery", [host])
            cloud.telegram.send(host, group, "/newgame")
            cloud.deliver(runtime)
            commands.append(runtime.usage())
            for _ in range(WARM):
                cloud.telegram.send(host, group, "/status")
            cloud.deliver(runtime)
            warm.append((runtime.usage().cpu_ms - commands[-1].cpu_ms) / WARM)
            if game.players is None:
                game.open(runtime)
        with running_lambda(bundle, WEBHOOK, cloud.environment, client=client) as runtime:
            assert game.tap(), "the game is over"
            cloud.deliver(runtime)
            taps.append(runtime.usage())
    return Cold(
        rounds,
        median(usage.cpu_ms for usage in floors),
        median(usage.peak_mb for usage in floors),
        median(usage.cpu_ms for usage in posting),
        median(usage.cpu_ms for usage in commands),
        median(usage.cpu_ms for usage in taps),
        max(usage.peak_mb for usage in (*commands, *taps)),
        median(warm),
    )


def run(*, rounds: int = 9) -> Section:
    """Measure with a bundle that is built for this machine."""
    with tempfile.TemporaryDirectory() as folder, local_cloud() as cloud:
        scratch = Path(folder)
        (scratch / "client").mkdir()
        client = install_client(scratch / "client")
        bundle = build_bundle(scratch / "task")
        found = measure(bundle, client, cloud, scratch, rounds)
    floor = [
        "floor: imports of `telegram`, `boto3`, `pydantic`; two clients",
        found.floor_ms,
        1,
        f"{found.floor_mb:.0f}",
    ]
    posting = ["the same, with one message posted", found.posting_ms, found.posting_ms / found.floor_ms, ""]
    tap = ["first answer: a tap in a game", found.tap_ms, found.tap_ratio, ""]
    command = ["first answer: `/newgame`", found.command_ms, found.command_ratio, f"{found.peak_mb:.0f}"]
    rows = [[what, f"{ms:.0f}", f"{ratio:.2f}", mb] for what, ms, ratio, mb in (floor, posting, tap, command)]
    return Section(
        "Cold start and memory",
        f"""The shipped bundle, built for this machine, under AWS's runtime interface emulator and runtime
        client with Python 3.13. AWS and Telegram are on loopback ports, without TLS. Processor time of the
        whole process (with interpreter and runtime client) from its start to its first answer: medians of
        {rounds} rounds, floor and entry in turn. Memory: the highest peak of resident memory of all rounds.
        Goal:
        {REACH} times the floor; 160 MB.""",
        [
            *table(["", "CPU ms", "times the floor", "peak MB"], rows),
            "",
            f"`/newgame` posts its lobby: {found.posting_ratio:.2f} times the floor with a posted message.",
            "",
            f"A warm process then takes {found.warm_ms:.1f} ms an update (`/status`), HTTP included.",
        ],
    )
