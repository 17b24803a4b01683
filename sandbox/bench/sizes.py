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

#: Attributes whose sizes are also listed.
PARTS = ("body", "remembered", "updates")


def item_sizes(game: MeasuredGame) -> dict[str, int]:
    """Return the billed bytes of a room's item, and of its largest attributes."""
    item = game.item()
    return {"item": item_size(item)} | {name: item_size({name: item[name]}) for name in PARTS if name in item}


def run(*, seeds: int = 10) -> Section:
    """Measure the items after whole games."""
    rows = []
    for ruleset, players, options, reach in GAMES:
        found = [item_sizes(play(ruleset, players, seed, options)) for seed in range(1, seeds + 1)]
        sizes = [weights["item"] for weights in found]
        parts = [round(median(weights.get(part, 0) for weights in found)) for part in PARTS]
        rows.append(
            [
                named(ruleset, players, options),
                round(median(sizes)),
                max(sizes),
                "" if reach is None else reach * 1024,
                *parts,
            ]
        )
    return Section(
        "Item size",
        f"""Bytes of the room's item at the end of {seeds} random games of each kind, as DynamoDB counts them
        (names and values); and the medians of its largest attributes: the room's body (compressed), the
        remembered message ids, and the last hundred update ids.""",
        table(["", "median", "largest", "goal", "body", "remembered", "updates"], rows),
    )
