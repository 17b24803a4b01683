"""XL: anti-policies, emergency cards, marks."""

from ai.rulesets.hints import Aim, RulesetHints

HINTS = RulesetHints(
    aims={
        "social-democratic": Aim.UNDO,
        "propaganda": Aim.TOP,
        "impeachment": Aim.HELP,
        "mark": Aim.HARM,
        "pardon": Aim.HELP,
    },
    ending_if_hitler={"mark": "hitler-killed"},
    power_worth={
        "propaganda": {"liberal": 0.1, "fascist": 0.1, "communist": 0.1},
        "impeachment": {"liberal": 0.1, "fascist": 0.05, "communist": 0.05},
        "mark": {"liberal": 0.2, "fascist": 0.2, "communist": 0.2},
        "pardon": {},
        "no-confidence": {"liberal": -0.3, "fascist": 0.2, "communist": 0.2},
    },
    tile_worth={
        "anti-communist": {"liberal": 0.5, "fascist": 0.4, "communist": -1.0},
        "anti-fascist": {"liberal": 0.5, "fascist": -1.0, "communist": 0.4},
        "social-democratic": {"liberal": 0.7, "fascist": -0.5, "communist": -0.5},
    },
)
