"""The audit: what operators changed, and the secrets that they looked at."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from infra.store.table import ConditionFailed, DynamoTable, StoreUnavailable


class Audit:
    """The audit of one table: one item for each act, in one partition, by time."""

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
        answer = self._table.call(
            "query",
            KeyConditionExpression="pk = :audit",
            ExpressionAttributeValues={":audit": {"S": "audit"}},
            ScanIndexForward=False,
            Limit=limit,
        )
        return [{"at": float(item["sk"]["S"]), **json.loads(item["said"]["S"])} for item in answer["Items"]]
