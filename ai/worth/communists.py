"""The Communists' powers, in Red Dawn and XL."""

from ai.worth.tables import Aim, Worth
from engine.steps.communists import (
    Bugged,
    Convened,
    ConversionFailed,
    MeetingEnded,
    PartyChanged,
    RecruitmentTried,
    TilesAdded,
)

WORTH = Worth(
    aims={
        "bugging": Aim.LEARN,
        "recruitment": Aim.ENLIST,
        "radicalisation": Aim.ENLIST,
    },
    powers={
        "bugging": {"communist": 0.25, "liberal": -0.05, "fascist": -0.05},
        "recruitment": {"communist": 0.8, "liberal": -0.4, "fascist": -0.3},
        "radicalisation": {"communist": 0.8, "liberal": -0.4, "fascist": -0.3},
        "five-year-plan": {"communist": 0.3, "liberal": 0.0, "fascist": -0.2},
        "congress": {"communist": 0.3, "liberal": -0.05, "fascist": -0.05},
        "confession": {"communist": -0.1, "liberal": 0.1, "fascist": -0.1},
    },
    private=frozenset({Convened, Bugged, RecruitmentTried, PartyChanged, ConversionFailed}),
    converts={RecruitmentTried: "target"},
    adds={TilesAdded: "tiles"},
    spreads={MeetingEnded: ("power", frozenset({"recruitment", "radicalisation"}))},
)
