"""The Communists' powers, in Red Dawn and XL."""

from ai.rulesets.hints import Aim, RulesetHints
from engine.steps.communists import Bugged, Convened, ConversionFailed, PartyChanged, RecruitmentTried

HINTS = RulesetHints(
    aims={"bugging": Aim.LEARN, "recruitment": Aim.ENLIST, "radicalisation": Aim.ENLIST},
    power_worth={
        "bugging": {"communist": 0.25, "liberal": -0.05, "fascist": -0.05},
        "recruitment": {"communist": 0.8, "liberal": -0.4, "fascist": -0.3},
        "radicalisation": {"communist": 0.8, "liberal": -0.4, "fascist": -0.3},
        "five-year-plan": {"communist": 0.3, "liberal": 0.0, "fascist": -0.2},
        "congress": {"communist": 0.3, "liberal": -0.05, "fascist": -0.05},
        "confession": {"communist": -0.1, "liberal": 0.1, "fascist": -0.1},
    },
    never_public=frozenset({Convened, Bugged, RecruitmentTried, PartyChanged, ConversionFailed}),
)
