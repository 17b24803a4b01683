"""``python -m sandbox duels``: let levels of computers play each other, over the same deals.

Results are stored in a file as they come. A stopped run continues there, and a run with more games plays only
the missing ones. At the end it rewrites the tables in docs/computers.md.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sandbox.research import human_comparison
from sandbox.research.cells import Cell, every_cell
from sandbox.research.duels_report import report
from sandbox.research.game_counts import PLAYERS
from sandbox.research.speed import measure_speeds
from sandbox.results_file import StoredChunks

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "computers.md"
PROGRESS = ROOT / ".cache" / "duels.jsonl"
#: Games in a chunk.
CHUNK = 50

#: A cell, and the first game of a chunk.
Task = tuple[Cell, int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``python -m sandbox duels``."""
    parser.add_argument(
        "--games",
        type=int,
        default=3000,
        help="games in each cell, rounded up to fifties (default: %(default)s)",
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument(
        "--players", type=int, action="append", help="measure only this number of players; may be repeated"
    )
    parser.add_argument("--progress", type=Path, default=PROGRESS, help="the file that stores played games")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page whose tables to rewrite")


def run(args: argparse.Namespace) -> None:
    """Play the missing games, and rewrite the page's tables."""
    wanted = [cell for cell in every_cell() if not args.players or cell.players in args.players]
    chunks = chunks_in(args.progress)
    chunks.play(wanted, args.games, play, args.jobs)
    compared: StoredChunks[Mapping[str, Any]] = StoredChunks(
        args.progress, "people", "counted", human_comparison.CHUNK
    )
    if not args.players or PLAYERS in args.players:
        compared.play(human_comparison.TABLES, args.games, human_comparison.play, args.jobs)
    counted = {table.key: list(compared.whole(table.key)) for table in human_comparison.TABLES}
    letters = {key: "".join(chunks.whole(key)) for key in chunks.found}
    page = report(args.page.read_text(encoding="utf-8"), letters, counted, measure_speeds())
    args.page.write_text(page, encoding="utf-8")


def chunks_in(path: Path) -> StoredChunks[str]:
    """Return the stored chunks: a letter for each game's ending, by cell and first game."""
    return StoredChunks(path, "cell", "endings", CHUNK)


def play(task: Task) -> str:
    """Play a chunk of a cell; return a letter for each game's ending."""
    cell, first = task
    return "".join(cell.play(number) for number in range(first, first + CHUNK))
