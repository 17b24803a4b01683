"""Everything that a room remembers beside its body, and the names under which the table holds it.

An item has one map ``remembered`` with one key for each value, so that a save sets or removes single values.
``read_remembered`` sorts such a map into a ``Remembered``. A ``Patch`` changes single values of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, TypedDict, cast

from pydantic_core import from_json

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
