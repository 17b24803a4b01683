"""The setup of a seed: its world, its plan, its group with all people, and the stored room."""

from __future__ import annotations

import random
from typing import Any

from bot.rooms.names import RoomName
from sandbox.game import NAMES
from sandbox.telegram import Chat
from sandbox.telegram.limits import FloodLimits

from .checks import Checks
from .people import Person
from .practice import Practiser
from .seed_plan import SeedPlan
from .world import World


class SeedSetup:
    """A seed's world, plan and people."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.world = World(seed)
        self.rng = random.Random(f"story/{seed}")
        self.plan = SeedPlan.of(self.rng).with_later_features(seed)
        tg, people = self.world.telegram, self.plan.players - self.plan.computers
        users = [tg.add_user(name, started=self.rng.random() < 0.8) for name in NAMES[:people]]
        watching = [tg.add_user(name, started=True) for name in ("Quirin", "Rosa")[: self.plan.watching]]
        kind = "group" if self.plan.migrates else "supergroup"
        self.group: Chat = tg.add_group("The Reichstag", [*users, *watching], type=kind)
        if self.plan.limited:
            # Telegram recommends one message per second in a chat, but accepts short bursts.
            tg.flood.limits = FloodLimits(per_chat_second=None)
        pace = self.rng.choice(((0.2, 2.0), (2.0, 15.0), (1.0, 60.0)))
        fidgety = self.rng.choice((0.0, 0.05, 0.2))
        self.people = [
            Person(self.world, user, self.group, random.Random(f"person/{seed}/{i}"), pace, fidgety)
            for i, user in enumerate([*users, *watching])
        ]
        self.players = self.people[:people]
        self.practiser = Practiser(self.world, seed) if self.plan.practising else None
        self.phones = [*self.people, *([self.practiser.person] if self.practiser else [])]
        self.checks = Checks(self.world, self.phones)
        self._limit_chats(random.Random(f"limits/{seed}"))
        self._tried_at: dict[Any, float] = {}

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
