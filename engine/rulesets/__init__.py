"""Every ruleset, by id. To add one, write its file and name it here.

The steps of a released version never change. A change that players notice is a new version, and a changed
step is a new function. The new version replaces the old one in ``OFFERED``. The old one moves to ``RETIRED``
and stays there, because running games, archives, replays and proofs need it.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from engine.board import Setup
from engine.question import Illegal
from engine.ruleset import Ruleset
from engine.rulesets.classic import CLASSIC
from engine.rulesets.online import ONLINE
from engine.rulesets.red_dawn import RED_DAWN
from engine.rulesets.xl import XL

#: The rulesets that a lobby offers, in this order, one version of each.
OFFERED: tuple[Ruleset, ...] = (CLASSIC, ONLINE, RED_DAWN, XL)
#: Versions that are no longer offered but that stored games may need.
RETIRED: tuple[Ruleset, ...] = ()
#: All rulesets that can be played and read.
KNOWN = (*OFFERED, *RETIRED)


def ruleset(ruleset_id: str) -> Ruleset:
    """Return the ruleset of this id, offered or not. Raises Illegal ("unknown-ruleset") if there is none.

    >>> ruleset("xl@1").players
    range(6, 17)
    """
    try:
        return _BY_ID[ruleset_id]
    except KeyError:
        raise Illegal("unknown-ruleset") from None


def offered(ruleset_id: str) -> Ruleset:
    """Return the offered version of a ruleset, given the id of any version.

    Raises Illegal ("unknown-ruleset") if no version is offered.

    >>> offered("classic@0").name
    'classic'
    """
    try:
        return _OFFERED[ruleset_id.partition("@")[0]]
    except KeyError:
        raise Illegal("unknown-ruleset") from None


def renewed(setup: Setup) -> Setup:
    """Return the setup for the version that is offered now, without options that this version lacks.

    Raises Illegal ("unknown-ruleset") if none is offered.

    >>> renewed(Setup("classic@0", 7, {"veto": "sealed", "haste": "on"})).options
    {'veto': 'sealed'}
    """
    rules = offered(setup.ruleset)
    if rules.id == setup.ruleset:
        return setup
    values = {name: option.values for name, option in rules.options.items()}
    kept = {name: value for name, value in setup.options.items() if value in values.get(name, ())}
    return replace(setup, ruleset=rules.id, options=kept)


def by_key(rulesets: Iterable[Ruleset], key: Callable[[Ruleset], str]) -> dict[str, Ruleset]:
    """Return the rulesets by their ids or names. Raises ValueError if two share one."""
    found: dict[str, Ruleset] = {}
    for rules in rulesets:
        if found.setdefault(key(rules), rules) is not rules:
            raise ValueError(f"two rulesets are called {key(rules)!r}")
    return found


_BY_ID = by_key(KNOWN, lambda rules: rules.id)
_OFFERED = by_key(OFFERED, lambda rules: rules.name)
