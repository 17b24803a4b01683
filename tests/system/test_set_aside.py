"""A record that cannot be written is set aside. Its room goes on, and an operator retries it."""

from collections.abc import Mapping
from typing import Any

from infra.store.set_aside import LONGEST, MOST_TRIES, SetAside
from local.dynamodb.table import Failed
from tests.system.store import Store
from tests.system.table import Table


def kept(table: Table) -> SetAside:
    return table.desk.built.app.room_service.recorder().set_aside


def refusing(store: Store, code: str) -> None:
    """The store refuses the records of games."""

    def refuse(operation: str, arguments: Mapping[str, Any]) -> None:
        if operation == "transact_write_items":
            raise Failed(code)

    store.before.append(refuse)


def test_a_record_that_can_never_be_written_blocks_nobody(table: Table, store: Store) -> None:
    """Its group was blocked for ever."""
    refusing(store, "ValidationException")
    table.open(5).finish()
    table.pass_time(60)
    table.say(table.people[0], "/newgame")
    assert table.room().lobby is not None
    (aside,) = kept(table).all()
    assert (aside.room, aside.what, aside.why) == (
        table.name.key,
        "record",
        "transact_write_items: ValidationException",
    )
    store.before.clear()
    table.desk.built.app.room_service.recorder().retry(aside)
    assert kept(table).all() == []
    assert len(table.desk.built.app.room_service.recorder().archives.latest(table.name.key)) == 1


def test_a_record_that_may_still_be_written_is_tried_for_a_while(table: Table, store: Store) -> None:
    refusing(store, "ThrottlingException")
    table.open(5).finish()
    assert kept(table).all() == []
    for _ in range(MOST_TRIES + 2):
        table.pass_time(LONGEST / MOST_TRIES + 1)
        table.desk.watch()
        table.desk.settle()
    assert [aside.what for aside in kept(table).all()] == ["record"]
