"""One table with its index, and what each operation does to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from local.dynamodb.expressions import Names, condition, update
from local.dynamodb.values import Invalid, Item

Key = tuple[str, str]
#: Called at every change: the item's key, the item before and after.
Watcher = Callable[[Key, "Item | None", "Item | None"], None]


class Failed(Exception):
    """DynamoDB refuses an operation: the error's code, and the item or the reasons that it returns."""

    def __init__(
        self, code: str, item: Item | None = None, reasons: list[dict[str, Any]] | None = None
    ) -> None:
        super().__init__(code)
        self.code = code
        self.item = item
        self.reasons = reasons


class Write(NamedTuple):
    """The effect of an operation on one item."""

    key: Key
    before: Item | None
    after: Item | None


class LocalTable:
    """The items of a table with keys ``pk`` and ``sk`` and the sparse index ``due``."""

    def __init__(self) -> None:
        self.items: dict[Key, Item] = {}
        self.watchers: list[Watcher] = []
        self._done: dict[str, bool] = {}

    def run(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Do one operation by the client's name for it, such as ``update_item``. Raises Failed."""
        try:
            known = {name: value for name, value in arguments.items() if name != "TableName"}
            kind, _, one = operation.partition("_")
            if one == "item" and kind != "get":
                write = self._prepare(kind, known)
                self.keep([write])
                return _returned(known, write.before, write.after)
            answer: dict[str, Any] = getattr(self, f"_{operation}")(**known)
            return answer
        except Invalid as wrong:
            raise Failed(f"ValidationException: {wrong}") from None

    def _get_item(self, Key: Item, ConsistentRead: bool = False) -> dict[str, Any]:  # noqa: N803
        item = self.items.get(_key(Key))
        return {} if item is None else {"Item": item}

    def _prepare(self, kind: str, body: Mapping[str, Any]) -> Write:
        """Return the effect of a put, update or delete. Raises Failed, Invalid."""
        key = _key(body["Item" if kind == "put" else "Key"])
        before = self._checked(key, body)
        if kind == "put":
            return Write(key, before, body["Item"])
        if kind == "delete":
            return Write(key, before, None)
        after = dict(before or body["Key"])
        if expression := body.get("UpdateExpression"):
            after = update(expression).apply(after, _names(body))
        if _key(after) != key:
            raise Invalid("an update must not change the key")
        return Write(key, before, after)

    def _query(
        self,
        KeyConditionExpression: str,  # noqa: N803
        IndexName: str | None = None,  # noqa: N803
        Limit: int = 1_000_000,  # noqa: N803
        ScanIndexForward: bool = True,  # noqa: N803
        ExclusiveStartKey: Item | None = None,  # noqa: N803
        **rest: Any,
    ) -> dict[str, Any]:
        names = _names(rest)
        found = condition(KeyConditionExpression)
        hash_key, range_key = ("pk", "sk") if IndexName is None else ("due_bucket", "due")
        items = [item for item in self.items.values() if hash_key in item and range_key in item]
        items = [item for item in items if found(item, names)]
        order = _order(range_key)
        items.sort(key=order, reverse=not ScanIndexForward)
        if ExclusiveStartKey is not None:
            start = order(ExclusiveStartKey)
            items = [i for i in items if (order(i) > start if ScanIndexForward else order(i) < start)]
        attributes = ("pk", "sk") if IndexName is None else ("pk", "sk", "due_bucket", "due")
        keys = [{name: item[name] for name in attributes} for item in items[:Limit]]
        answer = {"Items": items[:Limit] if IndexName is None else keys, "Count": len(keys)}
        # Like DynamoDB, report a full page even if nothing follows.
        return answer | ({"LastEvaluatedKey": keys[-1]} if len(keys) == Limit else {})

    def _scan(
        self,
        FilterExpression: str | None = None,  # noqa: N803
        Limit: int = 1_000_000,  # noqa: N803
        ExclusiveStartKey: Item | None = None,  # noqa: N803
        **rest: Any,
    ) -> dict[str, Any]:
        after = None if ExclusiveStartKey is None else _key(ExclusiveStartKey)
        page = [key for key in sorted(self.items) if after is None or key > after][:Limit]
        items = [self.items[key] for key in page]
        if FilterExpression is not None:
            holds, names = condition(FilterExpression), _names(rest)
            items = [item for item in items if holds(item, names)]
        if len(page) < Limit:
            return {"Items": items}
        pk, sk = page[-1]
        return {"Items": items, "LastEvaluatedKey": {"pk": {"S": pk}, "sk": {"S": sk}}}

    def _transact_write_items(
        self,
        TransactItems: list[dict[str, Any]],  # noqa: N803
        ClientRequestToken: str = "",  # noqa: N803
    ) -> dict[str, Any]:
        if ClientRequestToken in self._done:
            return {}
        writes: list[Write] = []
        reasons: list[dict[str, Any]] = []
        for action in TransactItems:
            ((kind, body),) = action.items()
            try:
                writes.append(self._prepare(kind.lower(), body))
                reasons.append({"Code": "None"})
            except Invalid:
                reasons.append({"Code": "ValidationError"})
            except Failed as failed:
                reason: dict[str, Any] = {"Code": "ConditionalCheckFailed"}
                reasons.append(reason | ({"Item": failed.item} if failed.item else {}))
        if any(reason["Code"] != "None" for reason in reasons):
            raise Failed("TransactionCanceledException", reasons=reasons)
        if len({write.key for write in writes}) < len(writes):
            raise Invalid("a transaction acts once on an item")
        self.keep(writes)
        if ClientRequestToken:
            self._done[ClientRequestToken] = True
        return {}

    def _checked(self, key: Key, rest: Mapping[str, Any]) -> Item | None:
        """Return the item before, if the request's condition holds for it. Raises Failed if not."""
        before = self.items.get(key)
        text = rest.get("ConditionExpression")
        if text and not condition(text)(before or {}, _names(rest)):
            shown = rest.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
            raise Failed("ConditionalCheckFailedException", before if shown else None)
        return before

    def keep(self, writes: Sequence[Write]) -> None:
        """Store an operation's changes: all of them or, if this raises Failed, none."""
        for write in writes:
            if write.before is not None or write.after is not None:
                self.store(*write)

    def store(self, key: Key, before: Item | None, after: Item | None) -> None:
        """Store an item (None: delete it) in place of ``before``, and tell the watchers."""
        if after is None:
            del self.items[key]
        else:
            self.items[key] = after
        for watcher in self.watchers:
            watcher(key, before, after)


def _key(item: Item) -> Key:
    try:
        return item["pk"]["S"], item["sk"]["S"]
    except KeyError:
        raise Invalid("the key is not complete") from None


def _names(rest: Mapping[str, Any]) -> Names:
    return Names(rest.get("ExpressionAttributeNames") or {}, rest.get("ExpressionAttributeValues") or {})


def _returned(rest: Mapping[str, Any], before: Item | None, after: Item | None) -> dict[str, Any]:
    wanted = {"ALL_NEW": after, "ALL_OLD": before}.get(rest.get("ReturnValues", "NONE"))
    return {} if wanted is None else {"Attributes": wanted}


def _order(range_key: str) -> Callable[[Item], Any]:
    """Return a sort key: numbers as numbers, texts as bytes, and ties by the table's own key."""

    def by(item: Item) -> Any:
        ((kind, value),) = item[range_key].items()
        return float(value) if kind == "N" else value.encode(), *_key(item)

    return by
