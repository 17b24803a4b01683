"""A ruleset's hints for the mind: which facts speak, what questions are for, what powers and tiles are worth.

One table beside each expansion, and nothing else here knows an expansion. A ruleset without a table is
played too, by what its questions' options are.
"""

from ai.rulesets import communists, published, red_dawn, xl
from ai.rulesets.hints import Aim, RulesetHints, joined

#: Everything that is told, of all expansions: names do not collide, so one table serves all games.
HINTS = joined(published.HINTS, communists.HINTS, red_dawn.HINTS, xl.HINTS)

__all__ = ["HINTS", "Aim", "RulesetHints"]
