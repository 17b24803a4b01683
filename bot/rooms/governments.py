"""The game so far, round by round: governments, ballots, hands and enacted tiles."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine import facts as f
from engine import tiles
from engine.claim import Claim, colour
from engine.facts import Fact
from engine.steps.sealed_veto import SealedVeto, Selected

#: The subjects of claims.
PRESIDENT, CHANCELLOR, PEEK, PARTY = "president", "chancellor", "peek", "party"
#: The office whose hand a question's options are.
HANDS = {"discard": PRESIDENT, "enact": CHANCELLOR, "select": CHANCELLOR}


@dataclass(slots=True)
class Government:
    """One round. Hands are as the view knows them, with unknown tiles."""

    round: int
    president: int
    chancellor: int | None = None
    ja: int = 0
    nein: int = 0
    elected: bool = False
    #: True if the election is over, with or without ballots.
    resolved: bool = False
    enacted: list[str] = field(default_factory=list)
    chaos: bool = False
    vetoed: bool = False
    drawn: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    discarded: list[tuple[int, str]] = field(default_factory=list)
    #: Seats that looked at the top of the pile, each with the tiles.
    peeked: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    #: Seats that saw a party: viewer, target, party (None: unknown).
    looked: list[tuple[int, int, str | None]] = field(default_factory=list)
    #: With a sealed veto: the tile that the Chancellor selected, and both ballots.
    selected: str | None = None
    sealed: tuple[str | None, ...] = ()
    #: True if a special election called it.
    special: bool = False
    #: The ballots by seat, as shown together.
    ballots: tuple[str | None, ...] = ()
    #: Events between the previous round's end and this round's candidate.
    before: list[Fact] = field(default_factory=list)
    #: Events from then on; in the last round also those after its end.
    facts: list[Fact] = field(default_factory=list)


def governments(facts: Iterable[Fact]) -> list[Government]:
    """Return the rounds of these facts, in order."""
    rounds: list[Government] = []
    between: list[Fact] = []
    going_on = False
    for fact in facts:
        if isinstance(fact, f.CandidacyPassed):
            rounds.append(Government(len(rounds) + 1, fact.seat, special=fact.special, before=between))
            between, going_on = [], True
        elif going_on:
            _note(rounds[-1], fact)
            going_on = not isinstance(fact, f.RoundEnded)
        # The first shuffle is part of the setup.
        elif rounds or not isinstance(fact, f.Shuffled):
            between.append(fact)
    if rounds:
        rounds[-1].facts += between
    return rounds


def _note(now: Government, fact: Fact) -> None:
    now.facts.append(fact)
    match fact:
        case f.Nominated():
            now.chancellor = fact.chancellor
        case f.Voted():
            now.ballots = fact.ballots
            now.ja, now.nein = fact.ballots.count("ja"), fact.ballots.count("nein")
            now.resolved = True
        case f.NoElection():
            now.resolved = True
        case f.Elected():
            now.elected = True
        case f.Drew():
            now.drawn = fact.hand
        case f.Passed():
            now.passed = fact.hand
        case f.Discarded():
            now.discarded.append((fact.seat, fact.tile))
        case f.Enacted():
            now.enacted.append(fact.tile)
            now.chaos = now.chaos or fact.chaos
        case f.Vetoed():
            now.vetoed = True
        case f.Peeked():
            now.peeked.append((fact.seat, fact.pile))
        case f.Investigated():
            now.looked.append((fact.seat, fact.target, fact.party))
        case Selected():
            now.selected = fact.tile
        case SealedVeto():
            now.sealed = fact.ballots


def truth(now: Government, claim: Claim) -> tuple[str, ...] | None:
    """Return what a true claim would have said, in order; None if that is not known."""
    if claim.kind == PARTY:
        return next(((party,) for seat, _, party in now.looked if seat == claim.seat and party), None)
    hand = {
        PRESIDENT: now.drawn,
        CHANCELLOR: now.passed,
        PEEK: next((pile for seat, pile in now.peeked if seat == claim.seat), ()),
    }[claim.kind]
    said = tuple(sorted(colour(tile) for tile in hand))
    return None if not hand or tiles.UNKNOWN in said else said
