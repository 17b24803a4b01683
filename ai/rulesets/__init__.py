"""Hints for computers: what a ruleset's questions are for, what its tiles are worth, which facts are secret.

There is a table for the published game, for each expansion, and for the Communists that two of them share.
For a question without a hint, computers decide by the kind of its options.
"""

from ai.rulesets import communists, published, red_dawn, xl
from ai.rulesets.hints import Aim, RulesetHints, join

#: The hints of all expansions. Their names do not collide, so one table serves all games.
HINTS = join(published.HINTS, communists.HINTS, red_dawn.HINTS, xl.HINTS)

__all__ = ["HINTS", "Aim", "RulesetHints"]
