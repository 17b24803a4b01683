"""Red Dawn: Communists, a smear campaign, secret roles and Article 48; 5 to 12 players.

Source: rule book of the Red Dawn edition, version 1.0.1, and its page "Game Board Mix" on boards by
number of players.
"""

from engine import tiles
from engine.board import Board
from engine.question import step_table
from engine.ruleset import Ruleset, RulesetOption
from engine.rulesets.red_dawn import article_48, secret_roles, smear
from engine.rulesets.red_dawn.board import board
from engine.steps import STEPS, communists


def _needs_six(value: str, players: int) -> str | None:
    return "secret-roles-need-6-players" if value == "on" and players < 6 else None


def _dead_return(board: Board) -> bool:
    """Return True if a Monarchist can come back, or if a slot or a tile may resurrect somebody."""
    carried = {tiles.power(tile) for tile in board.deck if tiles.kind(tile) == "communist"}
    slots = {power for track in board.tracks.values() for power in track}
    hiding = any(card.endswith(":monarchist") for card in board.secret_roles)
    return hiding or "resurrect" in slots or not carried.isdisjoint({"resurrect", tiles.UNKNOWN})


RED_DAWN = Ruleset(
    id="red-dawn@1",
    players=range(5, 13),
    board=board,
    steps=step_table(STEPS, communists.STEPS, smear.STEPS, secret_roles.STEPS, article_48.STEPS),
    options={
        "deck": RulesetOption(("balanced", "as-printed")),
        "secret-roles": RulesetOption(("off", "on"), _needs_six),
        "article-48": RulesetOption(("off", "on")),
        "veto": RulesetOption(("open", "sealed")),
    },
    before_round=("return-monarchists",),
    after_election=("end-smears",),
    after_tile=("article-48",),
    tiles={"liberal": (), "fascist": article_48.FASCIST_POWERS, "communist": article_48.COMMUNIST_POWERS},
    secret_roles=secret_roles.PARTIES,
    dead_return=_dead_return,
)
