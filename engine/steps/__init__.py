"""The steps that every ruleset shares, by name. A ruleset adds its own, or replaces some."""

from engine.steps import dealing, election, legislation, policy, powers

#: All shared steps.
STEPS = {**dealing.STEPS, **election.STEPS, **legislation.STEPS, **policy.STEPS, **powers.STEPS}
