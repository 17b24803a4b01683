"""Write docs/balance.md from the rows."""

from collections.abc import Sequence

from engine import OFFERED
from sandbox.research.fair import PARTIES, seated_in, verdict
from sandbox.research.rows import Row
from scripts.release import DECISIONS, stamp

HEAD = """# Balance

*Written by `python -m sandbox balance`, {code}; {rows} rows of {games} games each.*

How often each party wins. Shares are of all games of a row, with 95 % intervals (Wilson). If parties win
together, both are counted, so a row may add up to more than 100 %.

Computers play all seats (docs/computers.md), each knowing only what it may see. With seven players of the
published game, their games end about as people's do. Nobody has recorded how people play games with
Communists, so compare rows rather than trusting a single one. Novices and random seats also play some rows:
if a party wins rarely there, too, the rules make it weak. With seven players, for instance, Red Dawn's
Communists need all four tiles of their colour.

A table with two parties is **fair** if each wins 35 to 65 % of the games. A table with three parties is fair
if each wins at least 15 % and none more than 60 %. The verdict is *fair* if the whole interval of each party
is within these bounds, and *unfair* if the whole interval of one party is above the upper bound. Otherwise
the shares decide whether it is *rather fair* or *rather unfair*. So if a party only wins too rarely, the
verdict is at worst *rather unfair*. Lobbies read the same verdicts from `bot/rooms/balance.json`, and warn
if a table is *unfair*.

Every row has at least 200 games. Rows of default options (`none`) have more, up to 1,000. So do rows whose
verdict was *rather fair* or *rather unfair* after 200 games.

A set of options is named by what differs from the defaults. `all` turns on every option that fits this many
players.
"""

DECKS = """## Red Dawn: the deck as printed and balanced

The printed deck holds 11 Liberal and 6 Fascist tiles, the reverse of the published game's deck. The default
deck holds 6 and 11. No other option is on:
"""


def report(rows: Sequence[Row]) -> str:
    """Return the page as Markdown."""
    counts = sorted({row.games for row in rows})
    games = " to ".join(f"{count:,}" for count in dict.fromkeys((counts[0], counts[-1])))
    parts = [HEAD.format(code=stamp(DECISIONS), games=games, rows=len(rows))]
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
        "| players | options | play | games | Liberals | Fascists | Communists | verdict |",
        "| ---: | --- | --- | ---: | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {row.players} | {row.named} | {row.style} | {row.games:,} | {_shares(row)} | {verdict(row)} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def _shares(row: Row) -> str:
    # A party that is not in the game has no share.
    seated = seated_in(row)
    return " | ".join(str(row.share(party)) if party in seated else "–" for party in PARTIES)
