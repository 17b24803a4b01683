"""``python -m sandbox balance``: who wins how often where computers play all seats.

Every ruleset × number of players × set of options; team win shares with 95 % intervals. What is counted is
kept in a file as it comes, so that a run that was stopped goes on where it was, and one with more games
counts only the rows that have fewer.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine import OFFERED, Chance, Setup, view
from handlers.rooms.balance import VERDICTS
from sandbox.balance.fair import verdicts
from sandbox.balance.report import report
from sandbox.balance.rows import Row, Style
from sandbox.minds import mind_game
from sandbox.random_play import key
from sandbox.setups import option_sets

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "docs" / "balance.md"
KEPT = ROOT / ".cache" / "balance.jsonl"
#: What is counted unless rulesets are named: the published game is measured by the duels.
NAMES = ["red-dawn", "xl"]


def wanted(rulesets: list[str], styles: Sequence[Style] = (Style.SEASONED,)) -> Iterator[Row]:
    """Every row to be counted, of these rulesets and ways of playing, empty."""
    for rules in OFFERED:
        if rules.name not in rulesets:
            continue
        for players in rules.players:
            for name, options in option_sets(rules, players).items():
                for style in styles:
                    yield Row(rules.id, players, name, options, style)


def played(row: Row, games: int) -> Row:
    """The row with so many games counted; the same row always plays the same games."""
    setup = Setup(row.ruleset, row.players, row.options)
    winners: Counter[str] = Counter()
    for number in range(games):
        chance = Chance(key(random.Random(f"{row.key}/{number}")))
        events = mind_game(setup, chance, [row.style] * row.players).events
        winners["+".join(view(events, None).table.winners or ())] += 1
    return row.counted(winners)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``python -m sandbox balance``."""
    parser.add_argument("--games", type=int, default=200, help="a row, at least (default: %(default)s)")
    names = [rules.name for rules in OFFERED]
    parser.add_argument("--ruleset", action="append", choices=names, help="only this one; may be repeated")
    levels = [style.value for style in Style]
    parser.add_argument("--level", action="append", choices=levels, help="default: seasoned; may be repeated")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where counted rows are kept")
    parser.add_argument("--output", type=Path, default=REPORT, help="the page to write")
    parser.add_argument("--verdicts", type=Path, default=VERDICTS, help="the table that lobbies read")


def run(args: argparse.Namespace) -> None:
    """Count what is not counted yet, and write the page."""
    kept = read(args.kept, args.games)
    rows = []
    styles = [Style(level) for level in args.level or [Style.SEASONED]]
    for row in wanted(args.ruleset or NAMES, styles):
        if row.key not in kept:
            kept[row.key] = played(row, args.games)
            args.kept.parent.mkdir(parents=True, exist_ok=True)
            with args.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(kept[row.key].as_dict()) + "\n")
            print(kept[row.key].line(), file=sys.stderr)
        rows.append(kept[row.key])
    args.output.write_text(report(rows), encoding="utf-8")
    args.verdicts.write_text(verdicts(rows), encoding="utf-8")


def read(path: Path, games: int) -> dict[str, Row]:
    """The rows kept in a file that have at least so many games, by key; of each the one with most."""
    if not path.exists():
        return {}
    rows = [Row.of(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row.key: row for row in sorted(rows, key=lambda row: row.games) if row.games >= games}
