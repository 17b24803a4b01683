"""Choosing: every question of every ruleset, by what its options are and what they are for."""

from collections.abc import Sequence

from ai import novice, seasoned
from ai.decider import Decider, SeasonedDecider, seats_of
from ai.memory import read
from ai.rulesets import HINTS, Aim
from engine import Chance, Question, View, board_of
from engine.claim import Claim
from engine.question import CARD, JA, NEIN, PERSON, Option

NOVICE = "novice"
SEASONED = "seasoned"
LEVELS = (NOVICE, SEASONED)


def choose(view: View, question: Question, claims: Sequence[Claim], chance: Chance, level: str) -> int:
    """The index of the option that a view's seat chooses of a question put to it.

    ``chance`` is the decision's own stream, never the game's. ``level``: ``novice`` or ``seasoned``.
    Raises ValueError for another level, or where the seat is not asked.
    """
    if level not in LEVELS:
        raise ValueError(f"no such level: {level}")
    if view.seat not in question.seats:
        raise ValueError("the seat is not asked")
    options = question.options[question.seats.index(view.seat)]
    if len(set(options)) == 1:
        return 0
    covered = [at for at, option in enumerate(options) if hidden(option)]
    if covered:
        return chance.pick("covered", covered)
    if level == NOVICE:
        decider = Decider(view, board_of(view.setup), chance)
        chosen = novice.choose(decider, aim_of(question.step, options), options)
    else:
        decider = SeasonedDecider(view, read(view, claims), chance, claims)
        chosen = seasoned.choose(decider, aim_of(question.step, options), options, question.step)
    return options.index(chosen)


def hidden(option: Option) -> bool:
    """Whether an option lies face down."""
    return isinstance(option, str) and option.startswith((CARD, PERSON))


def aim_of(step: str, options: Sequence[Option]) -> Aim:
    """What a question is for: as its ruleset says, or by what its options are."""
    if step in HINTS.aims:
        return HINTS.aims[step]
    if len(seats_of(options)) == len(options):
        return Aim.HARM
    if set(options) <= {JA, NEIN}:
        return Aim.VETO
    return Aim.ENACT
