"""Red Dawn: the smear campaign, secret roles and Article 48."""

from ai.worth.tables import Aim, Worth
from engine.rulesets.red_dawn.article_48 import ConversionTried
from engine.rulesets.red_dawn.secret_roles import SuspectsShown, WentIntoHiding
from engine.rulesets.red_dawn.smear import Smeared

WORTH = Worth(
    aims={
        "smear": Aim.HARM,
        "revenge": Aim.HARM,
        "suspect": Aim.BLAME,
        "convert": Aim.ENLIST,
        "resurrect": Aim.HELP,
    },
    fates={"smear": "hitler-smeared", "revenge": "hitler-killed"},
    powers={
        "smear": {"liberal": 0.1, "fascist": 0.1, "communist": 0.5},
        "convert": {"communist": 0.8, "liberal": -0.5, "fascist": -0.4},
        "resurrect": {"communist": 0.4, "liberal": -0.2, "fascist": -0.2},
        "comrades": {"communist": 0.1},
    },
    private=frozenset({WentIntoHiding}),
    innocent={Smeared: ("target", "hitler-smeared")},
    among={SuspectsShown: "suspects"},
    converts={ConversionTried: "target"},
    spreads={ConversionTried: ("", frozenset())},
)
