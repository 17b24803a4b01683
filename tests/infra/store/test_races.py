"""Many writers at once, against a DynamoDB whose writes can really race."""

from __future__ import annotations

import threading
import uuid
from collections import Counter
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from bot.rooms.names import ChatId, RoomName
from infra.store.items import Change, Conflict, Lease, OutboxEntry, RoomItem
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable
from sandbox.dynoxide import create_table
from tests.infra.conftest import NOW, Clock
from tests.infra.store.test_rooms import stored

KEY = RoomName(ChatId(-1)).key
WORKERS = 8


@pytest.fixture
def worker(dynoxide: dict[str, Any], clock: Clock) -> Callable[[], Rooms]:
    """Return a function that makes the rooms of another process: the same table through another client."""
    name = f"races-{uuid.uuid4()}"
    create_table(boto3.client("dynamodb", **dynoxide), name)
    return lambda: Rooms(DynamoTable(boto3.client("dynamodb", **dynoxide), name), clock)


def race(work: Callable[[int], None]) -> None:
    """Run `work` with 0 … 7 at the same moment; raises what any of them raised."""
    barrier = threading.Barrier(WORKERS)
    raised: list[BaseException] = []

    def run(number: int) -> None:
        try:
            barrier.wait(10)
            work(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    if raised:
        raise raised[0]


def test_of_many_creations_one_wins(worker: Callable[[], Rooms]) -> None:
    clients = [worker() for _ in range(WORKERS)]
    for round_ in range(10):
        key = RoomName(ChatId(round_)).key
        results: list[Any] = []
        race(
            lambda number, key=key, results=results: results.append(  # type: ignore[misc]
                clients[number].create(key, Change(body=b"%d" % number))
            )
        )
        winners = [result for result in results if isinstance(result, RoomItem)]
        assert len(winners) == 1
        assert all(result.item == winners[0] for result in results if isinstance(result, Conflict))


def test_no_tap_is_lost_or_doubled_when_all_land_at_once(worker: Callable[[], Rooms]) -> None:
    clients = [worker() for _ in range(WORKERS)]
    stored(clients[0].create(KEY, Change(body=b"")))
    conflicts: Counter[int] = Counter()

    def tap(number: int) -> None:
        for turn in range(10):
            update = number * 100 + turn
            item = clients[number].load(KEY)
            while item is not None:
                entry = OutboxEntry(number, "sendMessage", {"text": str(update)})
                body, lease = item.body + b"%d," % update, Lease(f"w{number}-{turn}", NOW + 30)
                change = Change(body=body, update_id=update, entries=[entry], lease=lease)
                result = clients[number].save(item, change)
                if isinstance(result, RoomItem):
                    break
                conflicts[number] += 1
                item = result.item

    race(tap)
    end = clients[0].load(KEY)
    assert end is not None
    everything = {number * 100 + turn for number in range(WORKERS) for turn in range(10)}
    taps = [int(tap) for tap in end.body.decode().split(",") if tap]
    assert sorted(taps) == sorted(everything)
    assert sorted(end.updates) == sorted(everything)
    assert end.version == 1 + len(everything)
    assert [entry.params["text"] for entry in end.outbox.values()] == [str(tap) for tap in taps]
    assert conflicts.total() > 0


def test_nobody_else_sends_during_a_lease(worker: Callable[[], Rooms]) -> None:
    clients = [worker() for _ in range(WORKERS)]
    stored(clients[0].create(KEY, Change(body=b"")))
    sending = threading.Lock()
    sent: list[str] = []

    def flush(rooms: Rooms, item: RoomItem, owner: str) -> None:
        """Send as the sender does, and check the rule under test."""
        held: RoomItem | None = item
        while held is not None and held.held_by(owner):
            assert sending.acquire(blocking=False), "two are sending at once"
            sent.extend(str(entry.params["text"]) for entry in held.outbox.values())
            # Released before the clear gives the lease back. Otherwise the next sender could begin in
            # between.
            sending.release()
            after = stored(rooms.finish_sending(KEY, owner, list(held.outbox)))
            held = rooms.take_lease(KEY, Lease(owner, NOW + 30)) if after.outbox and not after.lease else None

    def tap(number: int) -> None:
        rooms = clients[number]
        for turn in range(10):
            owner = f"w{number}-{turn}"
            item = rooms.load(KEY)
            while item is not None:
                entry = OutboxEntry(number, "sendMessage", {"text": owner})
                result = rooms.save(item, Change(entries=[entry], lease=Lease(owner, NOW + 30)))
                if isinstance(result, RoomItem):
                    flush(rooms, result, owner)
                    break
                item = result.item

    race(tap)
    end = clients[0].load(KEY)
    assert end is not None
    assert (dict(end.outbox), end.lease) == ({}, None)
    assert sorted(sent) == sorted(f"w{number}-{turn}" for number in range(WORKERS) for turn in range(10))
