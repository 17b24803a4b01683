"""Every ruleset, by id. To add one, write its file and name it here."""

from engine.question import Illegal
from engine.ruleset import Ruleset
from engine.rulesets.classic import CLASSIC
from engine.rulesets.online import ONLINE
from engine.rulesets.red_dawn import RED_DAWN
from engine.rulesets.xl import XL

#: The rulesets, in the order in which a lobby offers them.
RULESETS = (CLASSIC, ONLINE, RED_DAWN, XL)

_BY_ID = {rules.id: rules for rules in RULESETS}


def ruleset(ruleset_id: str) -> Ruleset:
    """The ruleset of this id. Raises Illegal ("unknown-ruleset") where there is none."""
    try:
        return _BY_ID[ruleset_id]
    except KeyError:
        raise Illegal("unknown-ruleset") from None
