"""Find setups in which one side wins far too often (docs/balance.md), and changes that make them fairer.

Verdicts and shares are in balance.json and shares.json, which ``python -m sandbox balance`` writes.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from engine import Setup, ruleset
from engine.board import Side
from engine.frozen import frozen
from engine.setups import NONE, set_name

#: Verdicts by ruleset, players and set of options: ``fair`` or ``unfair``, with ``rather`` before it if too
#: few games were counted to be sure.
VERDICTS = Path(__file__).with_name("balance.json")
#: The share of games that each party wins, by ruleset, players and set of options.
SHARES = Path(__file__).with_name("shares.json")
#: Only a sure verdict makes a setup lopsided. Changes that are surely fair are recommended before those that
#: are rather fair.
LOPSIDED, FAIR = "unfair", ("fair", "rather fair")
#: The most additional computers to recommend: more would make it a different game.
MAX_EXTRA_COMPUTERS = 3

Verdicts = Mapping[str, Mapping[str, Mapping[str, str]]]
Shares = Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]]


@frozen
class Fairer:
    """Changes that make a table fairer: an option's value, or more computers. Empty if none is known."""

    option: tuple[str, str] | None = None
    computers: int = 0


def suggest_fairer(setup: Setup, most: int) -> Fairer | None:
    """Return changes for a table where one side surely wins far too often; None for any other table.

    ``setup`` is for the present players; ``most`` is the largest number of players.
    """
    if _verdict(setup) != LOPSIDED:
        return None
    rules, options = ruleset(setup.ruleset), []
    chosen = rules.chosen(setup)
    for name, choice in rules.options.items():
        for value in choice.values:
            if value != chosen[name]:
                other = replace(setup, options={**setup.options, name: value})
                options.append((_verdict(other), (name, value)))
    more = range(1, min(MAX_EXTRA_COMPUTERS, most - setup.players) + 1)
    computers = [(_verdict(replace(setup, players=setup.players + count)), count) for count in more]
    return Fairer(
        next((option for wanted in FAIR for found, option in options if found == wanted), None),
        next((count for wanted in FAIR for found, count in computers if found == wanted), 0),
    )


def expected_wins(setup: Setup, side: Side, sides: Iterable[Side]) -> float:
    """Return how often a side wins at such a table, from 0 to 1.

    If there are no figures for these options, use those for the default options. If there are none for the
    table at all, assume that its ``sides`` win equally often.
    """
    rows = shares().get(setup.ruleset, {}).get(str(setup.players), {})
    row = rows.get(set_name(setup) or NONE, rows.get(NONE, {}))
    return row[side] if side in row else 1 / max(len(set(sides)), 1)


def _verdict(setup: Setup) -> str | None:
    named = set_name(setup)
    return None if named is None else verdicts().get(setup.ruleset, {}).get(str(setup.players), {}).get(named)


@cache
def verdicts() -> Verdicts:
    """Return the verdicts by ruleset, number of players (as a string), and set of options."""
    read: Verdicts = json.loads(VERDICTS.read_text(encoding="utf-8"))
    return read


@cache
def shares() -> Shares:
    """Return how often each party wins, by ruleset, number of players (as a string), and set of options."""
    read: Shares = json.loads(SHARES.read_text(encoding="utf-8"))
    return read
