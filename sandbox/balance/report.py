"""The page docs/balance.md, made of counted rows."""

from collections.abc import Sequence

from engine import RULESETS, Setup
from sandbox.balance.rows import Row

PARTIES = ("liberal", "fascist", "communist")
#: How people play the published game with seven, ranked, on the web (818 games).
PEOPLE = "48.9 % as Liberals"

HEAD = """# Balance

*Written by `python -m sandbox balance`; {rows} rows of {games} games each.*

Who wins how often, for information: nothing in the game depends on it. Shares are of all games of a row, with
95 % intervals (Wilson). Where parties win together both are counted, so a row may add up to more than 100 %.

Two ways of playing, neither of them how people play:

- **random**: every ballot, tile and target is drawn, each option as likely as any other. Liberals lose
  most such games, for half of all governments pass and nobody avoids anything. It checks the rules, not
  the balance.
- **simple**: a few plain rules for each party (`sandbox/balance/policy.py`), each seat knowing only what
  it may see. Liberals trust whoever enacted Liberal policies; Fascists let each other govern and elect
  Hitler when that wins; Communists play their own tiles. Nobody talks, so nothing that one alone learned
  helps the others, and Fascists hide badly. Compare rows rather than reading one by itself: people who
  played the published game with seven on the web won {people}.

A set of options is named by what differs from the defaults; `all` has every option on that fits so many.
"""

DECKS = """## Red Dawn: the deck as printed and balanced

The printed deck holds 11 Liberal and 6 Fascist tiles, which reads like a swap of the two numbers; the option
`deck` offers 6 and 11. Side by side, no other option on:
"""


def report(rows: Sequence[Row]) -> str:
    """The whole page."""
    counts = sorted({row.games for row in rows})
    games = " to ".join(f"{count:,}" for count in dict.fromkeys((counts[0], counts[-1])))
    parts = [HEAD.format(games=games, rows=len(rows), people=PEOPLE)]
    if decks := [row for row in rows if row.ruleset.startswith("red-dawn") and row.named in _DECKS]:
        parts += [DECKS, _decks(decks)]
    for rules in RULESETS:
        own = [row for row in rows if row.ruleset == rules.id]
        if own:
            parts += [f"## `{rules.id}`\n", _table(own)]
    return "\n".join(parts)


_DECKS = {"none": "printed", "deck=balanced": "balanced"}


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
        "| players | options | play | Liberals | Fascists | Communists |",
        "| ---: | --- | --- | --- | --- | --- |",
    ]
    lines += [f"| {row.players} | {row.named} | {row.style} | {_shares(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def _shares(row: Row) -> str:
    # A party that is not in the game has no share.
    seated = _seated(row)
    return " | ".join(str(row.share(party)) if party in seated else "–" for party in PARTIES)


def _seated(row: Row) -> set[str]:
    rules = next(rules for rules in RULESETS if rules.id == row.ruleset)
    board = rules.board_for(Setup(row.ruleset, row.players, row.options))
    return {party for party in PARTIES if board.roles.get(party)}
