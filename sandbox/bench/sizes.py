"""Measure the size of a room's item at the end of a game."""

from statistics import median

from sandbox.bench.measured_games import named, play
from sandbox.item_size import item_size
from sandbox.measurements import table

#: (ruleset, players, options, goal for the item in KB)
GAMES = (
    ("classic", 7, "none", None),
    ("classic", 10, "none", 4),
    ("red-dawn", 12, "all", None),
    ("xl", 16, "all", 8),
)


def run() -> list[str]:
    """Measure the items after whole games."""
    rows = []
    for ruleset, players, options, reach in GAMES:
        sizes = [item_size(play(ruleset, players, seed, options).item()) for seed in range(1, 11)]
        goal = "" if reach is None else reach * 1024
        rows.append([named(ruleset, players, options), round(median(sizes)), max(sizes), goal])
    return table(["", "median", "largest", "goal"], rows)
