"""Secret Hitler as published: 5 to 10 players. Source: the rule book (Secret Hitler, 2016)."""

from collections.abc import Mapping

from engine.board import Board
from engine.ruleset import Ruleset, RulesetOption
from engine.steps import STEPS

LIBERAL_TRACK = (None,) * 5
FASCIST_TRACKS = {
    5: (None, None, "peek", "kill", "kill", None),
    7: (None, "investigate", "special", "kill", "kill", None),
    9: ("investigate", "investigate", "special", "kill", "kill", None),
}
#: Liberals, and Fascists without Hitler, by players.
ROLES = {5: (3, 1), 6: (4, 1), 7: (4, 2), 8: (5, 2), 9: (5, 3), 10: (6, 3)}


def board(players: int, options: Mapping[str, str]) -> Board:
    """Return the printed board for this many players."""
    liberals, fascists = ROLES[players]
    fascist = FASCIST_TRACKS[max(size for size in FASCIST_TRACKS if size <= players)]
    return Board(
        tracks={"liberal": LIBERAL_TRACK, "fascist": fascist},
        deck={"liberal": 6, "fascist": 11},
        roles={"liberal": liberals, "fascist": fascists, "hitler": 1},
        hitler_knows=players <= 6,
    )


CLASSIC = Ruleset(
    id="classic@1",
    players=range(5, 11),
    board=board,
    steps=STEPS,
    options={"veto": RulesetOption(("open", "sealed"))},
)
