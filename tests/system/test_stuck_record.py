"""A game whose record the store refuses for ever, in the simulated cloud with all its faults."""

from collections.abc import Mapping
from typing import Any

import pytest

from bot.rooms.names import ChatId, RoomName
from infra.store.table import GAME_PREFIX, DynamoTable
from local.dynamodb import Client
from local.dynamodb.table import Failed
from operate import changes
from operate.bot import Bot
from sandbox.faults.seed_run import SeedRun
from sandbox.harness import TABLE

#: Virtual seconds in which a lobby must open.
SOON = 600.0


def _has_record(arguments: Mapping[str, Any]) -> bool:
    items = [action["Put"]["Item"] for action in arguments["TransactItems"] if "Put" in action]
    return any(item["sk"]["S"].startswith(GAME_PREFIX) for item in items)


class StuckRecord(SeedRun):
    """A seed in which the store refuses every transaction with which a game's record is written."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.refusals, self.repaired, honest = 0, False, self.world.table.run

        def run(operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
            if operation == "transact_write_items" and not self.repaired and _has_record(arguments):
                self.refusals += 1
                raise Failed("ValidationException")
            return honest(operation, arguments)

        self.world.table.run = run  # type: ignore[method-assign]

    def after_the_game(self) -> None:
        """Open the next lobby, and then have the operator repair the store and retry the record."""
        world, first_key = self.world, RoomName(ChatId(self.group.id)).key
        client: Any = Client(world.table)
        nothing: Any = None
        bot = Bot("desk", DynamoTable(client, TABLE), nothing, nothing, world.clock)
        (aside,) = bot.set_aside.all()
        assert (aside.room, aside.what) == (self.key, "record")
        self.people[0].say("/newgame")
        until = world.clock() + SOON
        while self.body["lobby"] is None and world.clock() < until and world.machine.step():
            pass
        assert self.body["lobby"] is not None, "the room plays on"
        assert not bot.archives.latest(first_key)
        self.repaired = True
        changes.retry(bot, [aside])
        assert bot.set_aside.all() == []
        assert len(bot.archives.latest(first_key)) == 1


@pytest.mark.timeout(0)
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.thorough
def test_a_room_plays_on_without_the_record_of_its_game(seed: int) -> None:
    story = StuckRecord(seed)
    assert story.play().broken == ()
    assert story.refusals > 0
