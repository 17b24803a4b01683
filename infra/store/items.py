"""A room's item: its DynamoDB attributes, its outbox entries, and everything that it remembers.

An item has one map ``remembered`` with one key for each value, so that a save sets or removes single values.
``read_remembered`` sorts such a map into a ``Remembered``. A ``Patch`` changes single values of it.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from itertools import accumulate
from operator import sub
from typing import Any, Final, NamedTuple, TypedDict, cast

from pydantic_core import from_json, to_json

from infra.store.table import DUE_BUCKET, ROOM, Attributes, StoreRefused, pack_number, pack_value

# --- an outbox entry ----------------------------------------------------------------------------------------
# A call to the Bot API that is stored with the room until it is carried out.


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """One call to make. Calls to one chat are made in order; different chats are served in parallel."""

    #: The chat it belongs to; also sent as ``chat_id``.
    chat: int
    #: The Bot API's name of the method (``sendMessage``, ``editMessageText`` …).
    method: str
    #: Its parameters without ``chat_id``, ``message_thread_id``, ``message_id`` and the picture.
    params: Mapping[str, Any] = field(default_factory=dict)
    #: The forum topic, sent as ``message_thread_id`` by methods that post.
    topic: int | None = None
    #: The name under which to remember the id of the message that is posted or edited.
    name: str | None = None
    #: The name of a remembered message to act on. Its id becomes ``message_id``.
    target: str | None = None
    #: The name of a remembered message to forward into the same chat and topic, as a new post.
    forwards: str | None = None
    #: A later waiting entry of the chat with the same key replaces this one, with the exceptions in
    #: ``infra.outbox.plan.find_superseded``.
    key: str | None = None
    #: Data from which the caller's photo hook draws the picture. The room remembers the last uploaded
    #: picture for each ``photo["kept_as"]``: its file id and its ``photo["name"]``. An entry whose ``photo``
    #: has the same ``kept_as`` and ``name`` is sent by that file id.
    photo: Mapping[str, Any] | None = None
    #: If set, the room remembers this mark and Telegram's date of the post under ``name``. The mark shows
    #: later which post the date belongs to.
    date_mark: str | None = None
    #: True for an edit that can wait some seconds, to leave room in the group's limit per minute; see
    #: ``infra.outbox.plan.GroupQuota``.
    patient: bool | None = None
    #: True for an edit that is dropped if the bot is at its limit, like edits that only take buttons away.
    droppable: bool | None = None
    #: While this private message waits, the room takes at least this many send slots for private messages,
    #: even if it has fewer such messages. So the timing does not show how many it has.
    hides: int | None = None
    #: If the target was never posted or is gone, this method posts instead. The post is then remembered under
    #: the target's name. Without a fallback the entry is dropped.
    fallback: str | None = None
    #: Seconds to delay this entry if others go out just before it, so that people can read those first.
    hold_seconds: int | None = None

    def __repr__(self) -> str:
        # Texts and keyboards may hold secrets, so they are never printed.
        shown = f"chat={self.chat}, method={self.method!r}, name={self.name!r}, target={self.target!r}"
        return f"OutboxEntry({shown})"

    def as_post(self) -> OutboxEntry:
        """Return the entry as a new post by its fallback method, because its target cannot be edited."""
        if self.fallback is None:
            raise ValueError("an entry without a fallback cannot be posted instead")
        return replace(self, method=self.fallback, name=self.name or self.target, target=None, fallback=None)


_MEMBERS = tuple(each.name for each in fields(OutboxEntry))


def pack_entry(entry: OutboxEntry) -> bytes:
    """Return an entry as compressed JSON, without members that are None: write units are counted per KB."""
    found = {name: value for name in _MEMBERS if (value := getattr(entry, name)) is not None}
    return zlib.compress(to_json(found), 6)


def unpack_entry(data: bytes) -> OutboxEntry:
    """Return the entry that ``pack_entry`` packed, without members unknown to this version."""
    found = from_json(zlib.decompress(data))
    return OutboxEntry(**{name: found[name] for name in _MEMBERS if name in found})


def entry_id(version: int, index: int) -> str:
    """Return the id of the ``index``-th entry written with the room's ``version``; ids sort in that order."""
    return f"{version:09d}.{index:03d}"


# --- memory -------------------------------------------------------------------------------------------------

#: Send slots one after another: the time of the first, and how many there are. The time is in seconds on the
#: bot's clock. This is a virtual clock, see ``infra.store.pace``.
SlotRun = tuple[float, int]


class PostDate(NamedTuple):
    """The ``date_mark`` of a post's entry, and Telegram's date of the post (seconds since 1970)."""

    mark: str
    at: int


class Picture(TypedDict):
    """A picture that was uploaded: the ``name`` in its entry's ``photo``, and Telegram's id of the file."""

    name: str | None
    id: str


