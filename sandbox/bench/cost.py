"""Compute a game's cost on AWS from counted requests and AWS's prices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import Any

from local.dynamodb.table import Failed, Key
from sandbox.bench.measured_games import Item, MeasuredHarness, play
from sandbox.item_size import item_size
from sandbox.measurements import table

#: USD, Lambda for arm64, DynamoDB on demand, in eu-central-1's neighbourhood; November 2026.
PRICES = {
    "Lambda request": 0.20 / 1e6,
    "Lambda GB-second": 0.0000133334,
    "DynamoDB read unit": 0.125 / 1e6,
    "DynamoDB write unit": 0.625 / 1e6,
    "SQS request": 0.40 / 1e6,
}
REACH = 0.002
#: The number of games.
SEEDS = 10
#: Bytes of a unit.
READ_UNIT, WRITE_UNIT = 4096, 1024
MEMORY_GB = 0.5
#: The share of a processor that a function with 512 MB gets. With 1,769 MB it gets a whole one.
SHARE = 512 / 1769
#: Billed seconds of waiting: for each request to the table, and for each round of messages to Telegram.
STORE_SECONDS = 0.008
TELEGRAM_SECONDS = 0.15
#: Processor seconds of HTTP and TLS for each request. (The transports here use neither.)
HTTP_SECONDS = 0.001
#: Processor seconds of drawing a board.
PICTURE_SECONDS = 0.12
#: Processor seconds of a cold start, and cold starts in a game, since simultaneous taps start processes.
COLD_SECONDS = 0.4
COLD_STARTS = 6


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
            self._in_transaction = operation == "transact_write_items"
            try:
                answer = run(operation, arguments)
            except Failed as failed:
                # A write whose condition fails costs as much as a write of the existing item.
                self.writes += write_units(failed.item or {})
                raise
            finally:
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


def count(seed: int, ruleset: str = "classic", players: int = 7) -> dict[str, float]:
    """Play a game and return its use of AWS by billed item. Lambda's seconds are an estimate."""
    units = Units()
    harness = play(ruleset, players, seed, watch=units.watch).harness
    stored = sum(cost.reads + cost.writes for cost in harness.costs)
    uploads = sum(call.ok and bool(call.files) for call in harness.telegram.journal.of("sendPhoto"))
    flushes = sum(cost.calls > 0 for cost in harness.costs)
    processor = (
        sum(cost.ms for cost in harness.costs) / 1000
        + (stored + sum(cost.calls for cost in harness.costs)) * HTTP_SECONDS
        + uploads * PICTURE_SECONDS
        + COLD_STARTS * COLD_SECONDS
    )
    waits = stored * STORE_SECONDS + flushes * TELEGRAM_SECONDS
    return {
        "Lambda request": len(harness.costs) + harness.wakeups,
        "Lambda GB-second": (processor / SHARE + waits) * MEMORY_GB,
        "DynamoDB read unit": units.reads,
        "DynamoDB write unit": units.writes + units.index_writes,
        # Each wake-up is sent, received and deleted.
        "SQS request": 3 * harness.wakeups,
    }


def usd(game: Mapping[str, float]) -> float:
    """Return the cost of a game in USD."""
    return sum(amount * PRICES[what] for what, amount in game.items())


def rows(games: Sequence[Mapping[str, float]]) -> list[list[str]]:
    """Return the rows of the table: item, median amount, price per million, and USD; the sum comes last."""
    amounts = {what: median(game[what] for game in games) for what in PRICES}
    lines = [
        [what, f"{amount:,.0f}", f"{PRICES[what] * 1e6:.3f}", f"{amount * PRICES[what]:.6f}"]
        for what, amount in amounts.items()
    ]
    return [*lines, ["**a game**", "", "", f"**{usd(amounts):.6f}**"]]


def run() -> list[str]:
    """Compute the cost of a 7-player classic game."""
    games = [count(seed) for seed in range(1, SEEDS + 1)]
    worst = max(usd(game) for game in games)
    return [
        *table(["", "a game", "USD a million", "USD"], rows(games)),
        "",
        f"The most expensive of the {SEEDS} games: {worst:.6f} USD. See `operating.md` for fixed costs.",
    ]
