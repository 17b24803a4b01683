"""Every setup that can be played: rulesets × players × sets of options."""

from collections.abc import Iterator

from engine import OFFERED, Illegal, Setup, ruleset
from engine.ruleset import Ruleset


def fits(setup: Setup) -> bool:
    """Whether a setup can be played."""
    try:
        ruleset(setup.ruleset).check(setup)
    except Illegal:
        return False
    return True


def option_sets(rules: Ruleset, players: int) -> dict[str, dict[str, str]]:
    """Sets of options by name that so many can play with: ``none``, each value alone, and ``all``.

    Options not named keep their defaults. ``all`` has the last value that fits of every option.
    """
    every: dict[str, str] = {}
    sets: dict[str, dict[str, str]] = {"none": {}}
    for name, choice in rules.options.items():
        for value in choice.values:
            alone = {name: value}
            if value != choice.default(players) and fits(Setup(rules.id, players, alone)):
                sets[f"{name}={value}"] = alone
                if fits(Setup(rules.id, players, every | alone)):
                    every |= alone
    if len(every) > 1:
        sets["all"] = every
    return sets


def every_setup(rulesets: tuple[Ruleset, ...] = OFFERED) -> Iterator[Setup]:
    """Each ruleset with each number of players and each set of options."""
    for rules in rulesets:
        for players in rules.players:
            for options in option_sets(rules, players).values():
                yield Setup(rules.id, players, options)
