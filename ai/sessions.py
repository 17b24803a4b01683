"""Legislative sessions: the ways in which one may have gone, and what that tells of the two who governed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import comb
from operator import mul

from ai import likelihoods
from ai.evidence import ROLES, Row
from ai.likelihoods import CORE
from ai.odds import Make, Odds


@dataclass(slots=True)
class Session:
    """A legislative session, as far as it is known: tiles as numbers of each colour."""

    president: int
    chancellor: int
    #: Odds of the hand, from the pile.
    hands: Odds = field(default_factory=dict)
    drawn: Make | None = None
    passed: Make | None = None
    #: Colours by number. Enacted is None while nothing is, and after a veto.
    discarded: int | None = None
    enacted: int | None = None
    #: What the two claimed.
    said_by_president: Make | None = None
    said_by_chancellor: Make | None = None
    blind: bool = False


@dataclass(frozen=True, slots=True)
class Path:
    """One way in which a session may have gone: its hand and what each of the two makes of it, by role."""

    hand: Make
    president: Row
    chancellor: Row


def paths(session: Session, colours: Sequence[str]) -> list[Path]:
    """Every way that fits what is known of a session, with likelihoods by role (the hand's odds left out)."""
    found = []
    hands = session.hands if session.drawn is None else {session.drawn: 1.0}
    for hand in hands:
        for gone, discards in _discards(hand, colours):
            if session.discarded not in (None, gone):
                continue
            passed = less(hand, gone)
            if session.passed is not None and passed != session.passed:
                continue
            if session.enacted is None:
                found.append(Path(hand, discards, (1.0,) * len(CORE)))
            elif passed[session.enacted]:
                enacts = _enacts(passed, session.enacted, colours)
                told = _president_says(session, hand, gone, passed, colours)
                said = _chancellor_says(session, passed, colours)
                found.append(Path(hand, tuple(map(mul, discards, told)), tuple(map(mul, enacts, said))))
    return found


def government(session: Session, colours: Sequence[str]) -> tuple[Row | None, list[Path]]:
    """What a session tells of the two roles (a table for ``Pair``), and the ways in which it may have gone.

    None for the table where it tells nothing that could have been.
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


def less(make: Make, colour: int) -> Make:
    """A make-up without one tile of a colour."""
    return tuple(count - (at == colour) for at, count in enumerate(make))


def _discards(hand: Make, colours: Sequence[str]) -> list[tuple[int, Row]]:
    """Each colour that a President may discard, with its likelihood by role."""
    there = [at for at, count in enumerate(hand) if count]
    if len(there) == 1:
        return [(there[0], (1.0,) * len(CORE))]
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
    """How likely each role enacts this colour of two tiles."""
    there = [at for at, count in enumerate(passed) if count]
    if len(there) == 1:
        return (1.0,) * len(CORE)
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


def _president_says(session: Session, hand: Make, gone: int, passed: Make, colours: Sequence[str]) -> Row:
    said, enacted = session.said_by_president, session.enacted
    if said is None or enacted is None:
        return (1.0,) * len(CORE)
    return _says(said, hand, president_tells(hand, gone, enacted, colours), possible_claims(colours, 3))


def _chancellor_says(session: Session, passed: Make, colours: Sequence[str]) -> Row:
    said, enacted = session.said_by_chancellor, session.enacted
    if said is None or enacted is None:
        return (1.0,) * len(CORE)
    return _says(said, passed, chancellor_tells(passed, enacted, colours), possible_claims(colours, 2))


def president_tells(hand: Make, gone: int, enacted: int, colours: Sequence[str]) -> list[tuple[Make, float]]:
    """What a President who is no Liberal claims of a hand, with how often; the rest is spread over all else.

    ``gone``: the colour it discarded; ``enacted``: what the Chancellor played.
    """
    if "liberal" not in colours or enacted == (liberal := colours.index("liberal")):
        return [(hand, likelihoods.OTHERS_TELL_TRUTH)]
    if gone == liberal:
        return [
            (hand, likelihoods.ADMITS_CHOICE),
            (swapped(hand, liberal, enacted), likelihoods.HIDES_CHOICE),
        ]
    if hand[liberal]:
        covers = (swapped(hand, liberal, enacted), likelihoods.COVERS)
        return [(hand, likelihoods.OTHERS_TELL_TRUTH - likelihoods.COVERS), covers]
    blames = (swapped(hand, enacted, liberal), likelihoods.BLAMES)
    return [(hand, likelihoods.OTHERS_TELL_TRUTH - likelihoods.BLAMES), blames]


def chancellor_tells(passed: Make, enacted: int, colours: Sequence[str]) -> list[tuple[Make, float]]:
    """The same of a Chancellor and its two tiles."""
    if "liberal" in colours and enacted != (liberal := colours.index("liberal")) and passed[liberal]:
        return [
            (passed, likelihoods.ADMITS_CHOICE),
            (swapped(passed, liberal, enacted), likelihoods.HIDES_CHOICE),
        ]
    return [(passed, likelihoods.OTHERS_TELL_TRUTH)]


def _says(said: Make, truth: Make, special: Sequence[tuple[Make, float]], claims: int) -> Row:
    """How likely each role says this: Liberals the truth, others by a list, the rest evenly."""
    others = max(1, claims - 1)
    liberal = (
        likelihoods.LIBERAL_TELLS_TRUTH if said == truth else (1 - likelihoods.LIBERAL_TELLS_TRUTH) / others
    )
    rest = (1 - sum(share for _, share in special)) / max(1, claims - len(special))
    lying = next((share for make, share in special if make == said), rest)
    return (liberal, lying, lying, lying)


def swapped(make: Make, gone: int, instead: int) -> Make:
    """A make-up with one tile of a colour called another one."""
    return tuple(
        count - (at == gone) + (at == instead) if gone != instead else count for at, count in enumerate(make)
    )


def possible_claims(colours: Sequence[str], size: int) -> int:
    """How many different claims of a hand of this size there are."""
    return comb(len(colours) + size - 1, size)
