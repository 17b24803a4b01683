"""Cut a view into rounds, and find its public part."""

from collections.abc import Iterable, Sequence

from ai.rulesets import HINTS
from engine import Seat
from engine.claim import Claim
from engine.facts import CandidacyPassed, Discarded, Drew, Enacted, Fact, Passed, Vetoed
from engine.frozen import frozen

#: The facts of the deal, or of one round.
Facts = tuple[Fact, ...]


def rounds_of(facts: Sequence[Fact]) -> list[Facts]:
    """Return the facts cut before each candidacy: first the deal, then each round."""
    starts = [at for at, fact in enumerate(facts) if type(fact) is CandidacyPassed]
    edges = [0, *starts, len(facts)]
    return [tuple(facts[edges[at] : edges[at + 1]]) for at in range(len(edges) - 1)]


@frozen
class SessionFacts:
    """The facts of a round's legislative session, once two tiles were passed on."""

    drew: Drew
    #: The President's discard. The viewer may not know the tile.
    discarded: Discarded | None
    passed: Passed
    #: None before the enactment, and after a veto.
    enacted: Enacted | None
    vetoed: bool


def legislation_of(facts: Sequence[Fact]) -> SessionFacts | None:
    """Return a round's legislative session; None if no tiles have been passed to the Chancellor so far."""
    drew = next((fact for fact in facts if isinstance(fact, Drew)), None)
    passed = next((fact for fact in facts if isinstance(fact, Passed)), None)
    if drew is None or passed is None:
        return None
    discards = (fact for fact in facts if isinstance(fact, Discarded) and fact.seat == drew.seat)
    enacted = next((fact for fact in facts if isinstance(fact, Enacted) and not fact.chaos), None)
    vetoed = any(isinstance(fact, Vetoed) for fact in facts)
    return SessionFacts(drew, next(discards, None), passed, enacted, vetoed)


def in_public(facts: Iterable[Fact]) -> Facts:
    """Return the public part of a seat's facts."""
    found = []
    for fact in facts:
        if type(fact) not in HINTS.never_public:
            # A kind of which others would see nothing is told to everybody, except those skipped above.
            found.append(fact.scrub() or fact)
    return tuple(found)


def public_count(facts: Iterable[Fact]) -> int:
    """Return how many of a seat's facts the public view contains."""
    return sum(1 for fact in facts if type(fact) not in HINTS.never_public)


def claims_of(facts: Sequence[Fact], claims: Sequence[Claim]) -> dict[int, tuple[Claim, ...]]:
    """Return the claims made up to the end of these facts, by the round that they are about.

    If a seat made several claims of the same kind about a round, only the last counts.
    """
    if not claims:
        return {}
    now = public_count(facts)
    last: dict[tuple[int, Seat, str], Claim] = {}
    for claim in claims:
        key = (claim.round, claim.seat, claim.kind)
        if claim.at <= now and (key not in last or last[key].at <= claim.at):
            last[key] = claim
    found: dict[int, tuple[Claim, ...]] = {}
    for key in sorted(last):
        found[key[0]] = (*found.get(key[0], ()), last[key])
    return found
