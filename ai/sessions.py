"""Legislative sessions: their possible courses, and the evidence about the two who governed."""

from dataclasses import dataclass
from functools import lru_cache
from math import comb
from operator import mul

from ai import likelihoods
from ai.evidence import ROLES, Row
from ai.likelihoods import CORE
from ai.odds import TileCounts, TileProbabilities
from engine import Seat
from engine.frozen import frozen

#: Likelihoods that say nothing about the role.
_NO_EVIDENCE: Row = (1.0,) * len(CORE)


@dataclass(slots=True)
class KnownSession:
    """A legislative session, as far as a viewer knows it."""

    president: Seat
    chancellor: Seat
    #: The probability of each hand, from the pile.
    hands: TileProbabilities
    drawn: TileCounts | None = None
    passed: TileCounts | None = None
    #: The index of the colour among the board's colours. ``enacted`` is None before the enactment and after a
    #: veto.
    discarded: int | None = None
    enacted: int | None = None
    #: The claims of the two.
    said_by_president: TileCounts | None = None
    said_by_chancellor: TileCounts | None = None
    blind: bool = False


@frozen
class Course:
    """A possible course of a session, and its likelihoods by role."""

    hand: TileCounts
    #: How likely the President's discard and claim are, for each role of the President.
    president_likelihoods: Row
    #: How likely the Chancellor's enactment and claim are, for each role of the Chancellor.
    chancellor_likelihoods: Row


def possible_courses(session: KnownSession, colours: tuple[str, ...]) -> list[Course]:
    """Return every course that fits what the viewer knows.

    The likelihoods do not include the probability of the hand.
    """
    found = []
    hands = session.hands if session.drawn is None else {session.drawn: 1.0}
    for hand in hands:
        for discarded, discards in _possible_discards(hand, colours):
            if session.discarded not in (None, discarded):
                continue
            passed = remove_one(hand, discarded)
            if session.passed is not None and passed != session.passed:
                continue
            if session.enacted is None:
                found.append(Course(hand, discards, _NO_EVIDENCE))
            elif passed[session.enacted]:
                enacts = _enactment_rates(passed, session.enacted, colours)
                enacted, said = session.enacted, (session.said_by_president, session.said_by_chancellor)
                drew = claim_row("president", said[0], hand, discarded, enacted, colours)
                held = claim_row("chancellor", said[1], passed, None, enacted, colours)
                found.append(Course(hand, tuple(map(mul, discards, drew)), tuple(map(mul, enacts, held))))
    return found


def session_evidence(session: KnownSession, colours: tuple[str, ...]) -> tuple[Row | None, list[Course]]:
    """Return a session's evidence about the two roles, and its possible courses.

    The evidence is a grid for ``TwoSeatEvidence``. There is no grid if the session is impossible for some
    pair of roles.
    """
    courses = possible_courses(session, colours)
    grid = [0.0] * (len(CORE) * len(CORE))
    for course in courses:
        probability = session.hands.get(course.hand, 0.0) if session.drawn is None else 1.0
        for role in ROLES:
            share = probability * course.president_likelihoods[role]
            for other in ROLES:
                grid[4 * role + other] += share * course.chancellor_likelihoods[other]
    if not all(value > 0 for value in grid):
        return None, courses
    return tuple(value**likelihoods.GOVERNMENT_EXPONENT for value in grid), courses


def remove_one(counts: TileCounts, colour: int) -> TileCounts:
    """Return tile counts without one tile of a colour."""
    return tuple(count - (at == colour) for at, count in enumerate(counts))


def _possible_discards(hand: TileCounts, colours: tuple[str, ...]) -> list[tuple[int, Row]]:
    """Return each colour that a President may discard, with its likelihood by role."""
    there = [at for at, count in enumerate(hand) if count]
    if len(there) == 1:
        return [(there[0], _NO_EVIDENCE)]
    liberal = colours.index("liberal")
    others = [at for at in there if at != liberal]
    first: Row = (0.0,) * len(CORE)
    found: list[tuple[int, Row]] = []
    if liberal in there:
        only, spare = likelihoods.DISCARDS_ONLY_LIBERAL, likelihoods.DISCARDS_SPARE_LIBERAL
        first = only if hand[liberal] == 1 else spare
        found.append((liberal, first))
    for at in others:
        shares = []
        for role in ROLES:
            dislike = {other: 1 / _liking(colours[other], role) for other in others}
            shares.append((1 - first[role]) * dislike[at] / sum(dislike.values()))
        found.append((at, tuple(shares)))
    return found


