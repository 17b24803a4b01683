"""A step of a game, and what it asks. Steps have names, by which agendas and questions are stored."""

from collections.abc import Callable
from typing import Any, TypeVar

#: Takes the turn and its arguments; a step that takes answers gets these first.
Step = Callable[..., None]
S = TypeVar("S", bound=Step)

_ASKS = "asks"


def asks(question: str) -> Callable[[S], S]:
    """Name the question that a step asks, and so the step that takes the answers.

    A step asks one kind of question. ``Turn.ask`` takes the name from here, so the questions of a ruleset are
    known before it is played (see ``engine.gaps``).
    """

    def declared(step: S) -> S:
        vars(step)[_ASKS] = question
        return step

    return declared


def question_of(step: Step) -> str | None:
    """The name of what a step asks, or None where it asks nothing."""
    return vars(step).get(_ASKS)


def step_table(*tables: Any) -> dict[str, Step]:
    """Join tables of steps. A later table replaces entries of an earlier one."""
    return {name: step for steps in tables for name, step in steps.items()}
