"""A table with an item of every kind that this code stores, for ``test_stored_table``.

    python -m tests.system.store_table

writes it to ``stored/``, under the number of the present schema. Before the first release that may be done
again after a change. After it, the files of released versions stay as they are.
"""

import json
import random
from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bot.records.own_record import COUNTED
from bot.rooms.codec import SCHEMA
from infra.store.items import Change, Lease, OutboxEntry
from infra.store.orders import Audit, Orders
from infra.store.set_aside import SetAside
from infra.store.table import Cursor, DynamoTable
from local.dynamodb import Client, LocalTable
from sandbox.harness import TABLE, Harness, harness_in_memory
from tests.system.season import Season
from tests.system.table import Table

STORED = Path(__file__).parent / "stored"
NAMES = ("Anna", "Bruno", "Clara", "David", "Emma")
BANNED = -1009
#: The text of the message that waits to be sent.
WAITING = "Still to come"
Item = dict[str, Any]


def gathered(at: Harness) -> Table:
    """Return a group with five people. In each harness they have the same ids."""
    return Table(at).add_people(*NAMES)


def every_kind() -> list[Item]:
    """Return the items of a bot's table after a finished game and during a second one."""
    items = LocalTable()
    with harness_in_memory(client=Client(items), seed=1) as at:
        table = gathered(at)
        Season(table, random.Random(1)).play().deal()
        dynamo = DynamoTable(at.client, TABLE)  # type: ignore[arg-type]
        app = at.built.app
        app.users.save(table.people[1].id, language="de", options={COUNTED: True})
        moved = Table(at, table.people[:1], type="group").say(table.people[0], "/newgame")
        at.telegram.migrate(moved.group)
        at.settle()
        Audit(dynamo, at.clock).record("operator", "banned", str(BANNED))
        Orders(dynamo, at.clock).ban(BANNED)
        Cursor(dynamo, "cleanup").save(table.name.key)
        SetAside(dynamo, app.rooms, at.clock).put(table.name.key, "record", "7", b"{}", "StoreRefused")
        entry = OutboxEntry(table.group.id, "sendMessage", {"text": WAITING}, name="waiting")
        lease = Lease("gone", at.clock() + 30)
        app.rooms.save(table.item(), Change(entries=[entry], lease=lease, due=lease.until))
    return [items.items[key] for key in sorted(items.items)]


def kind_of(item: Item) -> str:
    partition, sort = (item[name]["S"].partition("#")[0] for name in ("pk", "sk"))
    return partition if partition in ("audit", "aside", "pass") else f"{partition}/{sort}"


def dumped(items: list[Item]) -> str:
    def encoded(value: object) -> str:
        assert isinstance(value, bytes)
        return b64encode(value).decode()

    return json.dumps(items, default=encoded, indent=1, sort_keys=True) + "\n"


def loaded(text: str) -> list[Item]:
    def decoded(attribute: Mapping[str, Any]) -> dict[str, Any]:
        return {kind: b64decode(value) if kind == "B" else value for kind, value in attribute.items()}

    items: list[Item] = json.loads(text, object_hook=decoded)
    return items


if __name__ == "__main__":
    STORED.mkdir(exist_ok=True)
    (STORED / f"{SCHEMA}.json").write_text(dumped(every_kind()))
