"""Measure a cold start under the real Lambda runtime interface, and compare it with a minimal bot."""

import random
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

from sandbox.buttons import data_with_verb, newest_with_button
from sandbox.lambda_runtime import (
    LambdaRuntime,
    LocalCloud,
    build_bundle,
    install_client,
    local_cloud,
    running_lambda,
)
from sandbox.measurements import table
from sandbox.random_players import RandomPlayers

#: The least that any bot with these libraries does at its start: import them, and create two clients (one
#: reads the secrets). With a chat, it also posts a message with python-telegram-bot.
FLOOR = """
import asyncio
import os
import telegram
import boto3
from pydantic import BaseModel, TypeAdapter
from telegram.request import HTTPXRequest
session = boto3.Session()
clients = [session.client("dynamodb"), session.client("secretsmanager")]

async def post(event):
    request = HTTPXRequest()
    url = os.environ["TELEGRAM_API_URL"] + "/bot"
    bot = telegram.Bot(event["token"], url, request=request, get_updates_request=request)
    await bot.send_message(event["chat"], "Hello")

def handler(event, context):
    if event:
        asyncio.run(post(event))
    return {"statusCode": 200}
"""
#: The goal for a cold start, as a multiple of the floor, for medians on an idle machine.
REACH = 1.45
WEBHOOK = "handlers.webhook.handler"
#: The number of players in the game whose taps start new processes.
PLAYERS = 7
#: The number of later updates, to measure a warm process.
WARM = 10


def play(cloud: LocalCloud) -> Iterator[Callable[[LambdaRuntime], object]]:
    """Yield what the next runtime delivers: the start of a game, and then one answer each time."""
    telegram = cloud.telegram
    people = [telegram.add_user(f"P{seat}", started=True) for seat in range(PLAYERS)]
    group = telegram.add_group("The Reichstag", people)

    def start(runtime: LambdaRuntime) -> None:
        telegram.send(people[0], group, "/newgame")
        cloud.deliver(runtime)
        for verb, users in (("join", people), ("start", people[:1])):
            for user in users:
                message = newest_with_button(group, verb)
                assert message is not None
                telegram.tap(user, message, data_with_verb(message, verb)[0])
                cloud.deliver(runtime)

    yield start
    players = RandomPlayers(telegram, people, random.Random(1), group)
    while prompts := players.prompts():
        for user, message in prompts:
            if players.tap(user, message):
                yield cloud.deliver


def measure(
    bundle: Path, client: Path, cloud: LocalCloud, scratch: Path, rounds: int = 12
) -> dict[str, float]:
    """Start a new process for each floor, for a command and for a tap; repeat this ``rounds`` times.

    Most taps are ballots, which are answered by a toast. After some the bot also sends messages; these taps
    have a name of their own. Return medians by name: milliseconds of CPU from a process's start to its first
    answer, and for ``warm`` of each later update. Memory (``… MB``) is peak memory; of the bot, the highest
    of all rounds.
    """
    floor = scratch / "floor"
    floor.mkdir()
    (floor / "floor.py").write_text(FLOOR)
    host = cloud.telegram.add_user("Ann", started=True)
    found: dict[str, list[float]] = defaultdict(list)
    game = play(cloud)
    start = next(game)

    def note(name: str, runtime: LambdaRuntime) -> None:
        cpu_ms, peak_mb = runtime.usage()
        found[name].append(cpu_ms)
        found["floor MB" if name == "floor" else "MB"].append(peak_mb)

    started = partial(running_lambda, environment=cloud.environment, client=client)
    posts = {"token": cloud.telegram.token, "chat": host.id}
    for number in range(rounds):
        for name, event in (("floor", {}), ("posting", posts)):
            with started(floor, "floor.handler", path=(bundle,)) as runtime:
                runtime.invoke(event)
                note(name, runtime)
        with started(bundle, WEBHOOK) as runtime:
            group = cloud.telegram.add_group("The Chancellery", [host])
            cloud.telegram.send(host, group, "/newgame")
            cloud.deliver(runtime)
            note("command", runtime)
            for _ in range(WARM):
                cloud.telegram.send(host, group, "/status")
            cloud.deliver(runtime)
            found["warm"].append((runtime.usage()[0] - found["command"][-1]) / WARM)
            if not number:
                start(runtime)
        with started(bundle, WEBHOOK) as runtime:
            earlier = len(cloud.telegram.journal)
            next(game)(runtime)
            called = any(call.via == "http" for call in cloud.telegram.journal[earlier:])
            note("tap that sends" if called else "tap", runtime)
    return {name: max(values) if name == "MB" else median(values) for name, values in found.items()}


def run() -> list[str]:
    """Measure with a bundle that is built for this machine."""
    with tempfile.TemporaryDirectory() as folder, local_cloud() as cloud:
        scratch = Path(folder)
        (scratch / "client").mkdir()
        client = install_client(scratch / "client")
        bundle = build_bundle(scratch / "task")
        found = measure(bundle, client, cloud, scratch)
    names = {
        "floor": "floor: imports of `telegram`, `boto3`, `pydantic`; two clients",
        "posting": "the same, with one message posted",
        "tap": "first answer: a ballot, which gets a toast",
        "tap that sends": "first answer: a tap after which messages are sent",
        "command": "first answer: `/newgame`",
    }
    command, tap = (found[name] / found["posting"] for name in ("command", "tap that sends"))
    memory = {"floor": f"{found['floor MB']:.0f}", "command": f"{found['MB']:.0f}"}
    rows = [
        [says, f"{found[name]:.0f}", f"{found[name] / found['floor']:.2f}", memory.get(name, "")]
        for name, says in names.items()
    ]
    return [
        *table(["", "CPU ms", "times the floor", "peak MB"], rows),
        "",
        f"Compared with the floor that posts: `/newgame` {command:.2f}, the tap that sends {tap:.2f}.",
        "",
        f"A warm process then takes {found['warm']:.1f} ms an update (`/status`), HTTP included.",
    ]