class Failure(NamedTuple):
    """An entry that failed: its id, how often it failed, and since when (seconds since 1970)."""

    id: str
    tries: int
    since: float


class Erasure(TypedDict):
    """An order to erase all finished games, or to replace people by aliases if ``whole`` is False."""

    whole: bool
    #: User ids of the people noted in the room itself.
    people: Sequence[int]


Read = Callable[[Any], Any]


def _many(key: type, stored: str, read: Read | None = None) -> Any:
    """Declare values of one kind. Each is stored under the prefix ``stored`` and its own key."""
    return field(default_factory=dict, metadata={"stored": stored, "key": key, "read": read})


def _one(stored: str, read: Read | None = None, default: Any = None) -> Any:
    """Declare a single value, and the name under which it is stored."""
    return field(default=default, metadata={"stored": stored, "key": None, "read": read})


@dataclass(frozen=True, slots=True)
class Remembered:
    """Everything that a room remembers. Times are in seconds since 1970.

    Stored rooms have the names that are declared here, and the keys of ``Picture`` and ``Erasure``. So these
    never change.
    """

    #: Ids of messages, by the names that entries gave them. Newer code's values are here, too.
    message_ids: Mapping[str, int] = _many(str, "")
    #: Dates of posts, by message name. If a lost answer makes us post one again, the later date counts.
    post_dates: Mapping[str, PostDate] = _many(str, "date/", PostDate._make)
    #: The last picture of each kind (``photo["kept_as"]``).
    pictures: Mapping[str, Picture] = _many(str, "picture/")
    #: The end of each chat's pause.
    pauses: Mapping[int, float] = _many(int, "pause/")
    #: The entry of each chat that failed last.
    failures: Mapping[int, Failure] = _many(int, "tried/", Failure._make)
    #: The times at which the bot lately wrote to each group, see ``infra.outbox.plan.remember_sent``.
    group_sends: Mapping[int, Sequence[float]] = _many(int, "sent/")
    #: Each group's slow mode: seconds between two messages of one member.
    slow_modes: Mapping[int, int] = _many(int, "slow/")
    #: Chat and time of the latest writes to private chats, at most two for each chat.
    private_sends: Sequence[tuple[int, float]] = _one("lately", lambda sends: [*map(tuple, sends)], ())
    #: The room's send slots, on the bot's clock. They are stored in milliseconds.
    slot_runs: Sequence[SlotRun] = _one("runs", lambda runs: [(at / 1000, count) for at, count in runs], ())
    #: The time of the wake-up that is queued for the waiting entries.
    next_wakeup_at: float | None = _one("wakeup")
    #: The time since which the outbox has not been empty.
    waiting_since: float | None = _one("waiting")
    #: How often a record or an erasure has failed, and since when: one count, whatever failed.
    tries: tuple[int, float] | None = _one("tries", tuple)
    #: The erasure to carry out before anything else.
    erasure: Erasure | None = _one("erasing")  # noqa: RUF009

    def as_patch(self) -> Patch:
        """Return the patch that makes a room remember all this."""
        return cast("Patch", {name: value for name in _FIELDS if (value := getattr(self, name))})


class Patch(TypedDict, total=False):
    """Changes to fields of ``Remembered``: new values, or None to forget them. All other values stay."""

    message_ids: dict[str, int | None]
    post_dates: dict[str, PostDate | None]
    pictures: dict[str, Picture | None]
    pauses: dict[int, float | None]
    failures: dict[int, Failure | None]
    group_sends: dict[int, Sequence[float] | None]
    slow_modes: dict[int, int | None]
    private_sends: Sequence[tuple[int, float]] | None
    slot_runs: Sequence[SlotRun] | None
    next_wakeup_at: float | None
    waiting_since: float | None
    tries: tuple[int, float] | None
    erasure: Erasure | None


_FIELDS = {each.name: each for each in fields(Remembered)}
_BY_STORED = {each.metadata["stored"]: (each.name, each.metadata) for each in _FIELDS.values()}


def read_remembered(attributes: Mapping[str, Mapping[str, str]]) -> Remembered:
    """Read the map ``remembered`` of an item. Raises ValueError or TypeError if a value is damaged."""
    found: dict[str, Any] = {"message_ids": {}}
    for stored, attribute in attributes.items():
        value = from_json(*attribute.values())
        prefix, slash, key = stored.partition("/")
        if (known := _BY_STORED.get(prefix + slash)) is None:
            found["message_ids"][stored] = value
            continue
        name, declared = known
        if declared["read"] is not None:
            value = declared["read"](value)
        if declared["key"] is None:
            found[name] = value
        else:
            found.setdefault(name, {})[declared["key"](key)] = value
    return Remembered(**found)


