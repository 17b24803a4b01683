"""Rooms in the table: load, save under a condition, and the lease under which an outbox is sent."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from infra.store.items import (
    Attributes,
    Change,
    Conflict,
    Lease,
    RoomItem,
    pack_number,
    pack_value,
    room_from_attributes,
    room_primary_key,
)
from infra.store.keys import DUE_BUCKET, ROOM
from infra.store.remembered import Patch, values_by_stored_name
from infra.store.table import ConditionFailed, DynamoTable, StoreRefused, StoreUnavailable
from infra.store.writing import Expression, held_condition, new_room_attributes, takeable_condition, update_of

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
        answer = self._table.call("get_item", Key=room_primary_key(key), ConsistentRead=True)
        return _room(answer.get("Item"))

    def load_following(self, key: str) -> RoomItem | None:
        """Read a room, and follow it if it moved, with one more read for each move."""
        return self._follow(self.load(key))

    def create(self, key: str, change: Change) -> RoomItem | Conflict:
        """Write a new room with version 1, unless one exists (then ``Conflict`` holds it)."""
        token = _write_token()
        attributes = new_room_attributes(key, change, token)
        arguments: dict[str, Any] = {
            "Item": attributes,
            "ConditionExpression": "attribute_not_exists(pk)",
        }
        return self._write("put_item", key, arguments, token, 1, lambda _: room_from_attributes(attributes))

    def save(self, before: RoomItem, change: Change) -> RoomItem | Conflict:
        """Write a change by one ``UpdateItem``, if the room is still as it was read.

        Returns the whole new item. Its ``held_by`` says whether the caller got the lease that it wants. If
        ``before`` has no lease, the change is written even if somebody else has taken one since. An expired
        lease is different: if the caller wants it, but somebody else has taken it since, ``Conflict`` is
        returned.

        After StoreUnavailable the change may have been written. If it has an ``update_id``, trying the same
        update again is safe, because the room then knows the id.
        """
        token = _write_token()
        expression = update_of(before, change, token, self._clock())
        arguments = {
            "Key": room_primary_key(before.key),
            **expression.arguments(),
            "ReturnValues": "ALL_NEW",
        }
        return self._write(
            "update_item",
            before.key,
            arguments,
            token,
            before.version + 1,
            lambda answer: room_from_attributes(answer["Attributes"]),
        )

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
            with suppress(ValueError):
                yield room_from_attributes(item)

    def _follow(self, item: RoomItem | None) -> RoomItem | None:
        while item is not None and item.moved_to is not None:
            item = self.load(item.moved_to)
        return item

    def _write(
        self,
        operation: str,
        key: str,
        arguments: Mapping[str, Any],
        token: str,
        version: int,
        read: Callable[[dict[str, Any]], RoomItem],
    ) -> RoomItem | Conflict:
        """Write a room. If the answer is lost, the token in the stored item says whether we wrote it."""
        try:
            return read(
                self._table.call(operation, **arguments, ReturnValuesOnConditionCheckFailure="ALL_OLD")
            )
        except ConditionFailed as failure:
            # botocore repeats a request whose answer was lost; the repetition then meets our own write.
            stored = _room(failure.item)
            if stored is not None and stored.version == version and stored.write_token == token:
                return stored
            return Conflict(self._follow(stored))
        except StoreUnavailable:
            stored = self.load(key)
            if stored is not None and stored.version == version and stored.write_token == token:
                return stored
            raise

    def _lease_update(self, key: str, expression: Expression) -> RoomItem | None:
        try:
            answer = self._table.call(
                "update_item",
                Key=room_primary_key(key),
                **expression.arguments(),
                ReturnValues="ALL_NEW",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except ConditionFailed as failure:
            return _room(failure.item)
        return room_from_attributes(answer["Attributes"])


def _room(attributes: Attributes | None) -> RoomItem | None:
    try:
        return room_from_attributes(attributes) if attributes else None
    except ValueError as error:
        raise StoreRefused(str(error)) from None


def _write_token() -> str:
    return secrets.token_urlsafe(6)
