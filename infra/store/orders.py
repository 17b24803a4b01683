"""What the operator ordered while the bot runs: no new games, and who may not play. One item."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from infra.store.items import Attributes
from infra.store.table import ConditionFailed, DynamoTable, StoreUnavailable
from infra.store.writing import Expression

#: Seconds for which a process takes its orders to be as they were.
REMEMBERED = 30.0

_KEY: Attributes = {"pk": {"S": "operator"}, "sk": {"S": "orders"}}
_BANNED = "banned"
_PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class Ordered:
    """What is ordered now. ``banned``: ids of groups (negative) and of people."""

    paused: bool = False
    banned: frozenset[int] = frozenset()


class Orders:
    """The orders of one table."""

    def __init__(self, table: DynamoTable, clock: Callable[[], float]) -> None:
        self._table = table
        self._clock = clock
        self._read = Ordered()
        self._at = -REMEMBERED

    def current(self, *, fresh: bool = False) -> Ordered:
        """The orders; one request, unless they were read a moment ago. Raises StoreUnavailable."""
        if fresh or self._clock() - self._at >= REMEMBERED:
            item = self._table.call("get_item", Key=_KEY).get("Item", {})
            self._read, self._at = _ordered(item), self._clock()
        return self._read

    def known(self) -> Ordered:
        """The orders; as they were where the store does not answer."""
        try:
            return self.current()
        except StoreUnavailable:
            return self._read

    def pause(self, paused: bool) -> None:
        """Whether no new games open."""
        out = Expression()
        out.set(_PAUSED, {"BOOL": paused})
        self._change(out)

    def ban(self, who: int) -> None:
        """Let a group or a person play no more."""
        out = Expression()
        out.add_to_set(_BANNED, [str(who)])
        self._change(out)

    def unban(self, who: int) -> None:
        """Let them play again."""
        out = Expression()
        out.take_from_set(_BANNED, [str(who)])
        self._change(out)

    def _change(self, out: Expression) -> None:
        self._table.call("update_item", Key=_KEY, **out.arguments())
        self._at = -REMEMBERED


class Audit:
    """Who looked at what should stay hidden, or changed something: an item each, under one key, by time."""

    def __init__(self, table: DynamoTable, clock: Callable[[], float]) -> None:
        self._table = table
        self._clock = clock

    def record(self, who: str, what: str, whom: str) -> None:
        """Write a record down. It is written before what it tells of is done, and never replaced."""
        said = {"who": who, "what": what, "whom": whom}
        for more in range(1000):
            key = {"pk": {"S": "audit"}, "sk": {"S": f"{self._clock() + more / 1000:017.3f}"}}
            item = {**key, "said": {"S": json.dumps(said, ensure_ascii=False)}}
            try:
                self._table.call("put_item", Item=item, ConditionExpression="attribute_not_exists(pk)")
            except ConditionFailed:
                continue
            return
        raise StoreUnavailable("too many records at once")

    def records(self, limit: int = 50) -> list[Mapping[str, Any]]:
        """The latest records, the newest first: when (seconds since 1970), who, what and whom."""
        answer = self._table.call(
            "query",
            KeyConditionExpression="pk = :audit",
            ExpressionAttributeValues={":audit": {"S": "audit"}},
            ScanIndexForward=False,
            Limit=limit,
        )
        return [{"at": float(item["sk"]["S"]), **json.loads(item["said"]["S"])} for item in answer["Items"]]


def _ordered(item: Mapping[str, Any]) -> Ordered:
    banned = item.get(_BANNED, {}).get("SS", ())
    return Ordered(item.get(_PAUSED, {}).get("BOOL", False), frozenset(int(who) for who in banned))
