"""List every setup that can be played: rulesets × numbers of players × sets of options."""

from collections.abc import Iterator

from engine import OFFERED, Setup
from engine.ruleset import Ruleset
from engine.setups import fits, option_sets

__all__ = ["every_setup", "fits", "option_sets"]


def every_setup(rulesets: tuple[Ruleset, ...] = OFFERED) -> Iterator[Setup]:
    """Yield each ruleset with each number of players and each set of options."""
    for rules in rulesets:
        for players in rules.players:
            for options in option_sets(rules, players).values():
                yield Setup(rules.id, players, options)
