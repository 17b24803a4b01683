"""The socket of a bot that runs: its table as others see it, from another process."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.store.items import Change, Conflict, RoomItem
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable
from local.bot_socket import Closed, SocketClient, connect_to_bot, serve_socket, socket_path
from local.dynamodb import Client
from local.sqlite_table import SqliteTable, open_table


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[SqliteTable]:
    with open_table(tmp_path / "5.sqlite3") as table:
        yield table


@pytest.fixture
def woken() -> list[tuple[str, float]]:
    return []


@pytest.fixture
def bot(tmp_path: Path, kept: SqliteTable, woken: list[tuple[str, float]]) -> Iterator[SocketClient]:
    path = socket_path(tmp_path, "5")
    with serve_socket(path, kept.run, lambda body, delay: woken.append((body, delay))):
        assert path.stat().st_mode & 0o077 == 0
        found = connect_to_bot(path)
        assert found is not None
        yield found
        found.close()
    assert not path.exists()


def rooms(run: object) -> Rooms:
    client = Client(run)  # type: ignore[arg-type]
    return Rooms(DynamoTable(client, "home"), lambda: 1000.0)  # type: ignore[arg-type]


def test_what_one_side_writes_the_other_reads(bot: SocketClient, kept: SqliteTable) -> None:
    theirs, ours = rooms(bot.run), rooms(kept.run)
    made = theirs.create("room#-1", Change(body=b"\x00first", schema=1, update_id=7))
    assert isinstance(made, RoomItem)
    assert ours.load("room#-1") == made
    saved = ours.save(made, Change(body=b"second"))
    assert theirs.load("room#-1") == saved
    lost = theirs.save(made, Change(body=b"third"))
    assert isinstance(lost, Conflict)
    assert lost.item == saved


def test_a_wake_up_reaches_the_bots_queue(bot: SocketClient, woken: list[tuple[str, float]]) -> None:
    bot.put("body", 3)
    assert woken == [("body", 3)]


def test_both_sides_write_at_once_and_nothing_is_lost(bot: SocketClient, kept: SqliteTable) -> None:
    def add(run: object) -> None:
        client = Client(run)  # type: ignore[arg-type]
        for _ in range(25):
            client.update_item(
                TableName="home",
                Key={"pk": {"S": "n"}, "sk": {"S": "n"}},
                UpdateExpression="ADD n :one",
                ExpressionAttributeValues={":one": {"N": "1"}},
            )

    threads = [threading.Thread(target=add, args=[run]) for run in (bot.run, kept.run)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert kept.items["n", "n"]["n"] == {"N": "50"}


def test_where_no_bot_runs_nobody_answers(tmp_path: Path) -> None:
    assert connect_to_bot(socket_path(tmp_path, "5")) is None
    socket_path(tmp_path, "5").touch()
    assert connect_to_bot(socket_path(tmp_path, "5")) is None


def test_a_bot_that_ends_meanwhile_is_said_to_have_ended(bot: SocketClient) -> None:
    bot._connection.shutdown(socket.SHUT_RDWR)
    with pytest.raises(Closed):
        bot.put("body", 0)
