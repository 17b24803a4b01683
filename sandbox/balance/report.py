"""The page docs/balance.md, made of counted rows."""

from collections.abc import Sequence

from engine import OFFERED
from sandbox.balance.fair import PARTIES, seated_in, verdict
from sandbox.balance.rows import Row

HEAD = """# Balance

*Written by `python -m sandbox balance`; {rows} rows of {games} games each.*

Who wins how often, for information: nothing in the game depends on it. Shares are of all games of a row, with
95 % intervals (Wilson). Where parties win together both are counted, so a row may add up to more than 100 %.

All seats are played by computers (docs/computers.md), each knowing only what it may see. With seven players
of the published game they end their games about as people do; of games with Communists nobody has recorded
how people play them, so compare rows rather than trusting one by itself. Some rows are also played by novices
and by lot (`random`): a party that hardly wins there either is weak by the rules.

**Fair** is a table of two parties where each wins 35 to 65 % of the games, and one of three parties where
each wins at least 15 % and none more than 60 %. It is called *fair* or *unfair* where the whole interval says
so, *rather* the one or the other where only the share does. Where a third party wins too seldom but no party
too often, the table is at worst *rather unfair*: Red Dawn's Communists are weak by its rules. At most sizes
games played by lot show it, and no option mends it. The lobby reads the same
verdicts in `bot/rooms/balance.json`, and says where a table is surely unfair.

A set of options is named by what differs from the defaults; `all` has every option on that fits so many.
"""

DECKS = """## Red Dawn: the deck as printed and balanced

The printed deck holds 11 Liberal and 6 Fascist tiles, the reverse of the published game's; the default deck
holds 6 and 11. Side by side, no other option on:
"""


def report(rows: Sequence[Row]) -> str:
    """Return the whole page."""
    counts = sorted({row.games for row in rows})
    games = " to ".join(f"{count:,}" for count in dict.fromkeys((counts[0], counts[-1])))
    parts = [HEAD.format(games=games, rows=len(rows))]
    if decks := [row for row in rows if row.ruleset.startswith("red-dawn") and row.named in _DECKS]:
        parts += [DECKS, _decks(decks)]
    for rules in OFFERED:
        own = [row for row in rows if row.ruleset == rules.id]
        if own:
            parts += [f"## `{rules.id}`\n", _table(own)]
    return "\n".join(parts)


_DECKS = {"deck=as-printed": "printed", "none": "balanced"}


def _decks(rows: Sequence[Row]) -> str:
    lines = [
        "| players | play | deck | Liberals | Fascists | Communists |",
        "| ---: | --- | --- | --- | --- | --- |",
    ]
    for row in sorted(rows, key=lambda row: (row.players, row.style, row.named != "none")):
        lines.append(f"| {row.players} | {row.style} | {_DECKS[row.named]} | {_shares(row)} |")
    return "\n".join(lines) + "\n"


def _table(rows: Sequence[Row]) -> str:
    lines = [
        "| players | options | play | Liberals | Fascists | Communists | verdict |",
        "| ---: | --- | --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {row.players} | {row.named} | {row.style} | {_shares(row)} | {verdict(row)} |" for row in rows
    ]
    return "\n".join(lines) + "\n"


def _shares(row: Row) -> str:
    # A party that is not in the game has no share.
    seated = seated_in(row)
    return " | ".join(str(row.share(party)) if party in seated else "–" for party in PARTIES)
