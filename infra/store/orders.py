"""The operator's orders while the bot runs (no new games, and who may play), and the operators' audit."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from infra.store.table import (
    Attributes,
    ConditionFailed,
    DynamoTable,
    Expression,
    StoreUnavailable,
    in_partition,
)

#: Seconds for which a process uses the orders it has read.
REMEMBERED_SECONDS = 30.0

_KEY: Attributes = {"pk": {"S": "operator"}, "sk": {"S": "orders"}}
_BANNED = "banned"
_ALLOWED = "allowed"
_PAUSED = "paused"


class CurrentOrders(NamedTuple):
    """The orders in force. ``banned``: ids of groups (negative) and of people."""

    paused: bool = False
    banned: frozenset[int] = frozenset()
    #: Ids of the only groups that may begin games; empty: all may.
    allowed: frozenset[int] = frozenset()


class Orders:
    """The orders of one table."""

    def __init__(self, table: DynamoTable, clock: Callable[[], float]) -> None:
        self._table = table
        self._clock = clock
        self._orders = CurrentOrders()
        self._read_at = -REMEMBERED_SECONDS

    def current(self, *, fresh: bool = False) -> CurrentOrders:
        """Return the orders; one request, unless they were read a moment ago. Raises StoreUnavailable."""
        # A clock that was set back must not make old orders last.
        if fresh or not 0 <= self._clock() - self._read_at < REMEMBERED_SECONDS:
            item = self._table.call("get_item", Key=_KEY).get("Item", {})
            self._orders, self._read_at = _orders_from_item(item), self._clock()
        return self._orders

    def known(self) -> CurrentOrders:
        """Return the orders, or those read last if the store does not answer."""
        try:
            return self.current()
        except StoreUnavailable:
            return self._orders

    def pause(self, paused: bool) -> None:
        """Stop new games, or allow them again."""
        self._change(Expression.set, _PAUSED, {"BOOL": paused})

    def ban(self, who: int) -> None:
        """Stop a group or a person from playing."""
        self._change(Expression.add_to_set, _BANNED, [str(who)])

    def unban(self, who: int) -> None:
        """Let them play again."""
        self._change(Expression.take_from_set, _BANNED, [str(who)])

    def allow(self, group: int) -> None:
        """Let a group play, and from now on only groups that are allowed."""
        self._change(Expression.add_to_set, _ALLOWED, [str(group)])

    def disallow(self, group: int) -> None:
        """Remove a group from the allowed ones; if none is left, all may play."""
        self._change(Expression.take_from_set, _ALLOWED, [str(group)])

    def _change(self, clause: Callable[..., None], name: str, value: object) -> None:
        out = Expression()
        clause(out, name, value)
        self._table.call("update_item", Key=_KEY, **out.arguments())
        self._read_at = -REMEMBERED_SECONDS


def _orders_from_item(item: Mapping[str, Any]) -> CurrentOrders:
    def ids(name: str) -> frozenset[int]:
        return frozenset(int(who) for who in item.get(name, {}).get("SS", ()))

    return CurrentOrders(item.get(_PAUSED, {}).get("BOOL", False), ids(_BANNED), ids(_ALLOWED))


class Audit:
    """The operators' changes, and the secrets that they looked at: one item for each act, by time."""

    def __init__(self, table: DynamoTable, clock: Callable[[], float]) -> None:
        self._table = table
        self._clock = clock

    def record(self, who: str, what: str, whom: str) -> None:
        """Write an audit entry. Call it before the act. An entry is never replaced."""
        act = {"who": who, "what": what, "whom": whom}
        for more in range(1000):
            key = {"pk": {"S": "audit"}, "sk": {"S": f"{self._clock() + more / 1000:017.3f}"}}
            item = {**key, "said": {"S": json.dumps(act, ensure_ascii=False)}}
            try:
                self._table.call("put_item", Item=item, ConditionExpression="attribute_not_exists(pk)")
            except ConditionFailed:
                continue
            return
        raise StoreUnavailable("too many records at once")

    def records(self, limit: int = 50) -> list[Mapping[str, Any]]:
        """Return the latest entries, newest first: time (seconds since 1970), operator, action and target."""
        answer = self._table.call("query", **in_partition("audit"), ScanIndexForward=False, Limit=limit)
        return [{"at": float(item["sk"]["S"]), **json.loads(item["said"]["S"])} for item in answer["Items"]]
