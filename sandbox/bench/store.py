"""Count the requests to the table for each kind of update."""

from __future__ import annotations

from collections.abc import Iterable

from sandbox.bench.measured_games import Cost, play
from sandbox.measurements import Section, table

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


def run(*, seeds: int = 5) -> Section:
    """Count the requests in whole games."""
    costs: list[Cost] = []
    for seed in range(1, seeds + 1):
        costs += play("classic", 7, seed).harness.costs
        costs += play("xl", 12, seed, "all").harness.costs
    rows = [
        [
            kind,
            len(found),
            _span([cost.reads for cost in found]),
            _span([cost.writes for cost in found]),
            _span([cost.calls + cost.in_reply for cost in found]),
        ]
        for kind, found in sorted(by_kind(costs).items())
    ]
    return Section(
        "Requests to the table",
        f"""Counted for each update of {2 * seeds} whole random games (classic with 7, XL with 12 players
        and every option), fewest–most. Goal for taps in a running game: 1 read and 1 write,
        and when something was sent 1 write more, and 1 to the item that keeps the whole bot's pace;
        for an illegal tap 1 read.""",
        table(["update", "seen", "reads", "writes", "calls to Telegram"], rows),
    )


def _span(figures: list[int]) -> str:
    low, high = min(figures), max(figures)
    return str(low) if low == high else f"{low}–{high}"
