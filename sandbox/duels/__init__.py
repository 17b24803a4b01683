"""``python -m sandbox duels``: minds of one level against minds of another, over the same deals.

What was played is kept in a file as it comes, so that a run that was stopped goes on where it was, and one
with more games plays only those that are missing. Then the tables of docs/computers.md are written anew.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from sandbox.chunks import played
from sandbox.duels.cells import Cell, every_cell
from sandbox.duels.report import report
from sandbox.duels.speed import speeds

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "computers.md"
KEPT = ROOT / ".cache" / "duels.jsonl"
#: Games that are played, and kept, together.
CHUNK = 50

Task = tuple[Cell, int, int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``python -m sandbox duels``."""
    parser.add_argument("--games", type=int, default=3000, help="a cell, at least (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--players", type=int, action="append", help="only this size; may be repeated")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where played games are kept")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page whose tables are written")


def run(args: argparse.Namespace) -> None:
    """Play what is not played yet, and write the page."""
    wanted = [cell for cell in every_cell() if not args.players or cell.players in args.players]
    kept = read(args.kept)
    tasks = list(missing(wanted, kept, args.games))
    args.kept.parent.mkdir(parents=True, exist_ok=True)
    with args.kept.open("a", encoding="utf-8") as file:
        for (cell, first, _), letters in played(tasks, play, args.jobs, lambda task: (task[0].key, task[2])):
            file.write(json.dumps({"cell": cell.key, "first": first, "endings": letters}) + "\n")
            file.flush()
            kept.setdefault(cell.key, {})[first] = letters
    args.page.write_text(
        report(args.page.read_text(encoding="utf-8"), whole(kept), speeds()), encoding="utf-8"
    )


def play(task: Task) -> str:
    """Play so many games of a cell: a letter for each."""
    cell, first, count = task
    return "".join(cell.play(number) for number in range(first, first + count))


def missing(wanted: Sequence[Cell], kept: dict[str, dict[int, str]], games: int) -> Iterator[Task]:
    """What is to be played, all cells in turn, so that a run that is stopped leaves them even."""
    for first in range(0, games, CHUNK):
        for cell in wanted:
            if first not in kept.get(cell.key, {}):
                yield cell, first, min(CHUNK, games - first)


def read(path: Path) -> dict[str, dict[int, str]]:
    """By cell and first game, the letters of what was kept."""
    kept: dict[str, dict[int, str]] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            kept.setdefault(row["cell"], {})[row["first"]] = row["endings"]
    return kept


def whole(kept: dict[str, dict[int, str]]) -> dict[str, str]:
    """By cell, its letters from game 0 on as far as nothing is missing."""
    found = {}
    for key, chunks in kept.items():
        letters = ""
        while len(letters) in chunks:
            letters += chunks[len(letters)]
        found[key] = letters
    return found
