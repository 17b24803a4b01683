"""The published game, and the questions of its online version."""

from ai.rulesets.hints import Aim, RulesetHints
from engine.facts import Dealt, Recognised

HINTS = RulesetHints(
    aims={
        "nominate": Aim.LEAD,
        "special": Aim.LEAD,
        "investigate": Aim.LEARN,
        "kill": Aim.HARM,
        "discard": Aim.DISCARD,
        "enact": Aim.ENACT,
        "select": Aim.ENACT,
        "ballot": Aim.BALLOT,
        "veto": Aim.VETO,
        "sealed-veto": Aim.VETO,
    },
    ending_if_hitler={"kill": "hitler-killed"},
    power_worth={
        "investigate": {"liberal": 0.15, "fascist": 0.1, "communist": 0.1},
        "special": {"liberal": 0.05, "fascist": 0.2, "communist": 0.1},
        "peek": {"liberal": 0.05, "fascist": 0.02, "communist": 0.02},
        "kill": {"liberal": 0.35, "fascist": 0.3, "communist": 0.3},
    },
    never_public=frozenset({Dealt, Recognised}),
)
