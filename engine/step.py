"""A step of a game and its question. A game stores its steps to come and its question's step by name."""

from collections.abc import Callable
from typing import Any, TypeVar

#: A step takes the turn and its arguments. If it takes answers, they come between the two.
Step = Callable[..., None]
S = TypeVar("S", bound=Step)

_ASKS = "asks"


def asks(question: str) -> Callable[[S], S]:
    """Name the question that a step asks. The step of that name takes the answers.

    A step asks one kind of question. ``Turn.ask`` takes the name from here, so the questions of a ruleset are
    known before it is played (see ``engine.gaps``).
    """

    def declared(step: S) -> S:
        vars(step)[_ASKS] = question
        return step

    return declared


def question_of(step: Step) -> str | None:
    """Return the name of the question that a step asks, or None if it asks none."""
    return vars(step).get(_ASKS)


def step_table(*tables: Any) -> dict[str, Step]:
    """Join tables of steps. A later table replaces entries of an earlier one."""
    return {name: step for steps in tables for name, step in steps.items()}
