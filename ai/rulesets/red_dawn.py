"""Red Dawn: the smear campaign, secret roles and Article 48."""

from ai.rulesets.hints import Aim, RulesetHints
from engine.rulesets.red_dawn.secret_roles import WentIntoHiding

HINTS = RulesetHints(
    aims={
        "smear": Aim.HARM,
        "revenge": Aim.HARM,
        "suspect": Aim.BLAME,
        "convert": Aim.ENLIST,
        "resurrect": Aim.HELP,
    },
    ending_if_hitler={"smear": "hitler-smeared", "revenge": "hitler-killed"},
    power_worth={
        "smear": {"liberal": 0.1, "fascist": 0.1, "communist": 0.5},
        "convert": {"communist": 0.8, "liberal": -0.5, "fascist": -0.4},
        "resurrect": {"communist": 0.4, "liberal": -0.2, "fascist": -0.2},
        "comrades": {"communist": 0.1},
    },
    never_public=frozenset({WentIntoHiding}),
)
