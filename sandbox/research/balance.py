"""``python -m sandbox balance``: measure how often each party wins if computers have all seats.

It measures every ruleset × number of players × set of options, with 95 % intervals. Each row gets 200 games.
The default options, and rows whose verdict is uncertain after that, get more (docs/decisions/0028).

Results are stored in a file as they come. A stopped run continues there, and a run with more games plays only
the missing ones. A game that raises, for instance at an illegal answer, ends the run.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from bot.rooms.balance import SHARES, VERDICTS
from engine import OFFERED, Chance, Setup, view
from sandbox.computer_games import play_computer_game
from sandbox.random_games import random_key
from sandbox.research.balance_report import report
from sandbox.research.fair import is_uncertain, shares, verdicts
from sandbox.research.rows import Row, Style
from sandbox.results_file import StoredChunks
from sandbox.setups import option_sets

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "docs" / "balance.md"
PROGRESS = ROOT / ".cache" / "balance.jsonl"
#: The default rulesets. ``python -m sandbox duels`` measures the published game.
NAMES = ["red-dawn", "xl"]
#: The rulesets and options that novices and random seats play, too.
COMPARED = {("red-dawn", "none"), ("xl", "none")}
#: Games in a chunk.
CHUNK = 10
#: Games that every row gets, if ``--games`` does not ask for fewer.
FIRST_GAMES = 200

#: A row, and the first game of a chunk.
Task = tuple[Row, int]


def wanted(rulesets: list[str], styles: Sequence[Style] = (Style.SEASONED,)) -> Iterator[Row]:
    """Yield an empty row for each setup of these rulesets and each style of playing."""
    for rules in OFFERED:
        if rules.name not in rulesets:
            continue
        for players in rules.players:
            for name, options in option_sets(rules, players).items():
                for style in styles:
                    yield Row(rules.id, players, name, options, style)


def play(task: Task) -> Mapping[str, int]:
    """Play a chunk of a row; return how many games each set of parties won."""
    row, first = task
    setup = Setup(row.ruleset, row.players, row.options)
    winners: Counter[str] = Counter()
    for number in range(first, first + CHUNK):
        chance = Chance(random_key(random.Random(f"{row.key}/{number}")))
        table = view(play_computer_game(setup, chance, [row.style] * row.players).events, None).table
        assert table.winners, f"{row.key}: game {number} ended without a winner"
        winners["+".join(table.winners)] += 1
    return winners


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``python -m sandbox balance``."""
    parser.add_argument(
        "--games",
        type=int,
        default=1000,
        help=f"games in a row of default options or of an uncertain verdict, rounded up to tens "
        f"(default: %(default)s; other rows get at most {FIRST_GAMES})",
    )
    names = [rules.name for rules in OFFERED]
    parser.add_argument(
        "--ruleset", action="append", choices=names, help="measure only this one; may be repeated"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    levels = [style.value for style in Style]
    parser.add_argument(
        "--level",
        action="append",
        choices=levels,
        help="how the seats play (default: seasoned); may be repeated",
    )
    parser.add_argument("--progress", type=Path, default=PROGRESS, help="the file that stores played games")
    parser.add_argument("--output", type=Path, default=REPORT, help="the page to write")
    parser.add_argument(
        "--verdicts", type=Path, default=VERDICTS, help="the verdicts to write, which lobbies read"
    )
    parser.add_argument("--shares", type=Path, default=SHARES, help="the shares to write, which records read")


def run(args: argparse.Namespace) -> None:
    """Play the missing games, and write the page and the two tables."""
    styles = [Style(level) for level in args.level or [Style.SEASONED]]
    rows = list(wanted(args.ruleset or NAMES, styles))
    if not args.level:
        # Random seats and novices, who play by rules of thumb, show the effect of the rules alone.
        others = wanted(args.ruleset or NAMES, (Style.NOVICE, Style.RANDOM))
        rows += [row for row in others if (row.ruleset.partition("@")[0], row.named) in COMPARED]
    chunks = chunks_in(args.progress)
    chunks.play(rows, min(FIRST_GAMES, args.games), play, args.jobs)
    # Only the first games decide whether a row gets more, so that a stopped run ends like any other.
    begun = [
        row.with_winners(sum_winners(islice(chunks.whole(row.key), FIRST_GAMES // CHUNK))) for row in rows
    ]
    chunks.play(
        [row for row in begun if row.named == "none" or is_uncertain(row)], args.games, play, args.jobs
    )
    measured = [row.with_winners(sum_winners(chunks.whole(row.key))) for row in rows]
    args.output.write_text(report(measured), encoding="utf-8")
    args.verdicts.write_text(verdicts(measured), encoding="utf-8")
    args.shares.write_text(shares(measured), encoding="utf-8")


def chunks_in(path: Path) -> StoredChunks[Mapping[str, int]]:
    """Return the stored chunks: how many games each set of parties won, by row and first game."""
    return StoredChunks(path, "row", "winners", CHUNK)


def sum_winners(chunks: Iterable[Mapping[str, int]]) -> Counter[str]:
    """Return how many games of these chunks each set of parties won."""
    winners: Counter[str] = Counter()
    for chunk in chunks:
        winners.update(chunk)
    return winners
