"""Named sets of options, used to test and measure a ruleset."""

from engine.board import Setup
from engine.question import Illegal
from engine.ruleset import Ruleset
from engine.rulesets import ruleset

#: The names of two sets: all options at their defaults, and as many options as possible at other values.
NONE, ALL = "none", "all"


def fits(setup: Setup) -> bool:
    """Return True if a setup can be played."""
    try:
        ruleset(setup.ruleset).check(setup)
    except Illegal:
        return False
    return True


def option_sets(rules: Ruleset, players: int) -> dict[str, dict[str, str]]:
    """Return the named sets of options that this many players can play with.

    They are ``none``, one set for each value that is not the default, and ``all``. Options not named keep
    their defaults. In ``all``, each option has its last value that can be played together with the options
    before it. There is no ``all`` if it would change fewer than two options.
    """
    every: dict[str, str] = {}
    sets: dict[str, dict[str, str]] = {NONE: {}}
    for name, option in rules.options.items():
        for value in option.values:
            alone = {name: value}
            if value != option.default(players) and fits(Setup(rules.id, players, alone)):
                sets[f"{name}={value}"] = alone
                if fits(Setup(rules.id, players, every | alone)):
                    every |= alone
    if len(every) > 1:
        sets[ALL] = every
    return sets


def set_name(setup: Setup) -> str | None:
    """Return the name of the set that has a setup's options, or None."""
    rules = ruleset(setup.ruleset)
    if not fits(setup):
        return None
    chosen = rules.chosen(setup)
    sets = option_sets(rules, setup.players)
    values = {name: rules.chosen(Setup(rules.id, setup.players, one)) for name, one in sets.items()}
    return next((name for name, found in values.items() if found == chosen), None)
