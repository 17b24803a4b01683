"""Count the requests to the table for each kind of update."""

from collections.abc import Iterable, Sequence

from sandbox.bench.measured_games import Cost, play
from sandbox.measurements import table

#: The maximum of (reads, writes) for each kind of tap in a running game.
BUDGET = {
    "answer, illegal": (1, 0),
    "answer, nothing sent": (1, 1),
    "answer, something sent": (1, 3),
}


def by_kind(costs: Iterable[Cost]) -> dict[str, list[Cost]]:
    """Group costs by kind of update, in order of first occurrence."""
    kinds: dict[str, list[Cost]] = {}
    for cost in costs:
        kinds.setdefault(cost.kind, []).append(cost)
    return kinds


def run() -> list[str]:
    """Count the requests in whole games."""
    costs: list[Cost] = []
    for seed in range(1, 6):
        costs += play("classic", 7, seed).harness.costs
        costs += play("xl", 12, seed, "all").harness.costs
    rows: list[list[object]] = []
    for kind, found in sorted(by_kind(costs).items()):
        figures = ((cost.reads, cost.writes, cost.calls + cost.in_reply) for cost in found)
        rows.append([kind, len(found), *map(_span, zip(*figures, strict=True))])
    return table(["update", "seen", "reads", "writes", "calls to Telegram"], rows)


def _span(figures: Sequence[int]) -> str:
    low, high = min(figures), max(figures)
    return str(low) if low == high else f"{low}–{high}"
