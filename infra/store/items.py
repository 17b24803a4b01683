"""A room's item: what the rest of the program sees, and its DynamoDB attributes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import accumulate, pairwise
from typing import Any, Final

from pydantic_core import from_json

from infra.store.entries import OutboxEntry, unpack_entry
from infra.store.keys import ROOM
from infra.store.remembered import Patch, Remembered, read_remembered

#: An item in the low-level client's form: attribute name -> {type: value}.
Attributes = dict[str, Any]


#: A lease that ends more than this many seconds ahead is ignored: the clock of its owner was ahead.
LONGEST_LEASE = 120.0


class Keep(Enum):
    """Marks an attribute that stays as it is. None would remove it."""

    KEEP = "keep"


KEEP: Final = Keep.KEEP

#: A room remembers this many ids of updates, because Telegram repeats an update that got no answer.
UPDATES_KEPT = 100


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to send a room's outbox, until a time in seconds since 1970."""

    owner: str
    until: float

    def pack(self) -> str:
        """Return text that sorts by ``until``, so that one comparison in a condition finds expired leases."""
        return f"{lease_bound(self.until)} {self.owner}"

    @classmethod
    def unpack(cls, text: str) -> Lease:
        """Return the lease that ``pack`` packed, to the millisecond."""
        until, _, owner = text.partition(" ")
        return cls(owner, int(until) / 1000)


def lease_bound(seconds: float) -> str:
    """Return a time as the text with which a packed lease begins."""
    return f"{round(seconds * 1000):015d}"


@dataclass(frozen=True, slots=True)
class RoomItem:
    """One room as stored."""

    #: The partition key; the caller makes it.
    key: str
    #: Grows by one with every save; 1 after creation.
    version: int
    #: The schema number of ``body``, given by the writer.
    schema: int
    #: The caller's data; compressed in the table.
    body: bytes
    #: The ids of the last hundred updates applied, oldest first.
    updates: tuple[int, ...] = ()
    #: Entries not yet carried out, by id; ids sort in the order of writing.
    outbox: Mapping[str, OutboxEntry] = field(default_factory=dict)
    remembered: Remembered = field(default_factory=Remembered)
    #: The lease on sending the outbox; it may have expired.
    lease: Lease | None = None
    #: The time at which the watchdog has to look at the room, in seconds since 1970.
    due: float | None = None
    #: The room's new key, and its old one, if its group's id changed.
    moved_to: str | None = None
    moved_from: str | None = None
    #: The random token of the last save. It shows whether a write whose answer was lost is ours.
    write_token: str = ""
    #: The number of bytes that the outbox takes in the table.
    waiting_bytes: int = field(default=0, compare=False)

    def knows(self, update_id: int) -> bool:
        """Return whether this update was applied before."""
        return update_id in self.updates

    def held_by(self, owner: str) -> bool:
        """Return whether the lease is this owner's."""
        return self.lease is not None and self.lease.owner == owner

    def is_lease_free(self, now: float) -> bool:
        """Return whether nobody holds the lease at this time."""
        return self.lease is None or not now <= self.lease.until <= now + LONGEST_LEASE


@dataclass(frozen=True, slots=True)
class Change:
    """One save, written whole or not at all."""

    #: The new body, or None if it did not change.
    body: bytes | None = None
    #: Its schema number; None leaves the stored one (0 for a new item).
    schema: int | None = None
    #: The update that caused the change, to be remembered.
    update_id: int | None = None
    #: The entries to send, in order.
    entries: Sequence[OutboxEntry] = ()
    #: Ids of entries to remove without sending them, for example refusals that the caller has dealt with.
    remove: Sequence[str] = ()
    remembered: Patch = field(default_factory=Patch)
    #: The lease that the caller wants, taken if nobody else holds it.
    lease: Lease | None = None
    #: When the watchdog must look at the room, in seconds since 1970; None: nothing is due any more. While
    #: the stored time is still ahead, a later one is not written.
    due: float | Keep | None = KEEP


@dataclass(frozen=True, slots=True)
class Conflict:
    """Somebody else wrote first. Apply the change again to ``item``, which they wrote (None: it is gone).

    If they moved the room, ``item`` is the room at its new key.
    """

    item: RoomItem | None


def pack_body(body: bytes) -> bytes:
    """Compress a body at zlib's level 6: 80 µs for 3.3 KB. Level 9 makes it no smaller."""
    return zlib.compress(body, 6)


def pack_value(value: Any) -> dict[str, Any]:
    """Return a value as an attribute: whole numbers as numbers, the rest as JSON text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return {"N": str(value)}
    return {"S": json.dumps(value, separators=(",", ":"), ensure_ascii=False)}


def unpack_value(attribute: Mapping[str, Any]) -> Any:
    """Return the value that ``pack_value`` packed. DynamoDB gives a number as text, which is JSON too."""
    return from_json(*attribute.values())


def pack_ids(ids: Sequence[int]) -> bytes:
    """Return update ids as compressed differences. Telegram counts up: a hundred take about 150 bytes."""
    steps = [after - before for before, after in pairwise((0, *ids))]
    return zlib.compress(json.dumps(steps, separators=(",", ":")).encode())


def unpack_ids(data: bytes) -> tuple[int, ...]:
    """Return the ids that ``pack_ids`` packed."""
    return tuple(accumulate(from_json(zlib.decompress(data))))


def pack_number(value: float) -> dict[str, str]:
    """Return a time or count as an attribute, to the millisecond."""
    return {"N": f"{value:.3f}".rstrip("0").rstrip(".")}


def room_from_attributes(item: Attributes) -> RoomItem:
    """Read a room's item. Raises ValueError if its attributes are damaged or of an unknown form."""
    try:
        return _room_of(item)
    except (zlib.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{item['pk']['S']} cannot be read ({type(error).__name__})") from None


def _room_of(item: Attributes) -> RoomItem:
    return RoomItem(
        key=item["pk"]["S"],
        version=int(item["v"]["N"]),
        schema=int(item["schema"]["N"]),
        body=zlib.decompress(item["body"]["B"]) if "body" in item else b"",
        updates=unpack_ids(item["updates"]["B"]) if "updates" in item else (),
        outbox={name: unpack_entry(packed["B"]) for name, packed in sorted(item["outbox"]["M"].items())},
        remembered=read_remembered(item["remembered"]["M"]),
        lease=Lease.unpack(item["lease"]["S"]) if "lease" in item else None,
        due=float(item["due"]["N"]) if "due" in item else None,
        moved_to=item["moved_to"]["S"] if "moved_to" in item else None,
        moved_from=item["moved_from"]["S"] if "moved_from" in item else None,
        write_token=item["writer"]["S"] if "writer" in item else "",
        waiting_bytes=sum([len(packed["B"]) for packed in item["outbox"]["M"].values()]),
    )


def room_primary_key(key: str) -> Attributes:
    """Return the table key of a room's item."""
    return {"pk": {"S": key}, "sk": {"S": ROOM}}
