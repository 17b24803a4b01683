"""Count the files, functions and calls of our code in one tap, and the jumps between files."""

from __future__ import annotations

import pstats
from cProfile import Profile
from pathlib import Path
from statistics import median
from typing import Any

from local.dynamodb.table import LocalTable
from sandbox.bench.measured_games import MeasuredHarness, play
from sandbox.measurements import table
from sandbox.telegram import Response, VirtualClock

ROOT = Path(__file__).resolve().parent.parent.parent
#: The packages that ship.
OURS = tuple(f"{ROOT / package}/" for package in ("ai", "bot", "engine", "handlers", "infra"))
#: The number of games.
SEEDS = 3
#: The goals by kind of tap: files, functions, calls and jumps.
REACH = {"answer, nothing sent": (35, 130, 400, 200), "answer, something sent": (55, 300, 1800, 800)}


def _figures(profile: Profile) -> tuple[int, int, int, int]:
    """Return (files, functions, calls, jumps). A jump is a call from one of our files to another."""
    stats: dict[Any, Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    ours = {code: row for code, row in stats.items() if code[0].startswith(OURS) and code[2] != "<module>"}
    jumps = sum(
        times[0]
        for code, row in ours.items()
        for caller, times in row[4].items()
        if caller in ours and caller[0] != code[0]
    )
    return len({code[0] for code in ours}), len(ours), sum(row[1] for row in ours.values()), jumps


class TracedHarness(MeasuredHarness):
    """A harness that counts the calls of each update."""

    def __init__(self, table: LocalTable, clock: VirtualClock, seed: int) -> None:
        super().__init__(table, clock, seed)
        self.hops: list[tuple[int, int, int, int]] = []

    def post(self, update: dict[str, Any], headers: dict[str, str]) -> Response:
        """Pass one update to the webhook's entry, and count its calls."""
        with Profile() as profile:
            response = super().post(update, headers)
        self.hops.append(_figures(profile))
        return response


def figures_by_kind(seed: int) -> dict[str, list[tuple[int, int, int, int]]]:
    """Play a random classic game of seven; return each tap's figures by kind of tap."""
    harness = play("classic", 7, seed, harness=TracedHarness).harness
    assert isinstance(harness, TracedHarness)
    found: dict[str, list[tuple[int, int, int, int]]] = {kind: [] for kind in REACH}
    for cost, hops in zip(harness.costs, harness.hops, strict=True):
        if cost.kind in found:
            found[cost.kind].append(hops)
    return found


def run() -> list[str]:
    """Play some games, and return the median of each figure."""
    figures_by_kind(99)  # so that code that runs once per process does not count
    games = [figures_by_kind(seed) for seed in range(1, SEEDS + 1)]
    rows: list[list[object]] = []
    for kind, reach in REACH.items():
        figures = [each for game in games for each in game[kind]]
        middle = [round(median(column)) for column in zip(*figures, strict=True)]
        shown = [f"{one} ({most})" for one, most in zip(middle, reach, strict=True)]
        rows.append([kind, len(figures), *shown])
    return table(["", "taps", "files", "functions", "calls", "jumps"], rows)
