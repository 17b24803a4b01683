"""The setup of a seed: its plan, its world, and its group with all people."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from bot.rooms.codec import SCHEMA, encode
from bot.rooms.model import Room, Settings
from bot.rooms.names import RoomName
from engine import OFFERED, Ruleset
from infra.store.items import Change
from infra.store.pace import PER_SECOND, Pace
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable
from local.dynamodb import Client
from sandbox.game import NAMES
from sandbox.harness import TABLE
from sandbox.setups import option_sets
from sandbox.telegram import Chat
from sandbox.telegram.limits import FloodLimits

from .checks import Checks
from .people import Person
from .practice import Practiser
from .world import World

#: Seconds between two rushes, and seconds of the bot's pace that a rush uses up: from, to.
QUIET, RUSH = (5.0, 60.0), (1.0, 30.0)
#: The maximum backlog in seconds that they cause. Above 20, the bot opens no new lobby.
MOST = 40.0
#: In one of this many seeds, a person practises during the game.
PRACTISING = 10


@dataclass(frozen=True, slots=True)
class SeedPlan:
    """The game that a seed plays, the settings of its group, and what else happens."""

    rules: Ruleset
    players: int
    options: dict[str, str]
    settings: Settings
    #: True if the group becomes a supergroup during the game.
    migrates: bool = False
    #: True if Telegram enforces its limits, besides the faults.
    limited: bool = False
    #: The number of people in the group who watch, and may take a free seat later.
    watching: int = 0
    #: The number of computers among the players.
    computers: int = 0
    #: True if other groups use up some of the bot's pace.
    busy: bool = False
    #: True if another person practises in their private chat during the game.
    practising: bool = False

    @classmethod
    def of(cls, rng: random.Random) -> SeedPlan:
        """Return a random plan: any ruleset, size and set of options, with or without a clock."""
        rules = rng.choice(OFFERED)
        players = rng.choice(list(rules.players))
        options = rng.choice(list(option_sets(rules, players).values()))
        settings = Settings(
            language=rng.choice(("en", "de")),
            theme=rng.choice(("weimar", "cold-war")),
            clock=rng.choice(("off", "off", "relaxed", "fast")),
            ballots=rng.choice(("private", "private", "group")),
        )
        return cls(
            rules,
            players,
            dict(options),
            settings,
            rng.random() < 0.15,
            rng.random() < 0.25,
            rng.choice((0, 1, 2)),
        )

    def __str__(self) -> str:
        set_up = self.settings
        options = "".join(f" {name}={value}" for name, value in self.options.items())
        moves = (" becoming a supergroup" if self.migrates else "") + (" limited" if self.limited else "")
        others = f" computers={self.computers}" * bool(self.computers) + " busy" * self.busy
        others += " practising" * self.practising
        game = f"{self.rules.id} x{self.players}{options}"
        return f"{game} clock={set_up.clock} ballots={set_up.ballots}{moves}{others}"

    def with_later_features(self, seed: int) -> SeedPlan:
        """Add newer features. Their random numbers are separate, so old seeds stay the same."""
        open_cards = random.Random(f"open/{seed}").choice(("off", "on"))
        rng = random.Random(f"others/{seed}")
        computers = rng.randint(1, self.players - 1) if rng.random() < 0.3 else 0
        strength = rng.choice(("novice", "seasoned")) if computers else self.settings.strength
        settings = replace(self.settings, open_cards=open_cards, strength=strength)
        return replace(
            self,
            settings=settings,
            computers=computers,
            busy=rng.random() < 0.25,
            practising=seed % PRACTISING == PRACTISING - 1,
        )


class Neighbours:
    """Other groups of the same bot, which use up its pace in rushes as long as the seed is played."""

    def __init__(self, world: World, seed: int) -> None:
        client: Any = Client(world.table)
        self._machine = world.machine
        self._pace = Pace(DynamoTable(client, TABLE), world.clock)
        self._rng = random.Random(f"neighbours/{seed}")
        self._machine.after(self._rng.uniform(*QUIET), self._rush)

    def _rush(self) -> None:
        self._machine.after(self._rng.uniform(*QUIET), self._rush)
        room = MOST - self._pace.backlog()
        wanted = self._rng.uniform(*RUSH)
        if room > 0:
            self._pace.take(max(1, int(min(room, wanted) * PER_SECOND)))


class SeedSetup:
    """A seed's world, plan and people.

    Args:
        world: the world, if several seeds share it.
        plan: another plan than the seed's own.
        pace: the people's pace, instead of one by the seed; see ``Person``.
    """

    def __init__(
        self,
        seed: int,
        *,
        world: World | None = None,
        plan: SeedPlan | None = None,
        pace: tuple[float, float] | None = None,
    ) -> None:
        self.seed = seed
        self.world = world or World(seed)
        self.rng = random.Random(f"story/{seed}")
        drawn = SeedPlan.of(self.rng).with_later_features(seed)
        self.plan = plan or drawn
        tg, people = self.world.telegram, self.plan.players - self.plan.computers
        users = [tg.add_user(name, started=self.rng.random() < 0.8) for name in NAMES[:people]]
        watching = [tg.add_user(name, started=True) for name in ("Quirin", "Rosa")[: self.plan.watching]]
        kind = "group" if self.plan.migrates else "supergroup"
        self.group: Chat = tg.add_group("The Reichstag", [*users, *watching], type=kind)
        if self.plan.limited:
            # Telegram recommends one message per second in a chat, but accepts short bursts.
            tg.flood.limits = FloodLimits(per_chat_second=None)
        drawn_pace = self.rng.choice(((0.2, 2.0), (2.0, 15.0), (1.0, 60.0)))
        self.pace = pace or drawn_pace
        fidgety = self.rng.choice((0.0, 0.05, 0.2))
        self.people = [
            Person(self.world, user, self.group, random.Random(f"person/{seed}/{i}"), self.pace, fidgety)
            for i, user in enumerate([*users, *watching])
        ]
        self.players = self.people[:people]
        self.practiser = Practiser(self.world, seed) if self.plan.practising else None
        self.phones = [*self.people, *([self.practiser] if self.practiser else [])]
        self.checks = Checks(self.world, self.phones)
        self._limit_chats(random.Random(f"limits/{seed}"))
        self._tried_at: dict[Any, float] = {}
        self._store_room()

    def _store_room(self) -> None:
        """Store a room with the plan's settings."""
        client: Any = Client(self.world.table.run)
        room = Room(self.group.id, title=self.group.title, settings=self.plan.settings)
        rooms = Rooms(DynamoTable(client, TABLE), self.world.clock)
        rooms.create(RoomName(self.group.id).key, Change(body=encode(room), schema=SCHEMA))

    @property
    def key(self) -> str:
        """Return the room's current key."""
        chat = self.group
        while chat.migrated_to is not None and RoomName(chat.migrated_to).key in self.world.history.bodies:
            chat = self.world.telegram.chats[chat.migrated_to]
        return RoomName(chat.id).key

    @property
    def chat(self) -> Chat:
        """Return the group, or the supergroup that it has become."""
        chat = self.group
        return self.world.telegram.chats[chat.migrated_to] if chat.migrated_to is not None else chat

    @property
    def body(self) -> dict[str, Any]:
        """Return the stored room."""
        return self.world.history.bodies[self.key]

    @property
    def match(self) -> dict[str, Any]:
        """Return the stored game."""
        match: dict[str, Any] = self.body["match"]
        return match

    def _limit_chats(self, rng: random.Random) -> None:
        """In some seeds, put the group into slow mode and close some private chats for a while."""
        machine, flood = self.world.machine, self.world.telegram.flood
        if rng.random() < 0.15:
            delay, lasts = rng.choice((5, 15, 60)), rng.choice((120, 600))
            begins = rng.uniform(60, 1200)
            machine.after(begins, lambda: self._slow_down(delay))
            machine.after(begins + lasts, lambda: self._slow_down(0))
        for person in self.people:
            if rng.random() < 0.1:
                seconds, user = rng.choice((10, 60, 300)), person.user.id
                machine.after(
                    rng.uniform(30, 1500),
                    lambda user=user, seconds=seconds: flood.closed.update(  # type: ignore[misc]
                        {user: self.world.clock() + seconds}
                    ),
                )

    def _slow_down(self, delay: int) -> None:
        self.chat.slow_mode = delay

    def lift_limits(self) -> None:
        """End slow mode and reopen all private chats."""
        self.world.telegram.flood.closed.clear()
        self.group.slow_mode = self.chat.slow_mode = 0

    def may(self, what: Any, seconds: float) -> bool:
        """Return True if ``what`` was last tried at least ``seconds`` ago, and note the new try."""
        now = self.world.clock()
        if now - self._tried_at.get(what, -1e9) < seconds:
            return False
        self._tried_at[what] = now
        return True
