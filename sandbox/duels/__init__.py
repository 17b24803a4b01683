"""``python -m sandbox duels``: minds of one level against minds of another, over the same deals.

Results are stored in a file as they come. A stopped run continues there, and a run with more games plays only
the missing ones. In the end the tables of docs/computers.md are written again.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sandbox.duels import people
from sandbox.duels.cells import Cell, every_cell
from sandbox.duels.report import report
from sandbox.duels.speed import speeds
from sandbox.progress import Chunks

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
        "--games", type=int, default=3000, help="games in each cell, in fifties (default: %(default)s)"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument(
        "--players", type=int, action="append", help="measure only this number of players; may be repeated"
    )
    parser.add_argument("--progress", type=Path, default=PROGRESS, help="the file that stores played games")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page to write the tables into")


def run(args: argparse.Namespace) -> None:
    """Play what is not played yet, and write the page."""
    wanted = [cell for cell in every_cell() if not args.players or cell.players in args.players]
    chunks = chunks_in(args.progress)
    chunks.play(wanted, args.games, play, args.jobs)
    compared: Chunks[Mapping[str, Any]] = Chunks(args.progress, "people", "counted", people.CHUNK)
    if not args.players or people.PLAYERS in args.players:
        compared.play(people.TABLES, args.games, people.play, args.jobs)
    counted = {table.key: list(compared.whole(table.key)) for table in people.TABLES}
    letters = {key: "".join(chunks.whole(key)) for key in chunks.found}
    page = report(args.page.read_text(encoding="utf-8"), letters, counted, speeds())
    args.page.write_text(page, encoding="utf-8")


def chunks_in(path: Path) -> Chunks[str]:
    """Return the stored chunks: a letter for each game, by cell and first game."""
    return Chunks(path, "cell", "endings", CHUNK)


def play(task: Task) -> str:
    """Play a chunk of a cell: a letter for each game."""
    cell, first = task
    return "".join(cell.play(number) for number in range(first, first + CHUNK))
