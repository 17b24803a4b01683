"""A room's outbox, its sender, and everything that the sender calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.rooms.names import ChatId, RoomName
from infra.outbox.outbox_sender import DeliveryResult, OutboxSender
from infra.queue import QueueUnavailable, Wakeup, WakeupQueue
from infra.store.items import Change, OutboxEntry, RoomItem
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable
from tests.infra.conftest import NOW, Clock
from tests.infra.outbox.wireless import FakeGateway
from tests.infra.store.test_rooms import stored

GROUP, ANNA, BEN = ChatId(-100), 1, 2
KEY = RoomName(GROUP).key


def text(chat: int, words: str, **more: Any) -> OutboxEntry:
    return OutboxEntry(chat, "sendMessage", {"text": words}, **more)


class FakeWakeups(WakeupQueue):
    def __init__(self) -> None:
        super().__init__("http://nowhere", lambda: NOW)
        self.queued: list[Wakeup] = []
        self.broken = False

    def send(self, wakeup: Wakeup) -> None:
        if self.broken:
            raise QueueUnavailable("Throttling")
        self.queued.append(wakeup)

    def times(self) -> list[float]:
        return [wakeup.at for wakeup in self.queued]


class Desk:
    """The sender of a stored room, without a network; ``more`` is passed to the sender."""

    def __init__(self, table: DynamoTable, clock: Clock, **more: Any) -> None:
        self.table, self.clock, self.rooms = table, clock, Rooms(table, clock)
        self.gateway, self.wakeups = FakeGateway(), FakeWakeups()
        self.notes: list[tuple[str, Any]] = []
        self.more = {"note": lambda event, facts: self.notes.append((event, facts)), **more}
        self.sender = self.new_sender()
        stored(self.rooms.create(KEY, Change(body=b"one")))

    def new_sender(self, **more: Any) -> OutboxSender:
        return OutboxSender(self.rooms, self.gateway, self.wakeups, self.clock, **{**self.more, **more})

    def load(self) -> RoomItem:
        item = self.rooms.load(KEY)
        assert item is not None
        return item

    def add(self, owner: str, *entries: OutboxEntry) -> RoomItem:
        """Save entries as an invocation does, to the newest item."""
        return self.save(self.load(), owner, entries=entries)

    def save(self, item: RoomItem, owner: str, **change: Any) -> RoomItem:
        return stored(self.rooms.save(item, Change(lease=self.sender.lease(owner), **change)))

    def deliver(self, item: RoomItem, owner: str = "me", seconds: float = 30, **more: Any) -> DeliveryResult:
        return self.sender.deliver(item, owner, self.clock.now + seconds, **more)

    def send(self, *entries: OutboxEntry, owner: str = "me", **more: Any) -> DeliveryResult:
        return self.deliver(self.add(owner, *entries), owner, **more)

    def after_each_call(self, do: Callable[[], Any]) -> None:
        self.gateway.after = lambda chat, method: do()

    def after_the_next_call(self, do: Callable[[], Any]) -> None:
        def once() -> None:
            self.after_each_call(lambda: None)
            do()

        self.after_each_call(once)

    def take(self, seconds: float) -> None:
        self.clock.now += seconds