def values_by_stored_name(patch: Patch) -> dict[str, Any]:
    """Return a patch's values by their names in the table. None: remove the value."""
    out: dict[str, Any] = {}
    values: Any
    for name, values in patch.items():
        declared = _FIELDS[name].metadata
        if declared["key"] is not None:
            for key, value in values.items():
                out[f"{declared['stored']}{key}"] = value
        elif name == "slot_runs" and values is not None:
            out[declared["stored"]] = [[round(at * 1000), count] for at, count in values]
        else:
            out[declared["stored"]] = values
    return out


# --- the item -----------------------------------------------------------------------------------------------

#: A lease that ends more than this many seconds ahead is ignored: the clock of its owner was ahead.
LONGEST_LEASE = 120.0


class Keep(Enum):
    """Marks an attribute that stays as it is. None would remove it."""

    KEEP = "keep"


KEEP: Final = Keep.KEEP

#: A room remembers this many ids of updates, because Telegram repeats an update that got no answer.
UPDATES_KEPT = 100


class Lease(NamedTuple):
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


def new_owner() -> str:
    """Return a name for one invocation, under which it holds leases."""
    return secrets.token_urlsafe(9)


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


class Change(NamedTuple):
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
    remembered: Patch = Patch()
    #: The lease that the caller wants, taken if nobody else holds it.
    lease: Lease | None = None
    #: When the watchdog must look at the room, in seconds since 1970; None: nothing is due any more. While
    #: the stored time is still ahead, a later one is not written.
    due: float | Keep | None = KEEP


class Conflict(NamedTuple):
    """Somebody else wrote first. Apply the change again to ``item``, which they wrote (None: it is gone).

    If they moved the room, ``item`` is the room at its new key.
    """

    item: RoomItem | None


def pack_body(body: bytes) -> bytes:
    """Compress a body at zlib's level 6: 80 µs for 3.3 KB. Level 9 makes it no smaller."""
    return zlib.compress(body, 6)


def pack_ids(ids: Sequence[int]) -> bytes:
    """Return update ids as compressed differences. Telegram counts up: a hundred take about 150 bytes."""
    steps = list(map(sub, ids, (0, *ids)))
    return zlib.compress(to_json(steps), 6)


def unpack_ids(data: bytes) -> tuple[int, ...]:
    """Return the ids that ``pack_ids`` packed."""
    return tuple(accumulate(from_json(zlib.decompress(data))))


def room_from_attributes(item: Attributes) -> RoomItem:
    """Read a room's item. Raises StoreRefused if its attributes are damaged or of an unknown form."""
    try:
        outbox, waiting_bytes = {}, 0
        for name, packed in sorted(item["outbox"]["M"].items()):
            outbox[name] = unpack_entry(packed["B"])
            waiting_bytes += len(packed["B"])
        return RoomItem(
            key=item["pk"]["S"],
            version=int(item["v"]["N"]),
            schema=int(item["schema"]["N"]),
            body=zlib.decompress(item["body"]["B"]) if "body" in item else b"",
            updates=unpack_ids(item["updates"]["B"]) if "updates" in item else (),
            outbox=outbox,
            remembered=read_remembered(item["remembered"]["M"]),
            lease=Lease.unpack(item["lease"]["S"]) if "lease" in item else None,
            due=float(item["due"]["N"]) if "due" in item else None,
            moved_to=item["moved_to"]["S"] if "moved_to" in item else None,
            moved_from=item["moved_from"]["S"] if "moved_from" in item else None,
            write_token=item["writer"]["S"] if "writer" in item else "",
            waiting_bytes=waiting_bytes,
        )
    except (zlib.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreRefused(f"{item['pk']['S']} cannot be read ({type(error).__name__})") from None


def attributes_of(room: RoomItem) -> Attributes:
    """Return a whole item, as ``room_from_attributes`` reads it."""
    remembered = values_by_stored_name(room.remembered.as_patch())
    out: Attributes = {
        **room_primary_key(room.key),
        "v": {"N": str(room.version)},
        "writer": {"S": room.write_token},
        "schema": {"N": str(room.schema)},
        "body": {"B": pack_body(room.body)},
        "outbox": {"M": {name: {"B": pack_entry(entry)} for name, entry in room.outbox.items()}},
        "remembered": {
            "M": {name: pack_value(value) for name, value in remembered.items() if value is not None}
        },
    }
    if room.updates:
        out["updates"] = {"B": pack_ids(room.updates)}
    if room.lease is not None:
        out["lease"] = {"S": room.lease.pack()}
    if room.due is not None:
        out |= {"due": pack_number(room.due), "due_bucket": {"S": DUE_BUCKET}}
    if room.moved_from is not None:
        out["moved_from"] = {"S": room.moved_from}
    return out


def room_primary_key(key: str) -> Attributes:
    """Return the table key of a room's item."""
    return {"pk": {"S": key}, "sk": {"S": ROOM}}
