"""Everything that a room remembers beside its body, and the names under which the table holds it.

An item has one map ``remembered`` with one key for each value, so that a save sets or removes single values.
``read_remembered`` sorts such a map into a ``Remembered``. A ``Patch`` changes single values of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict, cast

#: Send slots one after another: the time of the first, and how many there are. The time is in seconds on the
#: bot's clock. This is a virtual clock, see ``infra.store.pace``.
SlotRun = tuple[float, int]


class PostDate(NamedTuple):
    """Telegram's date of a post. If a lost answer makes us post it again, the later date counts."""

    #: The entry's ``date_mark``.
    mark: str
    #: Seconds since 1970.
    at: int


class Picture(TypedDict):
    """A picture that was uploaded: ``name`` of the entry's ``photo``, and Telegram's id of the file."""

    name: str | None
    id: str


class Failure(NamedTuple):
    """An entry that failed: its id, how often it failed, and since when (seconds since 1970)."""

    id: str
    tries: int
    since: float


class Erasure(TypedDict):
    """An order to erase all finished games, or to replace people by aliases if ``whole`` is False."""

    # New code may read an order that old code saved. So these keys must stay the same.
    whole: bool
    #: User ids of the people noted in the room itself.
    people: Sequence[int]


@dataclass(frozen=True, slots=True)
class Remembered:
    """Everything that a room remembers. Times are in seconds since 1970 unless a comment says otherwise."""

    #: Ids of messages by the names that entries gave them. When an entry with a ``name`` is sent, the
    #: message's id replaces an earlier id. Values of newer code, with unknown names, are here too.
    message_ids: Mapping[str, int] = field(default_factory=dict)
    #: Dates of posts whose entries have a ``date_mark``, by message name.
    post_dates: Mapping[str, PostDate] = field(default_factory=dict)
    #: The last picture of each kind (``photo["kept_as"]``).
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    #: When each chat's pause ends.
    pauses: Mapping[int, float] = field(default_factory=dict)
    #: The entry of each chat that failed last.
    failures: Mapping[int, Failure] = field(default_factory=dict)
    #: The times at which the bot wrote to each group lately, see ``infra.outbox.plan.remember_sent``.
    group_sends: Mapping[int, Sequence[float]] = field(default_factory=dict)
    #: Each group's slow mode: seconds between two messages of one member.
    slow_modes: Mapping[int, int] = field(default_factory=dict)
    #: Chat and time of the latest writes to private chats, at most two for each chat.
    private_sends: Sequence[tuple[int, float]] = ()
    #: The room's send slots.
    slot_runs: Sequence[SlotRun] = ()
    #: The time of the wake-up that is queued for the waiting entries.
    next_wakeup_at: float | None = None
    #: Since when the outbox has not been empty.
    waiting_since: float | None = None
    #: How often a record or an erasure has failed, and since when. A room has one such count, whatever
    #: failed.
    tries: tuple[int, float] | None = None
    #: The erasure to carry out before anything else.
    erasure: Erasure | None = None

    def as_patch(self) -> Patch:
        """Return the patch that makes an empty memory this one."""
        values = {name: value for name in _STORED_NAMES if (value := getattr(self, name))}
        return cast("Patch", values)


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


#: The names in the table, by field. In the first two groups they are prefixes, followed by a message's name,
#: a kind of picture or a chat's id. Stored rooms have these names, so they never change.
_BY_NAME = {"message_ids": "", "post_dates": "date/", "pictures": "picture/"}
_BY_CHAT = {"pauses": "pause/", "failures": "tried/", "group_sends": "sent/", "slow_modes": "slow/"}
_SINGLE = {
    "private_sends": "lately",
    "slot_runs": "runs",
    "next_wakeup_at": "wakeup",
    "waiting_since": "waiting",
    "tries": "tries",
    "erasure": "erasing",
}
_STORED_NAMES = {**_BY_NAME, **_BY_CHAT, **_SINGLE}
_FIELDS = {stored: name for name, stored in _STORED_NAMES.items()}
#: Fields whose values are not as JSON has them. Slot runs are stored in whole milliseconds.
_READ: Mapping[str, Callable[[Any], Any]] = {
    "post_dates": PostDate._make,
    "failures": Failure._make,
    "private_sends": lambda sends: [*map(tuple, sends)],
    "slot_runs": lambda runs: [(first / 1000, count) for first, count in runs],
    "tries": tuple,
}


def read_remembered(attributes: Mapping[str, Mapping[str, str]]) -> Remembered:
    """Read the map ``remembered`` of an item. Raises ValueError or TypeError if a value is damaged."""
    message_ids: dict[str, int] = {}
    fields: dict[str, Any] = {"message_ids": message_ids}
    for stored, attribute in attributes.items():
        value = json.loads(*attribute.values())
        prefix, slash, key = stored.partition("/")
        name = _FIELDS.get(prefix + slash)
        if name is None:
            message_ids[stored] = value
            continue
        if name in _READ:
            value = _READ[name](value)
        if slash:
            fields.setdefault(name, {})[int(key) if name in _BY_CHAT else key] = value
        else:
            fields[name] = value
    return Remembered(**fields)


def values_by_stored_name(patch: Patch) -> dict[str, Any]:
    """Return a patch's values by their names in the table. None: remove the value."""
    out: dict[str, Any] = {}
    values: Any
    for name, values in patch.items():
        stored = _STORED_NAMES[name]
        if name == "slot_runs" and values is not None:
            out[stored] = [[round(first * 1000), count] for first, count in values]
        elif name in _SINGLE:
            out[stored] = values
        else:
            for key, value in values.items():
                out[f"{stored}{key}"] = value
    return out
