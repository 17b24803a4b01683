"""What a ruleset tells the mind: which facts speak, what questions are for, what powers and tiles are worth.

One table beside each expansion, and nothing else here knows an expansion. A ruleset without a table is
played too, by what its questions' options are.
"""

from ai.worth import communists, published, red_dawn, xl
from ai.worth.tables import Aim, Worth, joined

#: Everything that is told, of all expansions: names do not collide, so one table serves all games.
WORTH = joined(published.WORTH, communists.WORTH, red_dawn.WORTH, xl.WORTH)

__all__ = ["WORTH", "Aim", "Worth"]
