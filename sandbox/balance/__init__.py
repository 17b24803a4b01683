"""``python -m sandbox balance``: who wins how often, by random play and by simple rules.

Every ruleset × number of players × set of options; team win shares with 95 % intervals. What is counted is
kept in a file as it comes, so that a run that was stopped goes on where it was, and one with more games
counts only the rows that have fewer.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from engine import RULESETS, Setup
from sandbox.balance.report import report
from sandbox.balance.rows import Row, Style
from sandbox.balance.simple_play import simple_game
from sandbox.random_play import random_game
from sandbox.setups import option_sets

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "docs" / "balance.md"
KEPT = ROOT / ".cache" / "balance.jsonl"


def wanted(rulesets: list[str]) -> Iterator[Row]:
    """Every row to be counted, of these rulesets, empty."""
    for rules in RULESETS:
        if rules.name not in rulesets:
            continue
        for players in rules.players:
            for name, options in option_sets(rules, players).items():
                for style in Style:
                    yield Row(rules.id, players, name, options, style)


def played(row: Row, games: int) -> Row:
    """The row with so many games counted; the same row always plays the same games."""
    setup = Setup(row.ruleset, row.players, row.options)
    play = simple_game if row.style is Style.SIMPLE else random_game
    winners: Counter[str] = Counter()
    for number in range(games):
        game, _, _ = play(setup, random.Random(f"{row.key}/{number}"))
        winners["+".join(game.table.winners or ())] += 1
    return row.counted(winners)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``python -m sandbox balance``."""
    parser.add_argument("--games", type=int, default=2000, help="a row, at least (default: %(default)s)")
    names = [rules.name for rules in RULESETS]
    parser.add_argument("--ruleset", action="append", choices=names, help="only this one; may be repeated")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where counted rows are kept")
    parser.add_argument("--output", type=Path, default=REPORT, help="the page to write")


def run(args: argparse.Namespace) -> None:
    """Count what is not counted yet, and write the page."""
    kept = read(args.kept, args.games)
    rows = []
    for row in wanted(args.ruleset or [rules.name for rules in RULESETS]):
        if row.key not in kept:
            kept[row.key] = played(row, args.games)
            args.kept.parent.mkdir(parents=True, exist_ok=True)
            with args.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(kept[row.key].as_dict()) + "\n")
            print(kept[row.key].line(), file=sys.stderr)
        rows.append(kept[row.key])
    args.output.write_text(report(rows), encoding="utf-8")


def read(path: Path, games: int) -> dict[str, Row]:
    """The rows kept in a file that have at least so many games, by key; of each the one with most."""
    if not path.exists():
        return {}
    rows = [Row.of(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row.key: row for row in sorted(rows, key=lambda row: row.games) if row.games >= games}
