"""A ruleset's hints for the mind: which facts speak, what questions are for, what powers and tiles are worth.

Each expansion has one table here, and nothing else in ``ai`` knows an expansion. A ruleset without a table is
played by its questions' options alone.
"""

from ai.rulesets import communists, published, red_dawn, xl
from ai.rulesets.hints import Aim, RulesetHints, joined

#: The hints of all expansions. Their names do not collide, so one table serves all games.
HINTS = joined(published.HINTS, communists.HINTS, red_dawn.HINTS, xl.HINTS)

__all__ = ["HINTS", "Aim", "RulesetHints"]
