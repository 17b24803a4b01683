"""Other groups of the same bot, which only use up its pace."""

from __future__ import annotations

import random
from typing import Any

from infra.store.pace import PER_SECOND, Pace
from infra.store.table import DynamoTable
from local.dynamodb import Client
from sandbox.harness import TABLE

from .world import World

#: Seconds between two rushes, and seconds of the bot's pace that a rush uses up: from, to.
QUIET, RUSH = (5.0, 60.0), (1.0, 30.0)
#: The maximum backlog in seconds that they cause. Above 20, the bot opens no new lobby.
MOST = 40.0


class Neighbours:
    """Groups that use up the bot's pace in rushes, as long as the seed is played."""

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
