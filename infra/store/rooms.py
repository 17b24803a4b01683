"""Rooms in the table: load, save under a condition, and the lease under which an outbox is sent."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

from infra.store.items import (
    LONGEST_LEASE,
    UPDATES_KEPT,
    Change,
    Conflict,
    Keep,
    Lease,
    Patch,
    Remembered,
    RoomItem,
    attributes_of,
    entry_id,
    lease_bound,
    pack_body,
    pack_entry,
    pack_ids,
    room_from_attributes,
    room_primary_key,
    values_by_stored_name,
)
from infra.store.table import (
    DUE_BUCKET,
    RETURN_ITEM,
    ROOM,
    ConditionFailed,
    DynamoTable,
    Expression,
    StoreRefused,
    StoreUnavailable,
    TransactionRefused,
    pack_number,
    pack_value,
)

#: Returns seconds since 1970.
Clock = Callable[[], float]

#: The most tries of a write that loses a race. After that the work is given up for now: Telegram sends an
#: update again, and the watchdog repeats other work.
WRITE_ATTEMPTS = 12


class Rooms:
    """The rooms of one table. Every method costs one request unless it says otherwise."""

    def __init__(self, table: DynamoTable, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def load(self, key: str) -> RoomItem | None:
        """Read a room consistently.

        A room that moved is returned as it is, with ``moved_to``; see ``load_following``.
        """
        item = self._table.call("get_item", Key=room_primary_key(key), ConsistentRead=True).get("Item")
        return room_from_attributes(item) if item else None

    def load_following(self, key: str) -> RoomItem | None:
        """Read a room, and follow it if it moved, with one more read for each move."""
        item = self.load(key)
        while item is not None and item.moved_to is not None:
            item = self.load(item.moved_to)
        return item

    def create(self, key: str, change: Change) -> RoomItem | Conflict:
        """Write a new room with version 1, unless one exists (then ``Conflict`` holds it)."""
        token = secrets.token_urlsafe(6)
        room = RoomItem(
            key,
            version=1,
            schema=change.schema or 0,
            body=change.body or b"",
            updates=() if change.update_id is None else (change.update_id,),
            outbox={entry_id(1, index): entry for index, entry in enumerate(change.entries)},
            remembered=Remembered(**cast("Any", change.remembered)),
            lease=change.lease if change.entries else None,
            due=None if isinstance(change.due, Keep) else change.due,
            write_token=token,
        )
        arguments = {"Item": attributes_of(room), "ConditionExpression": "attribute_not_exists(pk)"}
        return self._write("put_item", key, arguments, token, 1)

    def save(self, before: RoomItem, change: Change) -> RoomItem | Conflict:
        """Write a change by one ``UpdateItem``, if the room is still as it was read.

        Returns the whole new item. Its ``held_by`` says whether the caller got the lease that it wants. If
        ``before`` has no lease, the change is written even if somebody else has taken one since. An expired
        lease is different: if the caller wants it, but somebody else has taken it since, ``Conflict`` is
        returned.

        After StoreUnavailable the change may have been written. If it has an ``update_id``, trying the same
        update again is safe, because the room then knows the id.
        """
        token = secrets.token_urlsafe(6)
        update = update_of(before, change, token, self._clock()).arguments()
        arguments = {"Key": room_primary_key(before.key), **update, "ReturnValues": "ALL_NEW"}
        return self._write("update_item", before.key, arguments, token, before.version + 1)

    def move(
        self, before: RoomItem, new_key: str, change: Change, *, chats: tuple[int, int], owner: str
    ) -> RoomItem | Conflict:
        """Move a room whose group became a supergroup: its id changed, and so does the room's key.

        One transaction writes the room under ``new_key``. The old key then holds only the new key.

        ``chats`` are the group's old and new id: waiting entries for the old one are addressed to the new
        one. ``before`` is the room's item without the message ids that end here: they start again in a
        supergroup. ``change`` may have a new body (a body may hold the chat's id) and entries to send after
        the waiting ones.

        Returns the new item, or a ``Conflict``. The conflict holds the old key's item if it changed meanwhile
        or somebody else is sending its outbox. It holds the new key's item if there is one already.
        """
        moved = _move_item(before, new_key, change, chats)
        tombstone = Expression()
        tombstone.condition(f"{tombstone.path('v')} = {tombstone.value({'N': str(before.version)})}")
        tombstone.condition(takeable_condition(tombstone, owner, self._clock()))
        # A sender that removes entries leaves the version unchanged. What it has sent must not move along.
        waiting = tombstone.value({"N": str(len(before.outbox))})
        tombstone.condition(f"size({tombstone.path('outbox')}) = {waiting}")
        tombstone.set("v", {"N": str(before.version + 1)})
        tombstone.set("moved_to", {"S": new_key})
        tombstone.set("outbox", {"M": {}})
        tombstone.set("remembered", {"M": {}})
        for name in ("body", "updates", "lease", "due", "due_bucket"):
            tombstone.remove(name)
        put = {"Item": attributes_of(moved), "ConditionExpression": "attribute_not_exists(pk)"}
        update = {"Key": room_primary_key(before.key), **tombstone.arguments()}
        answer = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
        try:
            self._table.transact([{"Put": {**put, **answer}}, {"Update": {**update, **answer}}])
        except TransactionRefused as refusal:
            stored = [room_from_attributes(item) for item in refusal.items if item]
            return Conflict(stored[0] if stored else None)
        return moved

    def delete(self, before: RoomItem) -> bool:
        """Delete a room if it is still as it was read. Returns whether it was deleted."""
        out = Expression()
        out.condition(f"{out.path('v')} = {out.value(pack_number(before.version))}")
        try:
            self._table.call("delete_item", Key=room_primary_key(before.key), **out.arguments())
        except ConditionFailed:
            return False
        return True

    def finish_sending(
        self,
        key: str,
        owner: str,
        done: Sequence[str],
        remembered: Patch | None = None,
        due: float | None = None,
    ) -> RoomItem | None:
        """Remove entries that are done from the outbox, store what to remember, and give the lease back.

        If entries stay, ``due`` says when the watchdog must look at them.

        This is one ``UpdateItem``. Its condition is that the owner holds the lease; the version does not
        matter. The returned item shows what others added meanwhile. If the lease was lost, nothing is
        written, and the item is returned as it is stored. None: the room is gone.
        """
        expression = Expression()
        expression.condition(held_condition(expression, owner))
        expression.remove("lease")
        for identifier in done:
            expression.remove("outbox", identifier)
        for name, value in values_by_stored_name(remembered or {}).items():
            if value is None:
                expression.remove("remembered", name)
            else:
                expression.set("remembered", pack_value(value), name)
        if due is not None:
            expression.set_due(due)
        return self._lease_update(key, expression)

    def take_lease(self, key: str, lease: Lease) -> RoomItem | None:
        """Take the lease if nobody else holds it. Check with ``held_by``. None: the room is gone.

        Taking it again under the same owner prolongs it.
        """
        expression = Expression()
        expression.condition(f"attribute_exists({expression.path('pk')})")
        expression.condition(takeable_condition(expression, lease.owner, self._clock()))
        expression.set("lease", {"S": lease.pack()})
        return self._lease_update(key, expression)

    def wake_by(self, key: str, due: float) -> None:
        """Make the watchdog look at the room at this time, unless it does so earlier.

        A room that moved is left alone: its old key would be due for ever.
        """
        expression = Expression()
        path = expression.path("due")
        bound = expression.value(pack_number(due))
        expression.condition(f"attribute_exists({expression.path('pk')})")
        expression.condition(f"attribute_not_exists({expression.path('moved_to')})")
        expression.condition(f"attribute_not_exists({path}) OR {path} > {bound}")
        expression.set_due(due)
        # If the condition does not hold, the watchdog looks at the room in time already, or the room moved
        # or is gone.
        with suppress(ConditionFailed):
            self._table.call("update_item", Key=room_primary_key(key), **expression.arguments())

    def due(self, until: float, page: int = 100) -> Iterator[tuple[str, float]]:
        """Yield the rooms due by ``until``, earliest first, as (room key, due time).

        One request for each ``page`` of them, made on demand. The index follows the table with a short delay,
        so a room just put off may still be listed.
        """
        arguments: dict[str, Any] = {
            "IndexName": "due",
            "KeyConditionExpression": "due_bucket = :bucket AND due <= :until",
            "ExpressionAttributeValues": {":bucket": {"S": DUE_BUCKET}, ":until": {"N": str(until)}},
            "Limit": page,
        }
        for item in self._table.items("query", **arguments):
            yield item["pk"]["S"], float(item["due"]["N"])

    def every(self, after: str | None = None, page: int = 200) -> Iterator[RoomItem]:
        """Yield every room of the table except those that moved, for rare passes over all of them.

        One request for each ``page`` of items, made on demand. The order is the table's own and never
        changes. ``after``: yield only the rooms after this key. The room with this key need not exist any
        more. Items that cannot be read are skipped, so that one of them does not stop the pass.
        """
        arguments: dict[str, Any] = {
            "FilterExpression": "sk = :room AND attribute_not_exists(moved_to)",
            "ExpressionAttributeValues": {":room": {"S": ROOM}},
            "Limit": page,
        }
        if after is not None:
            arguments["ExclusiveStartKey"] = room_primary_key(after)
        for item in self._table.items("scan", **arguments):
            with suppress(StoreRefused):
                yield room_from_attributes(item)

    def _write(
        self, operation: str, key: str, arguments: Mapping[str, Any], token: str, version: int
    ) -> RoomItem | Conflict:
        """Write a room. If the answer is lost, the token in the stored item says whether we wrote it."""
        try:
            answer = self._table.call(operation, **arguments, ReturnValuesOnConditionCheckFailure="ALL_OLD")
            return room_from_attributes(arguments["Item"] if "Item" in arguments else answer["Attributes"])
        except ConditionFailed as failure:
            # botocore repeats a request whose answer was lost; the repetition then meets our own write.
            stored = room_from_attributes(failure.item) if failure.item else None
            if stored is not None and stored.version == version and stored.write_token == token:
                return stored
            if stored is not None and stored.moved_to is not None:
                stored = self.load_following(stored.moved_to)
            return Conflict(stored)
        except StoreUnavailable:
            stored = self.load(key)
            if stored is not None and stored.version == version and stored.write_token == token:
                return stored
            raise

    def _lease_update(self, key: str, expression: Expression) -> RoomItem | None:
        try:
            update = {"Key": room_primary_key(key), **expression.arguments()}
            answer = self._table.call("update_item", **update, **RETURN_ITEM)
        except ConditionFailed as failure:
            return room_from_attributes(failure.item) if failure.item else None
        return room_from_attributes(answer["Attributes"])


def _move_item(before: RoomItem, new_key: str, change: Change, chats: tuple[int, int]) -> RoomItem:
    old_chat, new_chat = chats
    outbox = dict(before.outbox)
    for name, entry in before.outbox.items():
        if entry.chat == old_chat:
            outbox[name] = replace(entry, chat=new_chat)
    version = before.version + 1
    outbox |= {entry_id(version, index): entry for index, entry in enumerate(change.entries)}
    body = before.body if change.body is None else change.body
    schema = before.schema if change.schema is None else change.schema
    moved = replace(before, key=new_key, version=version, body=body, schema=schema, moved_from=before.key)
    return replace(moved, outbox=outbox, lease=None)


# --- writing ------------------------------------------------------------------------------------------------
# A change as one update.


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
    leaves_entries = bool(change.entries) or not before.outbox.keys() <= set(change.remove)
    if change.lease is not None and leaves_entries:  # with nothing to send, nobody would give the lease back
        _set_lease(out, before, change.lease, now)
    _set_due_if_needed(out, before, change, now, leaves_entries=leaves_entries)
    return out


def _set_lease(out: Expression, before: RoomItem, wanted: Lease, now: float) -> None:
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


def _set_due_if_needed(
    out: Expression, before: RoomItem, change: Change, now: float, *, leaves_entries: bool
) -> None:
    """Change the time at which the watchdog must look, but only if needed.

    Each change of the index costs one more write. A look that comes too early costs less than moving the room
    to a later time in the index.
    """
    wanted = before.due if isinstance(change.due, Keep) else change.due
    ours = change.lease is not None and before.held_by(change.lease.owner)
    if leaves_entries and not ours and before.lease is not None and not before.is_lease_free(now):
        # Somebody else sends the waiting entries. They may die, so the watchdog looks when their lease ends.
        wanted = before.lease.until if wanted is None else min(wanted, before.lease.until)
    if wanted == before.due:
        return
    if wanted is None:
        out.remove("due")
        out.remove("due_bucket")
    elif before.due is None or wanted < before.due or before.due <= now:
        out.set_due(wanted)
