"""The steps that every ruleset shares, by name. A ruleset adds its own, or replaces some."""

from engine.question import step_table
from engine.steps import dealing, election, legislation, policy, powers, sealed_veto

#: All shared steps.
STEPS = step_table(
    dealing.STEPS, election.STEPS, legislation.STEPS, sealed_veto.STEPS, policy.STEPS, powers.STEPS
)
