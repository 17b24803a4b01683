"""Finished games.

When a game ends, one transaction writes its archive, its players' counts and lists of games, and documents
such as the leaderboard.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from infra.store.people import COUNT_ATTRIBUTE, FINISHED, user_game_key, user_primary_key
from infra.store.table import (
    GAME_PREFIX,
    Attributes,
    ConditionFailed,
    DynamoTable,
    Expression,
    TransactionRefused,
    game_reference,
    in_partition,
    pack_value,
    unpack_value,
)


def time_ordered_id(seconds: float, number: int) -> str:
    """Return a 26-digit hexadecimal id: 48 bits of milliseconds since 1970, then the number's lowest 56 bits.

    Ids of different milliseconds sort by time, as in RFC 9562's version 7.
    """
    milliseconds = int(seconds * 1000)
    if not 0 <= milliseconds < 1 << 48:
        raise ValueError("time out of range")
    return f"{milliseconds:012x}{number % (1 << 56):014x}"


class Archive(NamedTuple):
    """A finished game."""

    #: The key of the room in which it was played.
    room: str
    #: Its id, see ``time_ordered_id``; it sorts the games of a room.
    game: str
    #: Setup, events and result, with seats instead of people, as the caller encoded them. Compressed in the
    #: table.
    body: bytes
    #: User ids by seat, kept apart from the body so that a person can be forgotten.
    people: Mapping[str, int] = {}
    #: Small JSON values that lists need without reading the body.
    facts: Mapping[str, Any] = {}


class Document(NamedTuple):
    """Bytes with a version under a key of their own (a leaderboard, for example).

    Version 0 means that the document is not stored yet.
    """

    #: The partition key and the sort key of its item.
    key: str
    sort: str
    version: int = 0
    body: bytes = b""


class Archives:
    """The finished games of one table."""

    def __init__(self, table: DynamoTable) -> None:
        self._table = table

    def finish(
        self,
        archive: Archive,
        counts: Mapping[int, Mapping[str, int]] | None = None,
        documents: Sequence[Document] = (),
    ) -> bool:
        """Archive a game, add to its players' counts and replace documents, in one transaction.

        A game counts once, even if this is repeated: nothing is written if the archive exists. ``counts``
        holds, by user id, the amounts to add to that person's counts. Each document has the version that was
        read and the new body. Returns False if a document changed since it was read: read it again and
        repeat.

        Raises StoreUnavailable: everything may have been written all the same, and repeating it is safe.
        Raises StoreRefused.
        """
        item, new = _attributes(archive), "attribute_not_exists(pk)"
        actions: list[dict[str, Any]] = [{"Put": {"Item": item, "ConditionExpression": new}}]
        for user, amounts in (counts or {}).items():
            update = Expression()
            for name, amount in amounts.items():
                update.add(COUNT_ATTRIBUTE + name, amount)
            update.add(FINISHED, 1)
            named = user_game_key(user, game_reference(archive.room, archive.game))
            actions.append({"Update": {"Key": user_primary_key(user), **update.arguments()}})
            actions.append({"Put": {"Item": named}})
        actions += [{"Put": _document_put(document)} for document in documents]
        try:
            self._table.transact(actions)
        except TransactionRefused as refusal:
            return refusal.reasons[0] == "ConditionalCheckFailed"
        return True

    def load(self, room: str, game: str) -> Archive | None:
        """Return one finished game, consistently read, or None."""
        key = _key(room, GAME_PREFIX + game)
        item = self._table.call("get_item", Key=key, ConsistentRead=True).get("Item")
        return _archive(item) if item else None

    def latest(self, room: str, limit: int = 20, before: str | None = None) -> list[Archive]:
        """Return the room's finished games, latest first; with ``before``, those that ended before that id.

        The read is consistent, because a caller that deletes or anonymises games does not look again.
        """
        query = in_partition(room, (GAME_PREFIX, GAME_PREFIX + (before or "~")))
        most = limit + (before is not None)
        latest = {"ScanIndexForward": False, "ConsistentRead": True, "Limit": most}
        answer = self._table.call("query", **query, **latest)
        games = [_archive(item) for item in answer["Items"]]
        return [game for game in games if game.game != before][:limit]

    def forget(self, room: str, game: str, user: int, alias: int) -> None:
        """Replace a person by an alias in an archive. The seats and everything that was done from them stay.

        One request, and one more if the person sat there. Repeating it is safe.
        """
        archive = self.load(room, game)
        seats = [seat for seat, sitting in archive.people.items() if sitting == user] if archive else []
        if not seats:
            return
        out = Expression()
        for seat in seats:
            out.set("people", {"N": str(alias)}, seat)
        # A finished game's seat never goes to another person, so the item's existence is the only condition
        # needed.
        out.condition(f"attribute_exists({out.path('pk')})")
        try:
            self._table.call("update_item", Key=_key(room, GAME_PREFIX + game), **out.arguments())
        except ConditionFailed:
            return

    def delete(self, room: str, game: str) -> None:
        """Delete a finished game. Repeating it is safe."""
        self._table.call("delete_item", Key=_key(room, GAME_PREFIX + game))

    def delete_document(self, key: str, sort: str) -> None:
        """Delete a document. Repeating it is safe."""
        self._table.call("delete_item", Key=_key(key, sort))

    def load_document(self, key: str, sort: str) -> Document:
        """Return a document as stored, consistently read; version 0 and no bytes if there is none."""
        item = self._table.call("get_item", Key=_key(key, sort), ConsistentRead=True).get("Item")
        if not item:
            return Document(key, sort)
        return Document(key, sort, int(item["v"]["N"]), zlib.decompress(item["body"]["B"]))

    def save_document(self, document: Document) -> bool:
        """Replace a document if it is still as it was read. Returns whether it was replaced."""
        try:
            self._table.call("put_item", **_document_put(document))
        except ConditionFailed:
            return False
        return True


def _key(partition: str, sort: str) -> Attributes:
    return {"pk": {"S": partition}, "sk": {"S": sort}}


def _attributes(archive: Archive) -> Attributes:
    return {
        **_key(archive.room, GAME_PREFIX + archive.game),
        "body": {"B": zlib.compress(archive.body, 9)},
        "people": {"M": {seat: {"N": str(user)} for seat, user in archive.people.items()}},
        "facts": {"M": {name: pack_value(value) for name, value in archive.facts.items()}},
    }


def _archive(item: Attributes) -> Archive:
    return Archive(
        room=item["pk"]["S"],
        game=item["sk"]["S"].removeprefix(GAME_PREFIX),
        body=zlib.decompress(item["body"]["B"]),
        people={seat: int(user["N"]) for seat, user in item["people"]["M"].items()},
        facts={name: unpack_value(value) for name, value in item["facts"]["M"].items()},
    )


def _document_put(document: Document) -> dict[str, Any]:
    version, body = {"N": str(document.version + 1)}, {"B": zlib.compress(document.body, 9)}
    item = {**_key(document.key, document.sort), "v": version, "body": body}
    if document.version == 0:
        return {"Item": item, "ConditionExpression": "attribute_not_exists(pk)"}
    read = {":read": {"N": str(document.version)}}
    return {"Item": item, "ConditionExpression": "v = :read", "ExpressionAttributeValues": read}
