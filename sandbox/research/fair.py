"""Judge whether a setup is fair, by the parties' shares of wins."""

import json
from collections.abc import Sequence

from engine import OFFERED, Setup
from sandbox.research.rows import Row

PARTIES = ("liberal", "fascist", "communist")
#: The bounds of each party's share in a fair setup, by the number of parties.
BOUNDS = {2: (0.35, 0.65), 3: (0.15, 0.60)}


def verdict(row: Row) -> str:
    """Return ``fair`` or ``unfair``, preceded by ``rather`` if the number of games leaves it uncertain.

    If a party wins too rarely but none wins too often, the verdict is at worst ``rather unfair``.
    """
    seated = seated_in(row)
    least, most = BOUNDS[len(seated)]
    shares = [row.share(party) for party in PARTIES if party in seated]
    if all(share.low >= least and share.high <= most for share in shares):
        return "fair"
    if any(share.low > most for share in shares):
        return "unfair"
    return "rather fair" if all(least <= share.value <= most for share in shares) else "rather unfair"


def is_uncertain(row: Row) -> bool:
    """Return True if more games could change the verdict."""
    return verdict(row).startswith("rather")


def seated_in(row: Row) -> set[str]:
    """Return the parties that have roles in the row's setup."""
    rules = next(rules for rules in OFFERED if rules.id == row.ruleset)
    board = rules.board_for(Setup(row.ruleset, row.players, row.options))
    return {party for party in PARTIES if board.roles.get(party)}


def verdicts(rows: Sequence[Row]) -> str:
    """Return the verdicts as JSON, by ruleset, players and options. Seasoned rows replace other styles."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for row in sorted(rows, key=lambda row: row.style):
        found.setdefault(row.ruleset, {}).setdefault(str(row.players), {})[row.named] = verdict(row)
    return json.dumps(found, indent=1, sort_keys=True) + "\n"


def shares(rows: Sequence[Row]) -> str:
    """Return the parties' shares as JSON, for the same rows as ``verdicts``."""
    found: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for row in sorted(rows, key=lambda row: row.style):
        seated = seated_in(row)
        won = {party: round(row.share(party).value, 3) for party in PARTIES if party in seated}
        found.setdefault(row.ruleset, {}).setdefault(str(row.players), {})[row.named] = won
    return json.dumps(found, indent=1, sort_keys=True) + "\n"
