"""Choose an answer to any question of any ruleset, by its options and their purpose."""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

from ai import novice, seasoned, tuning
from ai.character import PLAIN, Character
from ai.decider import Decider, SeasonedDecider, seats_of
from ai.elections import log_odds, sigmoid
from ai.novice import OptionWeights
from ai.rulesets import HINTS, Aim
from engine import Chance, Question, Seat, View, board_of
from engine.claim import Claim
from engine.question import CARD, JA, NEIN, PERSON, Option

NOVICE = "novice"
SEASONED = "seasoned"
LEVELS = (NOVICE, SEASONED)
#: For a random number below 1, an integer below this constant is drawn and divided by it.
_FINE = 1 << 24


def choose(
    view: View,
    question: Question,
    claims: Sequence[Claim],
    chance: Chance,
    level: str,
    shared: Chance | None = None,
    character: Character = PLAIN,
) -> int:
    """Return the index of the option that a view's seat chooses.

    ``chance`` is the decision's own random stream, never the game's. ``level``: ``novice`` or ``seasoned``.
    ``shared`` is a stream for all seats that are asked this question, so that their ballots move together, as
    people's do. Without it the choice is drawn from ``probabilities``. ``character``: of a seasoned seat.
    Raises ValueError for another level, or if the seat is not asked.
    """
    weights = probabilities(view, question, claims, level, character)
    options = options_of(question, view.seat)
    if shared is not None and set(options) == {JA, NEIN} and aim_of(question.step, options) is Aim.BALLOT:
        spread = _spread(Decider(view, board_of(view.setup)))
        weights = _add_common_term(weights, options, shared, spread)
    drawn = chance.pick("option", range(_FINE)) / _FINE
    for at, weight in enumerate(weights):
        drawn -= weight
        if drawn < 0:
            return at
    return max(range(len(weights)), key=weights.__getitem__)


def probabilities(
    view: View, question: Question, claims: Sequence[Claim], level: str, character: Character = PLAIN
) -> tuple[float, ...]:
    """Return the probability of each of the seat's options. Equal options share their probability evenly.

    Raises ValueError for a level other than ``novice`` and ``seasoned``, or if the seat is not asked.
    """
    if level not in LEVELS:
        raise ValueError(f"no such level: {level}")
    options = options_of(question, view.seat)
    covered = [option for option in options if is_face_down(option)]
    if covered:
        return tuple(1 / len(covered) if is_face_down(option) else 0.0 for option in options)
    aim = aim_of(question.step, options)
    if len(set(options)) == 1:
        weights: OptionWeights = {options[0]: 1.0}
    elif level == NOVICE:
        weights = novice.option_weights(Decider(view, board_of(view.setup)), aim, options)
    else:
        decider = SeasonedDecider(view, claims, character)
        weights = seasoned.option_weights(decider, aim, options, question.step)
    whole = sum(weights.get(option, 0.0) for option in dict.fromkeys(options))
    return tuple(weights.get(option, 0.0) / whole / options.count(option) for option in options)


def options_of(question: Question, seat: Seat | None) -> tuple[Option, ...]:
    """Return a seat's options. Raises ValueError if the seat is not asked."""
    if seat not in question.seats:
        raise ValueError("the seat is not asked")
    return question.options[question.seats.index(seat)]


def _spread(decider: Decider) -> float:
    """Return how far the common term may move this seat's ballot.

    It does not move the pair's ballots, or that of a Fascist who knows that electing this Chancellor wins. It
    moves other ballots half as far if the next failed election brings chaos outside the Hitler zone.
    """
    if decider.seat in decider.pair or decider.wins_by_electing(decider.pair[1]):
        return 0.0
    if decider.chaos_near and not decider.in_zone:
        return tuning.COMMON_SPREAD / 2
    return tuning.COMMON_SPREAD


def _add_common_term(
    weights: Sequence[float], options: Sequence[Option], shared: Chance, spread: float
) -> tuple[float, ...]:
    """Return the probabilities of Ja and Nein, moved by the term that all ballots of this election share.

    Over all values of the term, the mean stays nearly the same. The surer a ballot is by itself, the less it
    is moved.
    """
    u = NormalDist().inv_cdf((shared.pick("ballots", range(_FINE)) + 0.5) / _FINE)
    ja = options.index(JA)
    alone = log_odds(weights[ja])
    spread *= max(0.0, 1 - abs(alone) / tuning.SURE_LOG_ODDS)
    if not spread:
        return tuple(weights)
    moved = sigmoid(sqrt(1 + tuning.COMMON_CORRECTION * spread**2) * alone + spread * u)
    return tuple(moved if at == ja else 1 - moved for at in range(len(options)))


def is_face_down(option: Option) -> bool:
    """Return True if an option is face down."""
    return isinstance(option, str) and option.startswith((CARD, PERSON))


def aim_of(step: str, options: Sequence[Option]) -> Aim:
    """Return the purpose of a question: from the rulesets' hints, or else from its kind of options."""
    if step in HINTS.aims:
        return HINTS.aims[step]
    if len(seats_of(options)) == len(options):
        return Aim.HARM
    if set(options) <= {JA, NEIN}:
        return Aim.VETO
    return Aim.ENACT
