"""A group that becomes a supergroup changes its id: its room moves to a new key."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from infra.store.items import (
    Change,
    Conflict,
    OutboxEntry,
    RoomItem,
    attributes_of,
    entry_id,
    room_from_attributes,
    room_primary_key,
)
from infra.store.rooms import Clock, takeable_condition
from infra.store.table import DynamoTable, Expression, TransactionRefused


def move_room(
    table: DynamoTable,
    clock: Clock,
    before: RoomItem,
    new_key: str,
    change: Change,
    *,
    chats: tuple[int, int],
    owner: str,
) -> RoomItem | Conflict:
    """Move a room to ``new_key`` in one transaction; the old key then holds only the new key.

    ``chats`` are the group's old and new id: waiting entries for the old one are addressed to the new one.
    ``before`` is the room's item without the message ids that end here: they start again in a supergroup.
    ``change`` may have a new body (a body may hold the chat's id) and entries to send after the waiting ones.

    Returns the new item, or a ``Conflict``. The conflict holds the old key's item if it changed meanwhile or
    somebody else is sending its outbox. It holds the new key's item if there is one already.
    """
    moved = _move_item(before, new_key, change, chats)
    tombstone = Expression()
    tombstone.condition(f"{tombstone.path('v')} = {tombstone.value({'N': str(before.version)})}")
    tombstone.condition(takeable_condition(tombstone, owner, clock()))
    # A sender that removes entries leaves the version unchanged. What it has sent must not move along.
    waiting = tombstone.value({"N": str(len(before.outbox))})
    tombstone.condition(f"size({tombstone.path('outbox')}) = {waiting}")
    tombstone.set("v", {"N": str(before.version + 1)})
    tombstone.set("moved_to", {"S": new_key})
    tombstone.set("outbox", {"M": {}})
    tombstone.set("remembered", {"M": {}})
    for name in ("body", "updates", "lease", "due", "due_bucket"):
        tombstone.remove(name)
    return_stored: dict[str, Any] = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    try:
        table.transact(
            [
                {
                    "Put": {
                        "Item": attributes_of(moved),
                        "ConditionExpression": "attribute_not_exists(pk)",
                        **return_stored,
                    }
                },
                {"Update": {"Key": room_primary_key(before.key), **tombstone.arguments(), **return_stored}},
            ]
        )
    except TransactionRefused as refusal:
        stored = [room_from_attributes(item) for item in refusal.items if item]
        return Conflict(stored[0] if stored else None)
    return moved


def _move_item(before: RoomItem, new_key: str, change: Change, chats: tuple[int, int]) -> RoomItem:
    old_chat, new_chat = chats
    outbox: dict[str, OutboxEntry] = {
        name: replace(entry, chat=new_chat) if entry.chat == old_chat else entry
        for name, entry in before.outbox.items()
    }
    version = before.version + 1
    outbox |= {entry_id(version, index): entry for index, entry in enumerate(change.entries)}
    return replace(
        before,
        key=new_key,
        version=version,
        body=before.body if change.body is None else change.body,
        schema=before.schema if change.schema is None else change.schema,
        outbox=outbox,
        lease=None,
        moved_from=before.key,
    )
