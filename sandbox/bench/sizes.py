"""How large a room's item is at the end of a game."""

from __future__ import annotations

from statistics import median

from sandbox.bench.measured_games import MeasuredGame, play
from sandbox.item_size import item_size
from sandbox.measurements import Section, table

#: (ruleset, players, options, KB that the item may have at the end)
GAMES = (
    ("classic", 7, "none", None),
    ("classic", 10, "none", 4),
    ("red-dawn", 12, "all", None),
    ("xl", 16, "all", 8),
)

#: Attributes that are weighed apart.
PARTS = ("body", "remembered", "updates")


def weigh(game: MeasuredGame) -> dict[str, int]:
    """Bytes of a room's item, as billed, and of its largest attributes."""
    item = game.item()
    return {"item": item_size(item)} | {name: item_size({name: item[name]}) for name in PARTS if name in item}


def run(*, seeds: int = 10) -> Section:
    """Weigh the items of whole games."""
    rows = []
    for ruleset, players, options, reach in GAMES:
        found = [weigh(play(ruleset, players, seed, options)) for seed in range(1, seeds + 1)]
        sizes = [weights["item"] for weights in found]
        game = f"{ruleset}, {players} players" + (", every option" if options == "all" else "")
        parts = [round(median(weights.get(part, 0) for weights in found)) for part in PARTS]
        rows.append([game, round(median(sizes)), max(sizes), "" if reach is None else reach * 1024, *parts])
    return Section(
        "Item size",
        f"""Bytes of the room's item at the end of {seeds} random games each, as DynamoDB counts them (names
        and values), and the medians of its largest attributes: the room's body (compressed),
        remembered message ids, and the last hundred update ids.""",
        table(["", "median", "largest", "goal", "body", "remembered", "updates"], rows),
    )
