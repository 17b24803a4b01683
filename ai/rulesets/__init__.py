"""Hints for computers: what an expansion's facts prove, its questions' purpose, and what its tiles are worth.

Each expansion has one table here. Apart from XL's propaganda, nothing else in ``ai`` knows an expansion. For
a ruleset without a table, computers decide by the options of its questions alone.
"""

from ai.rulesets import communists, published, red_dawn, xl
from ai.rulesets.hints import Aim, RulesetHints, joined

#: The hints of all expansions. Their names do not collide, so one table serves all games.
HINTS = joined(published.HINTS, communists.HINTS, red_dawn.HINTS, xl.HINTS)

__all__ = ["HINTS", "Aim", "RulesetHints"]
