"""XL: anti-policies, emergency cards, marks."""

from ai.worth.tables import Aim, Worth
from engine.rulesets.xl.anti_policies import TileRemoved
from engine.rulesets.xl.emergency import TopDiscarded

WORTH = Worth(
    aims={
        "social-democratic": Aim.UNDO,
        "propaganda": Aim.TOP,
        "impeachment": Aim.SHOW,
        "mark": Aim.HARM,
        "pardon": Aim.HELP,
    },
    fates={"mark": "hitler-killed"},
    powers={
        "propaganda": {"liberal": 0.1, "fascist": 0.1, "communist": 0.1},
        "impeachment": {"liberal": 0.1, "fascist": 0.05, "communist": 0.05},
        "mark": {"liberal": 0.2, "fascist": 0.2, "communist": 0.2},
        "pardon": {},
        "no-confidence": {"liberal": -0.3, "fascist": 0.2, "communist": 0.2},
    },
    tiles={
        "anti-communist": {"liberal": 0.5, "fascist": 0.4, "communist": -1.0},
        "anti-fascist": {"liberal": 0.5, "fascist": -1.0, "communist": 0.4},
        "social-democratic": {"liberal": 0.7, "fascist": -0.5, "communist": -0.5},
    },
    skims={TopDiscarded: "tile"},
    returns={TileRemoved: ("tile", "gone")},
)
