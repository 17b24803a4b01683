"""Tables of every schema number that there ever was: a bot of this code goes on with them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.display.buttons import data
from bot.rooms.codec import SCHEMA
from infra.store.orders import Audit, Orders
from infra.store.set_aside import SetAside
from infra.store.table import Cursor, DynamoTable
from local.dynamodb import Client, LocalTable
from sandbox.harness import TABLE, Harness, harness_in_memory
from tests.system.season import board_of, kept, record_of, recounted
from tests.system.store_table import BANNED, STORED, WAITING, Item, every_kind, gathered, kind_of, loaded
from tests.system.table import Table

FILES = sorted(STORED.glob("*.json"))
CHANGED = (
    "The shape of stored items has changed. Before the first release store them again: "
    "python -m tests.system.store_table. After it read the old shape too, and keep the old file."
)


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def gone_on(request: pytest.FixtureRequest) -> Iterator[Table]:
    """Yield the group of a stored table, and a bot that has just started."""
    items = LocalTable()
    path: Path = request.param
    for item in loaded(path.read_text()):
        items.run("put_item", {"Item": item})
    with harness_in_memory(client=Client(items), seed=2) as at:
        # The bot ignores updates that it has had, by their ids.
        at.telegram.delivery._next_id = 1_000
        table = gathered(at)
        table.pass_time(500)
        yield table


def shapes(items: list[Item]) -> dict[str, set[str]]:
    """Return by kind of item its attributes with their types, without ids and counted names."""
    found: dict[str, set[str]] = {}
    for item in items:
        attributes = found.setdefault(kind_of(item), set())
        for name, value in item.items():
            attributes.add(" ".join((re.sub("(?<=^[a-z]:).*", "…", name), *value)))
    return found


def test_every_kind_of_item_is_stored_in_the_same_shape() -> None:
    assert f"{SCHEMA}.json" in {path.name for path in FILES}
    stored = loaded((STORED / f"{SCHEMA}.json").read_text())
    assert shapes(every_kind()) == shapes(stored), CHANGED


def test_a_stored_game_is_played_to_its_end(gone_on: Table) -> None:
    gone_on.harness.watch()
    gone_on.harness.settle()
    assert WAITING in gone_on.group_texts(), "the message that waited is sent"
    match = gone_on.match()
    assert match.first_tap is not None
    (seat,) = gone_on.waiting()
    last = data(gone_on.name, "answer", match.number, match.game.asked, match.first_tap.choice)
    gone_on.forge(gone_on.people[seat], last)
    assert gone_on.match().over
    gone_on.wait(61)
    assert recounted(gone_on).board == board_of(gone_on)
    anna = gone_on.people[0]
    assert record_of(gone_on, anna) == recounted(gone_on).records[anna.id]
    assert len(gone_on.harness.built.app.users.finished_games(anna.id)) == 2
    assert kept(gone_on, gone_on.people[1]).language == "de"


def test_a_stored_finished_game_is_told(gone_on: Table) -> None:
    gone_on.say(gone_on.people[0], "/stats")
    assert any("Anna" in text for text in gone_on.group_texts())


def test_what_operators_stored_is_in_force(gone_on: Table) -> None:
    at: Harness = gone_on.harness
    table = DynamoTable(at.client, TABLE)  # type: ignore[arg-type]
    assert Orders(table, at.clock).current().banned == {BANNED}
    assert [act["what"] for act in Audit(table, at.clock).records()] == ["banned"]
    assert [aside.name for aside in SetAside(table, at.built.app.rooms, at.clock).all()] == ["7"]
    assert Cursor(table, "cleanup").load() == gone_on.name.key
