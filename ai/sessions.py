"""Legislative sessions: the courses one may have taken, and the evidence about the two who governed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import comb
from operator import mul

from ai import likelihoods
from ai.evidence import ROLES, Row
from ai.likelihoods import CORE
from ai.odds import Make, Odds

_EVEN: Row = (1.0,) * len(CORE)


@dataclass(slots=True)
class Session:
    """The known part of a legislative session: tiles as numbers of each colour."""

    president: int
    chancellor: int
    #: The odds of the hand, from the pile.
    hands: Odds = field(default_factory=dict)
    drawn: Make | None = None
    passed: Make | None = None
    #: Colours by number. ``enacted`` is None before the enactment and after a veto.
    discarded: int | None = None
    enacted: int | None = None
    #: The claims of the two.
    said_by_president: Make | None = None
    said_by_chancellor: Make | None = None
    blind: bool = False


@dataclass(frozen=True, slots=True)
class Path:
    """One course of a session: the hand, and how likely each of the two acts and claims so, by role."""

    hand: Make
    president: Row
    chancellor: Row


def paths(session: Session, colours: Sequence[str]) -> list[Path]:
    """Return every course that fits the known session, with likelihoods by role (without the hand's odds)."""
    found = []
    hands = session.hands if session.drawn is None else {session.drawn: 1.0}
    for hand in hands:
        for gone, discards in _discards(hand, colours):
            if session.discarded not in (None, gone):
                continue
            passed = remove_one(hand, gone)
            if session.passed is not None and passed != session.passed:
                continue
            if session.enacted is None:
                found.append(Path(hand, discards, _EVEN))
            elif passed[session.enacted]:
                enacts = _enacts(passed, session.enacted, colours)
                told = _president_says(session, hand, gone, colours)
                said = _chancellor_says(session, passed, colours)
                found.append(Path(hand, tuple(map(mul, discards, told)), tuple(map(mul, enacts, said))))
    return found


def government(session: Session, colours: Sequence[str]) -> tuple[Row | None, list[Path]]:
    """Return a session's evidence about the two roles (a table for ``Pair``), and its possible courses.

    None for the table if some pair of roles could not have led to this session.
    """
    ways = paths(session, colours)
    table = [0.0] * (len(CORE) * len(CORE))
    for way in ways:
        odds = session.hands.get(way.hand, 0.0) if session.drawn is None else 1.0
        for role in ROLES:
            share = odds * way.president[role]
            for other in ROLES:
                table[4 * role + other] += share * way.chancellor[other]
    if not all(value > 0 for value in table):
        return None, ways
    return tuple(value**likelihoods.GOVERNMENT_TEMPER for value in table), ways


def remove_one(make: Make, colour: int) -> Make:
    """Return a make-up without one tile of a colour."""
    return tuple(count - (at == colour) for at, count in enumerate(make))


def _discards(hand: Make, colours: Sequence[str]) -> list[tuple[int, Row]]:
    """Return each colour that a President may discard, with its likelihood by role."""
    there = [at for at, count in enumerate(hand) if count]
    if len(there) == 1:
        return [(there[0], _EVEN)]
    liberal = colours.index("liberal") if "liberal" in colours else -1
    others = [at for at in there if at != liberal]
    first: Row = (0.0,) * len(CORE)
    found: list[tuple[int, Row]] = []
    if liberal in there:
        first = (
            likelihoods.DISCARDS_ONLY_LIBERAL if hand[liberal] == 1 else likelihoods.DISCARDS_SPARE_LIBERAL
        )
        found.append((liberal, first))
    for at in others:
        shares = []
        for role in ROLES:
            dislike = {other: 1 / _liking(colours[other], role) for other in others}
            shares.append((1 - first[role]) * dislike[at] / sum(dislike.values()))
        found.append((at, tuple(shares)))
    return found


def _enacts(passed: Make, enacted: int, colours: Sequence[str]) -> Row:
    """Return how likely each role enacts this colour of two tiles."""
    there = [at for at, count in enumerate(passed) if count]
    if len(there) == 1:
        return _EVEN
    other = there[0] if there[1] == enacted else there[1]
    if colours[other] == "liberal":
        return likelihoods.ENACTS_AGAINST_LIBERAL.get(
            colours[enacted], likelihoods.ENACTS_AGAINST_LIBERAL["card"]
        )
    if colours[enacted] == "liberal":
        against = likelihoods.ENACTS_AGAINST_LIBERAL.get(
            colours[other], likelihoods.ENACTS_AGAINST_LIBERAL["card"]
        )
        return tuple(1 - share for share in against)
    likes = [(_liking(colours[enacted], role), _liking(colours[other], role)) for role in ROLES]
    return tuple(one / (one + two) for one, two in likes)


def _liking(colour: str, role: int) -> float:
    return likelihoods.LIKES.get(colour, likelihoods.LIKES["card"])[role]


def _president_says(session: Session, hand: Make, gone: int, colours: Sequence[str]) -> Row:
    said, enacted = session.said_by_president, session.enacted
    if said is None or enacted is None:
        return _EVEN
    return claim_row("president", said, hand, gone, enacted, tuple(colours))


def _chancellor_says(session: Session, passed: Make, colours: Sequence[str]) -> Row:
    said, enacted = session.said_by_chancellor, session.enacted
    if said is None or enacted is None:
        return _EVEN
    return claim_row("chancellor", said, passed, None, enacted, tuple(colours))


@lru_cache(maxsize=8192)
def claim_row(
    kind: str, said: Make, hand: Make, gone: int | None, enacted: int, colours: tuple[str, ...]
) -> Row:
    """Return how likely each core role makes this claim about a hand. ``kind``: president or chancellor.

    ``gone``: the colour that a President discarded; ``enacted``: the Chancellor's tile.
    """
    rows = claim_rates(kind, hand, gone, enacted, colours)
    if rows is None:
        return _EVEN
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
    kind: str, hand: Make, gone: int | None, enacted: int, colours: tuple[str, ...]
) -> tuple[Row, ...] | None:
    """Return how often Liberals, Fascists and Hitler claim each number of Liberal tiles; None if unknown."""
    if "liberal" not in colours:
        return None
    liberal = colours.index("liberal")
    played = "L" if enacted == liberal else "F"
    if kind == "chancellor":
        return likelihoods.CHANCELLOR_CLAIMS.get(f"{hand[liberal]}{played}")
    thrown = "L" if gone == liberal else "F"
    return likelihoods.PRESIDENT_CLAIMS.get(f"{hand[liberal]}{thrown}{played}")


def with_liberals(hand: Make, liberals: int, enacted: int, colours: tuple[str, ...]) -> Make:
    """Return a claimed hand with this many Liberal tiles. Others get the colour of the enacted tile."""
    liberal = colours.index("liberal")
    told = hand
    while told[liberal] > liberals:
        other = enacted if enacted != liberal else next(at for at in range(len(colours)) if at != liberal)
        told = replace_one(told, liberal, other)
    while told[liberal] < liberals:
        at = enacted if enacted != liberal and told[enacted] else _first_other(told, liberal)
        if at is None:
            return told
        told = replace_one(told, at, liberal)
    return told


def _first_other(hand: Make, liberal: int) -> int | None:
    return next((at for at, count in enumerate(hand) if count and at != liberal), None)


def replace_one(make: Make, gone: int, instead: int) -> Make:
    """Return a make-up with one tile of a colour replaced by another."""
    return tuple(
        count - (at == gone) + (at == instead) if gone != instead else count for at, count in enumerate(make)
    )
