"""Measure the size of a room's item at the end of a game."""

from __future__ import annotations

from statistics import median

from sandbox.bench.measured_games import MeasuredGame, named, play
from sandbox.item_size import item_size
from sandbox.measurements import Section, table

#: (ruleset, players, options, goal for the item in KB)
GAMES = (
    ("classic", 7, "none", None),
    ("classic", 10, "none", 4),
    ("red-dawn", 12, "all", None),
    ("xl", 16, "all", 8),
)


def size_at_end(game: MeasuredGame) -> int:
    """Return the billed bytes of a room's item after its game."""
    return item_size(game.item())


def run(*, seeds: int = 10) -> Section:
    """Measure the items after whole games."""
    rows = []
    for ruleset, players, options, reach in GAMES:
        sizes = [size_at_end(play(ruleset, players, seed, options)) for seed in range(1, seeds + 1)]
        goal = "" if reach is None else reach * 1024
        rows.append([named(ruleset, players, options), round(median(sizes)), max(sizes), goal])
    return Section(
        "Item size",
        f"""Bytes of the room's item at the end of {seeds} random games of each kind, as DynamoDB counts them
        (names and values).""",
        table(["", "median", "largest", "goal"], rows),
    )
