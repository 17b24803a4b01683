"""Turn a change into the expressions of one ``UpdateItem``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from infra.store.entries import entry_id, pack_entry
from infra.store.items import (
    LONGEST_LEASE,
    UPDATES_KEPT,
    Attributes,
    Change,
    Keep,
    RoomItem,
    lease_bound,
    pack_body,
    pack_ids,
    pack_number,
    pack_value,
    room_primary_key,
)
from infra.store.keys import DUE_BUCKET
from infra.store.remembered import values_by_stored_name


class Expression:
    """Collects the parts of an update. It aliases every name, because some are reserved words of DynamoDB."""

    def __init__(self) -> None:
        self._sets: list[str] = []
        self._removes: list[str] = []
        self._adds: list[str] = []
        self._deletes: list[str] = []
        self._conditions: list[str] = []
        self._names: dict[str, str] = {}
        self._values: dict[str, Any] = {}

    def value(self, attribute: dict[str, Any]) -> str:
        """Add a value and return its placeholder."""
        placeholder = f":v{len(self._values)}"
        self._values[placeholder] = attribute
        return placeholder

    def path(self, name: str, member: str | None = None) -> str:
        """Return the path of a top-level attribute, or of a member of it, with an alias for each part.

        Without aliases, DynamoDB would not accept the dots in ids of entries or the slashes in other
        names.
        """
        aliases = self._names
        path = aliases.setdefault(name, f"#n{len(aliases)}")
        return path if member is None else f"{path}.{aliases.setdefault(member, f'#n{len(aliases)}')}"

    def set(self, name: str, attribute: dict[str, Any], member: str | None = None) -> None:
        """SET a top-level attribute, or a member of it if it is a map."""
        self._sets.append(f"{self.path(name, member)} = {self.value(attribute)}")

    def set_due(self, due: float) -> None:
        """SET the time at which the watchdog must look, and the partition key of the index ``due``."""
        self.set("due", pack_number(due))
        self.set("due_bucket", {"S": DUE_BUCKET})

    def set_if_absent(self, name: str, attribute: dict[str, Any]) -> None:
        """SET a top-level attribute, unless the stored item already has it."""
        path = self.path(name)
        self._sets.append(f"{path} = if_not_exists({path}, {self.value(attribute)})")

    def remove(self, name: str, member: str | None = None) -> None:
        """REMOVE an attribute, or a member of it; one that is not there is no error."""
        self._removes.append(self.path(name, member))

    def add(self, name: str, amount: int) -> None:
        """ADD to a top-level number, which begins at 0."""
        self._adds.append(f"{self.path(name)} {self.value({'N': str(amount)})}")

    def add_to_set(self, name: str, members: Sequence[str]) -> None:
        """ADD members to a top-level set of texts."""
        self._adds.append(f"{self.path(name)} {self.value({'SS': list(members)})}")

    def take_from_set(self, name: str, members: Sequence[str]) -> None:
        """DELETE members from a top-level set of texts; those that are not there are no error."""
        self._deletes.append(f"{self.path(name)} {self.value({'SS': list(members)})}")

    def condition(self, text: str) -> None:
        """Add a condition; all must hold."""
        self._conditions.append(f"({text})")

    def arguments(self) -> dict[str, Any]:
        """Return the keyword arguments of ``update_item``."""
        clauses = (
            ("SET", self._sets),
            ("REMOVE", self._removes),
            ("ADD", self._adds),
            ("DELETE", self._deletes),
        )
        text = " ".join(f"{word} {', '.join(parts)}" for word, parts in clauses if parts)
        out: dict[str, Any] = {"UpdateExpression": text} if text else {}
        if self._conditions:
            out["ConditionExpression"] = " AND ".join(self._conditions)
        if self._names:
            out["ExpressionAttributeNames"] = {alias: name for name, alias in self._names.items()}
        if self._values:
            out["ExpressionAttributeValues"] = self._values
        return out


def new_room_attributes(key: str, change: Change, token: str) -> Attributes:
    """Return the attributes of a new room, with version 1."""
    remembered = values_by_stored_name(change.remembered)
    out: Attributes = {
        **room_primary_key(key),
        "v": {"N": "1"},
        "writer": {"S": token},
        "schema": {"N": str(change.schema or 0)},
        "body": {"B": pack_body(change.body or b"")},
        "outbox": {
            "M": {entry_id(1, index): {"B": pack_entry(entry)} for index, entry in enumerate(change.entries)}
        },
        "remembered": {
            "M": {name: pack_value(value) for name, value in remembered.items() if value is not None}
        },
    }
    if change.update_id is not None:
        out["updates"] = {"B": pack_ids((change.update_id,))}
    if change.lease is not None and change.entries:
        out["lease"] = {"S": change.lease.pack()}
    if not isinstance(change.due, Keep) and change.due is not None:
        out["due"] = pack_number(change.due)
        out["due_bucket"] = {"S": DUE_BUCKET}
    return out


def update_of(before: RoomItem, change: Change, token: str, now: float) -> Expression:
    """Return the one conditional update that writes ``change`` on top of ``before``."""
    out = Expression()
    version = before.version + 1
    out.condition(f"{out.path('v')} = {out.value({'N': str(before.version)})}")
    out.set("v", {"N": str(version)})
    out.set("writer", {"S": token})
    if change.schema is not None and change.schema != before.schema:
        out.set("schema", {"N": str(change.schema)})
    if change.body is not None and change.body != before.body:
        out.set("body", {"B": pack_body(change.body)})
    if change.update_id is not None:
        out.set("updates", {"B": pack_ids((*before.updates, change.update_id)[-UPDATES_KEPT:])})
    for index, entry in enumerate(change.entries):
        out.set("outbox", {"B": pack_entry(entry)}, entry_id(version, index))
    for identifier in change.remove:
        out.remove("outbox", identifier)
    for name, value in values_by_stored_name(change.remembered).items():
        if value is not None:
            out.set("remembered", pack_value(value), name)
        elif name in values_by_stored_name(before.remembered.as_patch()):
            out.remove("remembered", name)
    _set_lease(out, before, change, now)
    _set_due_if_needed(out, before, change, now)
    return out


def _set_lease(out: Expression, before: RoomItem, change: Change, now: float) -> None:
    wanted = change.lease
    if wanted is None or not _leaves_entries(before, change):
        return  # with nothing to send, nobody would give it back
    packed = {"S": wanted.pack()}
    if before.lease is None or not (before.is_lease_free(now) or before.held_by(wanted.owner)):
        # When we read the room, it had no lease, or somebody else's. If it has none when this write arrives,
        # the write takes the lease. If it has one, the holder sends our entries too.
        out.set_if_absent("lease", packed)
        return
    # The lease has expired, or it is ours and we prolong it. The write fails if somebody else takes it first.
    out.condition(takeable_condition(out, wanted.owner, now))
    out.set("lease", packed)


def held_condition(out: Expression, owner: str) -> str:
    """Return the condition that the lease is this owner's."""
    return f"contains({out.path('lease')}, {out.value({'S': ' ' + owner})})"


