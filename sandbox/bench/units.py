"""Count read and write units as DynamoDB bills them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from local.dynamodb.table import Failed, Key
from sandbox.bench.measured_games import Item, MeasuredHarness
from sandbox.item_size import item_size

READ_UNIT = 4096
WRITE_UNIT = 1024


@dataclass
class Units:
    """Units so far. Writes in a transaction count twice. A change of the index counts as another write."""

    reads: int = 0
    writes: int = 0
    index_writes: int = 0

    def watch(self, harness: MeasuredHarness) -> None:
        """Count all requests to a harness's table from now on."""
        table = harness.table
        run, self._in_transaction = table.run, False

        def counted(operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
            self._in_transaction = operation == "transact_write_items" or self._in_transaction
            try:
                answer = run(operation, arguments)
            except Failed as failed:
                # A write whose condition fails costs as much as a write of the existing item.
                self.writes += write_units(failed.item or {})
                raise
            finally:
                if operation == "transact_write_items":
                    self._in_transaction = False
            if operation == "get_item":
                self.reads += max(1, ceil(item_size(answer.get("Item", {})) / READ_UNIT))
            elif operation == "query":
                self.reads += max(1, ceil(sum(map(item_size, answer["Items"])) / READ_UNIT))
            return answer

        table.run = counted  # type: ignore[method-assign]
        table.watchers.append(self._changed)

    def _changed(self, key: Key, before: Item | None, after: Item | None) -> None:
        units = max(write_units(before or {}), write_units(after or {}))
        self.writes += 2 * units if self._in_transaction else units
        was, now = (before or {}).get("due"), (after or {}).get("due")
        if was != now:
            # A changed key removes one entry of the index and adds another.
            self.index_writes += (was is not None) + (now is not None)


def write_units(item: Item) -> int:
    """Return the units for writing an item: one for each started KB."""
    return max(1, ceil(item_size(item) / WRITE_UNIT))
