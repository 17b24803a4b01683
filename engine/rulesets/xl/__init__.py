"""XL: Communists, anti-policies, emergency powers, Oktoberfest, roles of its own; 6 to 16 players.

Source: the XL handbook; where it is silent, the leaflet "XL mark 3".
"""

from engine.board import PARTIES
from engine.question import step_table
from engine.ruleset import Ruleset, RulesetOption
from engine.rulesets.xl import anti_policies, emergency, marks, oktoberfest, own_roles
from engine.rulesets.xl.board import EMERGENCY_CARDS, board
from engine.steps import STEPS, communists


def _wrong_track(value: str, players: int) -> str | None:
    """Refuse six slots with fewer than 8 players, and five slots with 16 players.

    With fewer than 8 players the deck has only five Liberal tiles.
    """
    if value == "6" and players < 8:
        return "6-liberal-slots-need-8-players"
    return "16-players-need-6-liberal-slots" if value == "5" and players > 15 else None


def _too_few_for_cards(value: str, players: int) -> str | None:
    if value in EMERGENCY_CARDS and players not in EMERGENCY_CARDS[value]:
        return f"emergency-powers-need-{min(EMERGENCY_CARDS[value])}-players"
    return None


_CONGRESS = {"power/congress": communists.congress_of_founders}
_OWN_STEPS = (anti_policies.STEPS, emergency.STEPS, marks.STEPS, oktoberfest.STEPS, own_roles.STEPS)
#: Tiles that carry no power.
_WITHOUT_POWER = (*PARTIES, *anti_policies.TAKES_FROM, anti_policies.SOCIAL_DEMOCRATIC, own_roles.TILE)

XL = Ruleset(
    id="xl@1",
    players=range(6, 17),
    board=board,
    steps=step_table(STEPS, communists.STEPS, _CONGRESS, *_OWN_STEPS),
    options={
        "liberal-track": RulesetOption(("5", "6"), _wrong_track),
        "anti-policies": RulesetOption(("off", "on")),
        "social-democratic": RulesetOption(("off", "on")),
        "emergency-powers": RulesetOption(("off", "printed", "more"), _too_few_for_cards),
        "oktoberfest": RulesetOption(("off", "on")),
        **{role: RulesetOption(("off", "on")) for role in own_roles.PARTIES},
        "veto": RulesetOption(("open", "sealed")),
    },
    opening=("first-month",),
    before_round=("next-month",),
    before_reshuffle=("distrust",),
    after_tile=("no-confidence", "anti-policy", "emergency", "marks-due"),
    after_chaos=("marks-due",),
    kinds=(*anti_policies.KINDS, *own_roles.KINDS, *emergency.KINDS),
    tiles={
        **dict.fromkeys(_WITHOUT_POWER, ()),
        "article-48": emergency.ARTICLE_48,
        "enabling-act": emergency.ENABLING_ACT,
    },
    secret_roles={role: (party,) for role, party in own_roles.PARTIES.items()},
    own_sides=own_roles.SIDES,
)