def takeable_condition(out: Expression, owner: str, now: float) -> str:
    """Return the condition that this owner may take the lease."""
    lease = out.path("lease")
    bound, ahead = (out.value({"S": lease_bound(at)}) for at in (now, now + LONGEST_LEASE))
    free = f"attribute_not_exists({lease}) OR {lease} < {bound} OR {lease} > {ahead}"
    return f"{free} OR {held_condition(out, owner)}"


def _set_due_if_needed(out: Expression, before: RoomItem, change: Change, now: float) -> None:
    """Change the time at which the watchdog must look, but only if needed.

    Each change of the index costs one more write. A look that comes too early costs less than moving the room
    to a later time in the index.
    """
    wanted = before.due if isinstance(change.due, Keep) else change.due
    left = _due_if_sender_dies(before, change, now)
    if left is not None and (wanted is None or wanted > left):
        wanted = left
    if wanted == before.due:
        return
    if wanted is None:
        out.remove("due")
        out.remove("due_bucket")
    elif before.due is None or wanted < before.due or before.due <= now:
        out.set_due(wanted)


def _due_if_sender_dies(before: RoomItem, change: Change, now: float) -> float | None:
    """Return when the watchdog must look at waiting entries whose sender may have died, or None."""
    if not _leaves_entries(before, change) or before.lease is None or before.is_lease_free(now):
        return None  # nothing waits, or this writer can have the lease
    if change.lease is not None and before.held_by(change.lease.owner):
        return None
    return before.lease.until


def _leaves_entries(before: RoomItem, change: Change) -> bool:
    return bool(change.entries) or bool(set(before.outbox) - set(change.remove))
