"""Work that failed and was set aside, until an operator retries it or drops it.

It is the record of a finished game, an erasure (deleting stored data) or a message. Meanwhile its room goes
on without it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from infra.observability import Watched
from infra.store.items import Change, OutboxEntry, RoomItem, pack_entry, unpack_entry
from infra.store.rooms import Rooms
from infra.store.table import Attributes, DynamoTable, StoreError, StoreRefused, in_partition

#: After this many tries and at least this many seconds, even what may succeed later is set aside.
TRIES_NEEDED, SECONDS_NEEDED = 8, 600.0

#: The ``Aside.what`` of a message, which is an entry of an outbox.
MESSAGE = "message"

_PARTITION = "aside"


class Aside(NamedTuple):
    """A record, an erasure or a message that was set aside."""

    room: str
    #: ``record``, ``erasure`` or ``message``.
    what: str
    #: Identifies it within its room.
    name: str
    #: The data needed to do it again.
    body: bytes
    #: The error, without the service's text.
    why: str
    #: Seconds since 1970.
    at: float

    @property
    def key(self) -> str:
        """Return the key by which the operator names it."""
        return f"{self.room}|{self.what}|{self.name}"


class SetAside:
    """Everything that is set aside in one table."""

    def __init__(
        self,
        table: DynamoTable,
        rooms: Rooms,
        clock: Callable[[], float],
        note: Callable[[str, Mapping[str, Any]], None] = lambda event, facts: None,
    ) -> None:
        self._table = table
        self._rooms = rooms
        self._clock = clock
        self._note = note

    def count_failure(self, item: RoomItem, what: str, name: str, body: bytes, error: StoreError) -> None:
        """Count a failure in a room. Set aside work that failed too often; otherwise raise ``error``.

        If the store will never accept it, set it aside at once.
        """
        now = self._clock()
        if not isinstance(error, StoreRefused):
            tries, since = item.remembered.tries or (0, now)
            if tries < TRIES_NEEDED or now - since < SECONDS_NEEDED:
                with suppress(StoreError):
                    self._rooms.save(item, Change(remembered={"tries": (tries + 1, since)}))
                raise error
        self.put(item.key, what, name, body, str(error))

    def put(self, room: str, what: str, name: str, body: bytes, why: str) -> None:
        """Set something aside. Repeating it is safe. Raises StoreError."""
        key, at = _key(f"{room}|{what}|{name}"), {"N": str(round(self._clock()))}
        item = {**key, "body": {"B": zlib.compress(body, 9)}, "why": {"S": why}, "at": at}
        self._table.call("put_item", Item=item)
        self._note(Watched.SET_ASIDE, {"room": room, "kind": what})

    def put_message(self, room: str, identifier: str, entry: OutboxEntry, error: str) -> None:
        """Set an entry of a room's outbox aside, by its id. ``error`` names only the error's class."""
        chat = "group" if entry.chat < 0 else "private chat"
        self.put(room, MESSAGE, identifier, pack_entry(entry), f"{entry.method} to a {chat}: {error}")

    def all(self) -> list[Aside]:
        """Return everything that is set aside. Raises StoreError."""
        return [_aside(item) for item in self._table.items("query", **in_partition(_PARTITION))]

    def forget(self, chats: Collection[int] = (), rooms: Collection[str] = ()) -> None:
        """Delete all messages to these chats and all messages of these rooms. Raises StoreError."""
        for aside in self.all():
            if aside.what == MESSAGE and (aside.room in rooms or unpack_entry(aside.body).chat in chats):
                self.drop(aside)

    def drop(self, aside: Aside) -> None:
        """Delete something that was set aside. Repeating it is safe."""
        self._table.call("delete_item", Key=_key(aside.key))


def _key(name: str) -> Attributes:
    return {"pk": {"S": _PARTITION}, "sk": {"S": name}}


def _aside(item: Attributes) -> Aside:
    room, what, name = item["sk"]["S"].rsplit("|", 2)
    body, at = zlib.decompress(item["body"]["B"]), float(item["at"]["N"])
    return Aside(room, what, name, body, item["why"]["S"], at)
