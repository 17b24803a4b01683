"""``python -m sandbox balance``: measure how often each party wins if computers have all seats.

It measures every ruleset × number of players × set of options, with 95 % intervals. Each row gets 200 games.
The default options, and rows whose verdict is uncertain after that, get more (docs/decisions/0028).

Results are stored in a file as they come. A stopped run continues there, and a run with more games plays only
the missing ones. A game that raises, for instance at an illegal answer, ends the run.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.rooms.balance import SHARES, VERDICTS
from engine import OFFERED, Setup, board_of
from engine.setups import option_sets
from sandbox.computer_games import NOVICE, RANDOM, SEASONED
from sandbox.measurements import DOCS, ROOT, Share, share, table, write_below_mark
from sandbox.research.cells import Cell, PlayedGames, games_mark

REPORT = DOCS / "balance.md"
PROGRESS = ROOT / ".cache" / "balance.jsonl"
#: The default rulesets. ``python -m sandbox duels`` measures the published game.
NAMES = ["red-dawn", "xl"]
#: Games that every row gets, if ``--games`` does not ask for fewer.
FIRST_GAMES = 200
PARTIES = ("liberal", "fascist", "communist")
#: The bounds of each party's share in a fair setup, by the number of parties.
BOUNDS = {2: (0.35, 0.65), 3: (0.15, 0.60)}


@dataclass(frozen=True, slots=True)
class Row:
    """A cell whose seats all play alike. ``winners``: games by winning parties (``liberal+communist``)."""

    cell: Cell
    winners: Mapping[str, int]

    @property
    def games(self) -> int:
        """Return the number of games."""
        return sum(self.winners.values())

    @property
    def shares(self) -> dict[str, Share]:
        """Return the share of games that each party of the setup won, alone or with another one."""
        cell = self.cell
        roles = board_of(Setup(cell.ruleset, cell.players, cell.options)).roles
        won = {p: sum(n for who, n in self.winners.items() if p in who.split("+")) for p in PARTIES}
        return {party: share(won[party], self.games) for party in PARTIES if roles.get(party)}

    @property
    def verdict(self) -> str:
        """Return ``fair`` or ``unfair``, preceded by ``rather`` if the number of games leaves it uncertain.

        If a party wins too rarely but none wins too often, the verdict is at worst ``rather unfair``.
        """
        shares = self.shares.values()
        least, most = BOUNDS[len(shares)]
        if all(share.low >= least and share.high <= most for share in shares):
            return "fair"
        if any(share.low > most for share in shares):
            return "unfair"
        return "rather fair" if all(least <= share.value <= most for share in shares) else "rather unfair"

    def line(self) -> list[object]:
        """Return the row of the page."""
        # A party that is not in the game has no share.
        shares = (self.shares.get(party, "–") for party in PARTIES)
        cell = self.cell
        return [cell.players, cell.named, cell.others, f"{self.games:,}", *shares, self.verdict]


def wanted(rulesets: Sequence[str], levels: Sequence[str]) -> Iterator[Cell]:
    """Yield a cell for each setup of these rulesets and each level."""
    for rules in OFFERED:
        for players in rules.players if rules.name in rulesets else ():
            for name, options in option_sets(rules, players).items():
                for level in levels:
                    yield Cell(players, level, level, ruleset=rules.id, named=name, options=options)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``python -m sandbox balance``."""
    parser.add_argument(
        "--games",
        type=int,
        default=1000,
        help=f"games in a row of default options or of an uncertain verdict, rounded up to fifties "
        f"(default: %(default)s; other rows get at most {FIRST_GAMES})",
    )
    names = [rules.name for rules in OFFERED]
    parser.add_argument(
        "--ruleset", action="append", choices=names, help="measure only this one; may be repeated"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")


def run(args: argparse.Namespace) -> None:
    """Play the missing games, and write the page and the two tables."""
    rulesets = args.ruleset or NAMES
    cells = list(wanted(rulesets, [SEASONED]))
    # Random seats and novices, who play by rules of thumb, show the effect of the rules alone.
    cells += [cell for cell in wanted(rulesets, (NOVICE, RANDOM)) if cell.named == "none"]
    games = PlayedGames(PROGRESS)

    def row_of(cell: Cell, most: int | None = None) -> Row:
        return Row(cell, Counter(game["winners"] for game in games.of(cell)[:most]))

    games.play(cells, min(FIRST_GAMES, args.games), args.jobs)
    # Only the first games decide whether a row gets more, so that a stopped run ends like any other.
    begun = [row_of(cell, FIRST_GAMES) for cell in cells]
    more = [row.cell for row in begun if row.cell.named == "none" or row.verdict.startswith("rather")]
    games.play(more, args.games, args.jobs)
    rows = [row_of(cell) for cell in cells]
    write_below_mark(REPORT, page(rows))
    VERDICTS.write_text(by_setup(rows, lambda row: row.verdict), encoding="utf-8")
    SHARES.write_text(by_setup(rows, _values), encoding="utf-8")


def page(rows: Sequence[Row]) -> list[str]:
    """Return the lines of the page below its mark."""
    counts = sorted(row.games for row in rows)
    lines = [f"*{games_mark()}; {len(rows)} rows of {counts[0]:,} to {counts[-1]:,} games each.*", ""]
    head = ["players", "options", "play", "games", "Liberals", "Fascists", "Communists", "verdict"]
    for ruleset in dict.fromkeys(row.cell.ruleset for row in rows):
        rows_of = [row.line() for row in rows if row.cell.ruleset == ruleset]
        lines += [f"## `{ruleset}`", "", *table(head, rows_of), ""]
    return lines


def by_setup(rows: Sequence[Row], what: Callable[[Row], Any]) -> str:
    """Return ``what`` of the rows of seasoned seats as JSON, by ruleset, players and options."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for row in rows:
        if row.cell.others == SEASONED:
            by_size = found.setdefault(row.cell.ruleset, {})
            by_size.setdefault(str(row.cell.players), {})[row.cell.named] = what(row)
    return json.dumps(found, indent=1, sort_keys=True) + "\n"


def _values(row: Row) -> dict[str, float]:
    return {party: round(share.value, 3) for party, share in row.shares.items()}
