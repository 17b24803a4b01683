"""``python -m sandbox crowd``: play two hundred rooms at once on a local DynamoDB, and kill processes.

Rooms play as in ``sandbox.faults``, but all in one world, and the table is a real server, dynoxide.
There are two runs: in the second one, processes are killed at their requests. The checks are those of
``sandbox.faults``. They get each item as the server returns it after a write.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from botocore.exceptions import ClientError

from bot.rooms.model import Ballots, Settings
from engine.setups import option_sets
from infra.store.table import dynamodb_client
from local.dynamodb.table import Failed, Key, Watcher
from sandbox.buttons import ANSWER, question_of
from sandbox.cloud.faults import Fault, Faults
from sandbox.cloud.network import keys_in
from sandbox.dynoxide import BINARY, PACKAGE, create_table, running
from sandbox.faults.seed_run import SeedPlan, SeedRun
from sandbox.faults.world import World
from sandbox.game import newest_ruleset
from sandbox.harness import TABLE
from sandbox.measurements import table, write

#: In the second run, a process is killed at one in this many requests.
KILL = 1000
#: The maximum number of broken promises to print for a run.
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Played:
    """A run's figures by name, and its broken promises."""

    figures: dict[str, int]
    broken: list[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument(
        "--kill",
        type=int,
        default=KILL,
        help="in the second run, kill a process at one in this many requests (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the games and choices (default: %(default)s)"
    )
    parser.add_argument("--report", action="store_true", help="write the figures to docs/measurements.md")


def run(args: argparse.Namespace) -> int:
    """Play both runs; return 1 if a promise was broken."""
    if not BINARY.exists():
        print(f"crowd: dynoxide is not installed: npm install --no-save --prefix .tools {PACKAGE}")
        return 1
    calm = RunSettings(args.rooms, args.workers, args.seed)
    runs = []
    for settings in (calm, replace(calm, kill=args.kill)):
        played = play(settings)
        runs.append(played)
        print(", ".join(f"{name}: {value:,}" for name, value in played.figures.items()), flush=True)
        for broken in played.broken[:_SHOWN]:
            print(f"    {broken}", flush=True)
    if args.report:
        rows = [[name, *(f"{played.figures[name]:,}" for played in runs)] for name in runs[0].figures]
        lines = table(["", "undisturbed", "processes killed"], rows)
        options = (f" --{name} {getattr(args, name)}" for name in ("rooms", "workers", "kill", "seed"))
        write("Crowd", lines, f'make crowd ARGS="--report{"".join(options)}"')
    return 1 if any(played.broken for played in runs) else 0


#: (ruleset, players) of the rooms, in turn. Most groups are small, and some play the larger rulesets.
SIZES = (
    ("classic", 5),
    ("online", 6),
    ("red-dawn", 6),
    ("classic", 5),
    ("xl", 6),
    ("classic", 7),
    ("online", 5),
    ("red-dawn", 5),
    ("classic", 5),
    ("online", 8),
    ("classic", 6),
    ("xl", 9),
)
#: Virtual seconds until a person looks at the phone. All look at the same moment.
PACE = (2.0, 2.0)
#: The share of updates that are repeated, and of those that come again under a new id.
REPEATED, COPIED = 0.04, 0.03
#: Virtual seconds without a step of any game after which a run is stuck, and in which everything must be sent
#: after the games.
STUCK, DRAIN = 3600.0, 600.0
_REFUSED = "ConditionalCheckFailedException"


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The settings of a run."""

    rooms: int
    #: How many updates are handled at once.
    workers: int
    seed: int
    #: A process is killed at one in this many requests; None: at none.
    kill: int | None = None
    repeated: float = REPEATED
    #: Real seconds after which the run fails.
    seconds: float = 3600.0


@dataclass(slots=True)
class CrowdFaults(Faults):
    """Updates that are repeated, and processes that are killed."""

    kill: int | None = None
    repeated: float = REPEATED

    def draw(self, service: str) -> Fault:
        """Return the fault of the next request to this service."""
        chance, kill, fault = self.rng.random(), self.kill, Fault.NONE
        if service == "webhook" and chance < self.repeated + COPIED:
            fault = Fault.COPIED if chance < COPIED else Fault.REPLY_LOST
        elif service != "webhook" and kill is not None and chance * kill < 1:
            fault = self.rng.choice((Fault.KILLED_BEFORE, Fault.KILLED_AFTER))
        self.counted[fault] += 1
        return fault


class DynoxideTable:
    """A table of a real server, with what the simulated cloud uses of ``LocalTable``.

    After each write, the items are read back for the watchers. So the checks see what the server did, and not
    what the bot asked for.
    """

    def __init__(self, server: Mapping[str, Any]) -> None:
        self.client = dynamodb_client(**server)
        create_table(self.client, TABLE)
        self.items: dict[Key, dict[str, Any]] = {}
        self.watchers: list[Watcher] = []
        #: How often a room was saved, and how often another writer was first.
        self.saves = self.conflicts = 0

    def run(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Do one request, and tell the watchers about its writes. Raises Failed."""
        # Only a save has a writer's token. Other writes, such as of leases, have none.
        named = arguments.get("ExpressionAttributeNames", {}).values()
        saves = "writer" in named or "writer" in arguments.get("Item", {})
        try:
            answer: dict[str, Any] = getattr(self.client, operation)(**arguments)
        except ClientError as error:
            said: Mapping[str, Any] = error.response
            self.conflicts += saves and said["Error"]["Code"] == _REFUSED
            raise Failed(said["Error"]["Code"], said.get("Item"), said.get("CancellationReasons")) from None
        self.saves += saves
        for key in keys_in(operation, arguments) if operation not in ("get_item", "query") else ():
            self._read_back(key)
        return answer

    def _read_back(self, key: Key) -> None:
        at: Any = {"pk": {"S": key[0]}, "sk": {"S": key[1]}}
        after: Any = self.client.get_item(TableName=TABLE, Key=at, ConsistentRead=True).get("Item")
        before = self.items.get(key)
        if after is not None and after != before:
            self.items[key] = after
            for watcher in self.watchers:
                watcher(key, before, after)


def plan_of(number: int, rng: random.Random) -> SeedPlan:
    """Return the game of room ``number``. Every fourth votes in the group, every third has computers."""
    name, players = SIZES[number % len(SIZES)]
    rules = newest_ruleset(name)
    sets = [chosen for key, chosen in option_sets(rules, players).items() if key != "all"]
    ballots: Ballots = "group" if number % 4 == 3 else "private"
    computers = rng.randint(1, players - 1) if number % 3 == 1 else 0
    return SeedPlan(rules, players, dict(rng.choice(sets)), Settings(ballots=ballots), computers=computers)


def play(settings: RunSettings) -> Played:
    """Play the games of a run on a new table, and check them."""
    with running() as server:
        return Simulation(settings, server).play()


class Simulation:
    """One run with its rooms, in virtual time."""

    def __init__(self, settings: RunSettings, server: Mapping[str, Any]) -> None:
        self.settings = settings
        self.store: Any = DynoxideTable(server)
        self.world = world = World(settings.seed, table=self.store)
        faults = CrowdFaults(world.rng, world.clock, kill=settings.kill, repeated=settings.repeated)
        world.faults = world.network.faults = faults
        self.telegram = world.telegram
        assert self.telegram.delivery.webhook is not None
        self.telegram.delivery.webhook.max_connections = settings.workers
        rng = random.Random(f"crowd/{settings.seed}")
        self.rooms = [
            SeedRun(1000 * settings.seed + number, world=world, plan=plan_of(number, rng), pace=PACE)
            for number in range(settings.rooms)
        ]

    def play(self) -> Played:
        """Play until every game has ended and everything is sent, or time is up."""
        world, began = self.world, time.monotonic()
        for room in self.rooms:
            room.joining = 0.0
            room.begin()
        try:
            while not all(room.over for room in self.rooms) and not world.broken:
                world.machine.step()
                if time.monotonic() > began + self.settings.seconds:
                    world.fail(f"not over after {self.settings.seconds:.0f} s")
                elif world.clock() - world.history.last_change > STUCK:
                    world.fail("nothing happens any more")
            for room in self.rooms:
                room.stop()
            ends = world.clock() + DRAIN
            while world.clock() < ends and not world.broken:
                world.machine.step()
            if not world.broken:
                self._check()
        finally:
            world.close()
            self.store.client.close()
        return Played(self._figures() | {"seconds": round(time.monotonic() - began)}, world.broken)

    def _figures(self) -> dict[str, int]:
        world, faults = self.world, self.world.faults.counted
        taps = [query for query in self.telegram.queries.values() if query.data.startswith(f"{ANSWER}|")]
        return {
            "games that ended": sum(room.over for room in self.rooms),
            "dealt as sealed": world.deals.proven,
            "killed": faults[Fault.KILLED_BEFORE] + faults[Fault.KILLED_AFTER],
            "taps that answer": len(taps),
            "second taps": len(taps) - len({(tap.user.id, question_of(tap.data)) for tap in taps}),
            "updates repeated": faults[Fault.REPLY_LOST] + faults[Fault.COPIED],
            "steps of games": world.history.steps,
            "saves of rooms": self.store.saves,
            "conflicts": self.store.conflicts,
            "messages": len(world.ledger.owed),
            "messages doubled": world.ledger.doubled,
            "promises broken": len(world.broken),
        }

    def _check(self) -> None:
        """Check all rooms at rest."""
        self.world.ledger.check_all_sent()
        for room in self.rooms:
            seated = [player["id"] for player in room.match["players"]]
            people = [seat for seat in seated if seat is not None]
            if len(seated) != room.plan.players or len({*people}) != len(people):
                self.world.fail(f"{room.key}: not everybody has one seat")
            if not room.match["archived"]:
                self.world.fail(f"{room.key}: the game is not recorded")
            room.checks.at_rest(room.key)
            if self.settings.kill is None:
                room.checks.within_limits(room.key)
        if dropped := len(self.telegram.delivery.dropped):
            self.world.fail(f"{dropped} updates waited too long")
