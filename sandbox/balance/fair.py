"""Judge which tables are fair, by the parties' shares of wins."""

import json
from collections.abc import Sequence

from engine import OFFERED, Setup
from sandbox.balance.rows import Row

PARTIES = ("liberal", "fascist", "communist")
#: The least and the most that each party wins at a fair table, by the number of parties.
BOUNDS = {2: (0.35, 0.65), 3: (0.15, 0.60)}


def verdict(row: Row) -> str:
    """Return ``fair`` or ``unfair``, with ``rather`` before it if the games are too few to be sure.

    If one party wins too rarely, but none too often, the worst verdict is ``rather unfair``.
    """
    seated = seated_in(row)
    least, most = BOUNDS[len(seated)]
    shares = [row.share(party) for party in PARTIES if party in seated]
    if all(share.low >= least and share.high <= most for share in shares):
        return "fair"
    if any(share.low > most for share in shares):
        return "unfair"
    return "rather fair" if all(least <= share.value <= most for share in shares) else "rather unfair"


def seated_in(row: Row) -> set[str]:
    """Return the parties that are in the game."""
    rules = next(rules for rules in OFFERED if rules.id == row.ruleset)
    board = rules.board_for(Setup(row.ruleset, row.players, row.options))
    return {party for party in PARTIES if board.roles.get(party)}


def verdicts(rows: Sequence[Row]) -> str:
    """Return the verdicts as JSON by ruleset, players and set of options, of seasoned seats if any."""
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