def _enactment_rates(passed: TileCounts, enacted: int, colours: tuple[str, ...]) -> Row:
    """Return how likely each role enacts this colour of two tiles."""
    there = [at for at, count in enumerate(passed) if count]
    if len(there) == 1:
        return _NO_EVIDENCE
    other = there[0] if there[1] == enacted else there[1]
    if colours[other] == "liberal":
        return likelihoods.of_colour(likelihoods.ENACTS_AGAINST_LIBERAL, colours[enacted])
    if colours[enacted] == "liberal":
        against = likelihoods.of_colour(likelihoods.ENACTS_AGAINST_LIBERAL, colours[other])
        return tuple(1 - share for share in against)
    likes = [(_liking(colours[enacted], role), _liking(colours[other], role)) for role in ROLES]
    return tuple(one / (one + two) for one, two in likes)


def _liking(colour: str, role: int) -> float:
    return likelihoods.of_colour(likelihoods.LIKES, colour)[role]


@lru_cache(maxsize=8192)
def claim_row(
    kind: str,
    said: TileCounts | None,
    hand: TileCounts,
    discarded: int | None,
    enacted: int,
    colours: tuple[str, ...],
) -> Row:
    """Return how likely each core role makes this claim about a hand. ``kind``: president or chancellor.

    ``said`` None: there is no claim. ``discarded``: the colour that a President discarded. ``enacted``: the
    Chancellor's tile.
    """
    rows = claim_rates(kind, hand, discarded, enacted, colours)
    if rows is None or said is None:
        return _NO_EVIDENCE
    liberals = said[colours.index("liberal")]
    share = 1.0
    if len(colours) > 2:
        others = comb(len(colours) - 2 + sum(hand) - liberals, sum(hand) - liberals) - 1
        true = likelihoods.OTHER_COLOURS_TRUE if others else 1.0
        natural = with_liberals(hand, liberals, enacted, colours)
        share = true if said == natural else (1 - true) / max(1, others)
    found = [max(likelihoods.LEAST_CLAIM, row[liberals]) * share for row in rows]
    return (*found, found[likelihoods.FASCIST])


def claim_rates(
    kind: str, hand: TileCounts, discarded: int | None, enacted: int, colours: tuple[str, ...]
) -> tuple[Row, ...] | None:
    """Return the rows of rates at which each role claims 0, 1, 2 … Liberal tiles; None if unknown."""
    liberal = colours.index("liberal")
    played = "L" if enacted == liberal else "F"
    if kind == "chancellor":
        return likelihoods.CHANCELLOR_CLAIMS.get(f"{hand[liberal]}{played}")
    discard = "L" if discarded == liberal else "F"
    return likelihoods.PRESIDENT_CLAIMS.get(f"{hand[liberal]}{discard}{played}")


def with_liberals(hand: TileCounts, liberals: int, enacted: int, colours: tuple[str, ...]) -> TileCounts:
    """Return the hand with some tiles changed, so that it has this many Liberal ones.

    If the hand has too many Liberal tiles, some change to the colour of the enacted tile. If it has too few,
    tiles of that colour change to Liberal. If the enacted tile is Liberal, or if the hand has no tile of its
    colour left to change, another colour is used.
    """
    liberal, told = colours.index("liberal"), list(hand)
    others = [at for at in range(len(colours)) if at != liberal]
    while told[liberal] > liberals:
        told[liberal] -= 1
        told[enacted if enacted != liberal else others[0]] += 1
    while told[liberal] < liberals:
        left = [at for at in others if told[at]]
        if not left:
            break
        told[enacted if enacted in left else left[0]] -= 1
        told[liberal] += 1
    return tuple(told)
