"""The progress of a pass over the whole table that takes more than one run. One item per pass."""

from __future__ import annotations

from infra.store.items import Attributes
from infra.store.table import DynamoTable


class Cursor:
    """The cursor of one pass, by the pass's name."""

    def __init__(self, table: DynamoTable, name: str) -> None:
        self._table = table
        self._key: Attributes = {"pk": {"S": "pass"}, "sk": {"S": name}}

    def load(self) -> str | None:
        """Return the key of the room after which to go on, or None to start at the beginning.

        Raises StoreUnavailable.
        """
        item = self._table.call("get_item", Key=self._key, ConsistentRead=True).get("Item")
        return None if item is None else str(item["after"]["S"])

    def save(self, key: str) -> None:
        """Go on after this room next time. Raises StoreUnavailable."""
        self._table.call("put_item", Item={**self._key, "after": {"S": key}})

    def reset(self) -> None:
        """Start from the first room next time. Raises StoreUnavailable."""
        self._table.call("delete_item", Key=self._key)
