"""The table in a file: exactly what was written can be read again."""

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from infra.store.items import Change, Conflict, Patch, RoomItem
from infra.store.people import Users
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable, StoreUnavailable
from local.dynamodb import Client
from local.sqlite_table import SqliteTable, open_table
from sandbox.harness import TABLE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "below" / "bot.sqlite3"


def table_of(kept: SqliteTable) -> DynamoTable:
    client: Any = Client(kept)
    return DynamoTable(client, TABLE)


def test_rooms_and_people_are_found_again_as_they_were(path: Path) -> None:
    with open_table(path) as kept:
        table = table_of(kept)
        rooms = Rooms(table, lambda: 1_000.0)
        made = rooms.create("room#-1", Change(body=b'{"bytes": "no"}', schema=1, update_id=7, due=2_000))
        assert isinstance(made, RoomItem)
        remembered: Patch = {"message_ids": {"bytes": 3}}
        saved = rooms.save(made, Change(body=b"changed", update_id=8, remembered=remembered))
        Users(table).save(5, may_write=True, add_rooms=["room#-1"])
    with open_table(path) as kept:
        table = table_of(kept)
        assert Rooms(table, lambda: 1_000.0).load("room#-1") == saved
        assert [room.key for room in kept.rooms()] == ["room#-1"]
        assert list(Rooms(table, lambda: 1_000.0).due(3_000)) == [("room#-1", 2_000.0)]
        assert Users(table).load(5).rooms == {"room#-1"}
        Client(kept).delete_item(TableName=TABLE, Key={"pk": {"S": "user#5"}, "sk": {"S": "user"}})
    with open_table(path) as kept:
        assert not Users(table_of(kept)).load(5).rooms


def test_a_write_whose_condition_fails_leaves_the_file_alone(path: Path) -> None:
    with open_table(path) as kept:
        rooms = Rooms(table_of(kept), lambda: 1_000.0)
        first = rooms.create("room#-1", Change(body=b"first", schema=1))
        assert isinstance(rooms.create("room#-1", Change(body=b"second", schema=1)), Conflict)
    with open_table(path) as kept:
        assert Rooms(table_of(kept), lambda: 1_000.0).load("room#-1") == first


def test_a_write_is_in_the_file_before_it_is_answered(path: Path) -> None:
    with open_table(path) as kept:
        rooms = Rooms(table_of(kept), lambda: 1_000.0)
        rooms.create("room#-1", Change(body=b"first", schema=1))
        copy = path.with_name("copy.sqlite3")
        copy.write_bytes(path.read_bytes())
    with open_table(copy) as kept:
        assert [room.body for room in kept.rooms()] == [b"first"]


def test_a_transaction_is_in_the_file_as_a_whole_or_not_at_all(path: Path) -> None:
    def put(key: str, **condition: str) -> dict[str, Any]:
        item = {"pk": {"S": key}, "sk": {"S": "x"}, "blob": {"B": b"\x00\xff"}}
        return {"Put": {"TableName": TABLE, "Item": item, **condition}}

    with open_table(path) as kept:
        Client(kept).transact_write_items(TransactItems=[put("a"), put("b")])
        absent = "attribute_not_exists(pk)"
        with pytest.raises(ClientError):
            Client(kept).transact_write_items(TransactItems=[put("c"), put("a", ConditionExpression=absent)])
    with open_table(path) as kept:
        assert sorted(pk for pk, _ in kept.items) == ["a", "b"]
        assert kept.items["a", "x"]["blob"] == {"B": b"\x00\xff"}


def fill(kept: SqliteTable) -> None:
    """Fill the disk: from now on the file may not grow."""
    kept._file.execute("PRAGMA max_page_count = 1")


def tear(kept: SqliteTable) -> None:
    """Make every write fail when it is committed, which SQLite notices only at the very end."""
    kept._file.executescript(
        """
        PRAGMA foreign_keys = ON;
        CREATE TABLE one (id INTEGER PRIMARY KEY);
        CREATE TABLE other (id INTEGER REFERENCES one DEFERRABLE INITIALLY DEFERRED);
        CREATE TRIGGER torn AFTER INSERT ON items BEGIN INSERT INTO other VALUES (1); END;
        """
    )


@pytest.mark.parametrize("broken", [fill, tear])
def test_an_unwritten_file_is_reported(path: Path, broken: Callable[[SqliteTable], None]) -> None:
    large = secrets.token_bytes(100_000)
    with open_table(path) as kept:
        rooms = Rooms(table_of(kept), lambda: 1_000.0)
        first = rooms.create("room#-1", Change(body=b"first", schema=1))
        assert isinstance(first, RoomItem)
        broken(kept)
        with pytest.raises(StoreUnavailable):
            rooms.save(first, Change(body=large))
        with pytest.raises(StoreUnavailable):
            rooms.create("room#-2", Change(body=large, schema=1))
        assert rooms.load("room#-1") == first
        assert rooms.load("room#-2") is None
        with pytest.raises(StoreUnavailable):
            rooms.move(first, "room#-3", Change(body=large), chats=(-1, -3), owner="me")
        assert [item.key for item in rooms.every()] == ["room#-1"]
        assert rooms.load("room#-1") == first
    with open_table(path) as kept:
        assert kept.rooms() == [first]


def test_once_the_disk_has_room_again_the_same_write_is_done(path: Path) -> None:
    with open_table(path) as kept:
        rooms = Rooms(table_of(kept), lambda: 1_000.0)
        first = rooms.create("room#-1", Change(body=b"first", schema=1))
        assert isinstance(first, RoomItem)
        change = Change(body=secrets.token_bytes(100_000), update_id=7)
        fill(kept)
        with pytest.raises(StoreUnavailable):
            rooms.save(first, change)
        kept._file.execute("PRAGMA max_page_count = 100000")
        assert isinstance(rooms.save(first, change), RoomItem)
    with open_table(path) as kept:
        assert [item.body for item in kept.rooms()] == [change.body]


def test_the_secret_is_made_once(path: Path) -> None:
    with open_table(path) as kept:
        secret = kept.secret()
        assert len(secret) > 30
        assert kept.secret() == secret
    with open_table(path) as kept:
        assert kept.secret() == secret
