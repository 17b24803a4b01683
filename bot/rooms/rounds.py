"""The game so far, round by round: governments, ballots, hands and enacted tiles."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine import Seat, View, board_of, tiles
from engine import facts as f
from engine.claim import Claim, colour
from engine.facts import CandidacyPassed, Fact, LimitsWaived
from engine.rulesets.xl.emergency import Impeached
from engine.steps.communists import COMMUNIST, Confessed
from engine.steps.election import barred

#: The kinds of claims: the hand drawn, the hand passed on, the top of the pile, a party.
PRESIDENT, CHANCELLOR, PEEK, PARTY = "president", "chancellor", "peek", "party"
#: The kinds of claims about the tiles of a session.
OF_SESSION = (PRESIDENT, CHANCELLOR)
#: By the step of a question whose options are a hand: the kind of claim about that hand.
HANDS = {"discard": PRESIDENT, "enact": CHANCELLOR, "select": CHANCELLOR}


@dataclass(slots=True)
class Round:
    """One round, as a view shows it. Tiles that the view hides are ``tiles.UNKNOWN``."""

    number: int
    president: Seat
    chancellor: Seat | None = None
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
    discarded: list[tuple[Seat, str]] = field(default_factory=list)
    #: Seats that looked at the top of the pile, each with the tiles.
    peeked: list[tuple[Seat, tuple[str, ...]]] = field(default_factory=list)
    #: Seats that saw a party: viewer, target, party (None: unknown).
    looked: list[tuple[Seat, Seat, str | None]] = field(default_factory=list)
    #: True if this round's President was chosen by a special election.
    special: bool = False
    #: The ballots by seat, as they were revealed.
    ballots: tuple[str | None, ...] = ()
    #: Events between the previous round's end and this round's candidate.
    before: list[Fact] = field(default_factory=list)
    #: Events from then on; in the last round also those after its end.
    facts: list[Fact] = field(default_factory=list)


def rounds_of(view: View) -> Sequence[Round]:
    """Return the rounds of a view, in order. They are split once, and cached in the view.

    The messages after one tap need the same rounds many times. Do not change them.
    """
    cached: list[Round] | None = vars(view).get("_rounds")
    if cached is None:
        cached = vars(view)["_rounds"] = split_into_rounds(view.facts)
    return cached


def split_into_rounds(facts: Iterable[Fact]) -> list[Round]:
    """Return the rounds of these facts, in order."""
    rounds: list[Round] = []
    between: list[Fact] = []
    going_on = False
    for fact in facts:
        if isinstance(fact, f.CandidacyPassed):
            rounds.append(Round(len(rounds) + 1, fact.seat, special=fact.special, before=between))
            between, going_on = [], True
            continue
        if not going_on:
            # The first shuffle is part of the setup.
            if rounds or not isinstance(fact, f.Shuffled):
                between.append(fact)
            continue
        round_ = rounds[-1]
        round_.facts.append(fact)
        match fact:
            case f.RoundEnded():
                going_on = False
            case f.Nominated():
                round_.chancellor = fact.chancellor
            case f.Voted():
                round_.ballots = fact.ballots
                round_.ja, round_.nein = fact.ballots.count("ja"), fact.ballots.count("nein")
                round_.resolved = True
            case f.NoElection():
                round_.resolved = True
            case f.Elected():
                round_.elected = True
            case f.Drew():
                round_.drawn = fact.hand
            case f.Passed():
                round_.passed = fact.hand
            case f.Discarded():
                round_.discarded.append((fact.seat, fact.tile))
            case f.Enacted():
                round_.enacted.append(fact.tile)
                round_.chaos = round_.chaos or fact.chaos
            case f.Vetoed():
                round_.vetoed = True
            case f.Peeked():
                round_.peeked.append((fact.seat, fact.pile))
            case f.Investigated() | Impeached():
                round_.looked.append(party_shown(fact))
    if rounds:
        rounds[-1].facts += between
    return rounds


def party_shown(fact: f.Investigated | Impeached) -> tuple[Seat, Seat, str | None]:
    """Return who was shown a party, whose it is, and the party (None: the view hides it)."""
    viewer = fact.viewer if isinstance(fact, Impeached) else fact.seat
    return viewer, fact.target, fact.party


def truth(round_: Round, claim: Claim) -> tuple[str, ...] | None:
    """Return what a true claim would have said, sorted; None if that is not known."""
    if claim.kind == PARTY:
        return next(((party,) for seat, _, party in round_.looked if seat == claim.seat and party), None)
    hand = {
        PRESIDENT: round_.drawn,
        CHANCELLOR: round_.passed,
        PEEK: next((pile for seat, pile in round_.peeked if seat == claim.seat), ()),
    }[claim.kind]
    said = tuple(sorted(colour(tile) for tile in hand))
    return None if not hand or tiles.UNKNOWN in said else said


def is_pointless(round_: Round, claim: Claim, real: Sequence[str]) -> bool:
    """Return True if a false claim invented a Liberal policy in a session that enacted one.

    Such a lie is of no use: it only says that the person who tells it, or the Chancellor, discarded a Liberal
    policy. ``real``: what the seat saw.
    """
    more = claim.said.count("liberal") > real.count("liberal")
    return claim.kind in OF_SESSION and more and "liberal" in map(colour, round_.enacted)


def session_over(round_: Round) -> bool:
    """Return True if a tile was enacted in this round, or both were vetoed."""
    return bool(round_.enacted) or round_.vetoed


def claimable_colours(round_: Round, claim_kind: str, *, veto: bool) -> frozenset[str]:
    """Return the colours of which a claim about a hand must name at least one.

    If it names none of them, everybody sees that it is a lie. If the result is empty, any claim may be true.
    Before the session is over, only the seat itself knows which tiles may be enacted, so ``round_`` must be
    from its own view. ``veto``: both tiles may still be vetoed.
    """
    if claim_kind not in OF_SESSION:
        return frozenset()
    if session_over(round_):
        return frozenset(_enacted_from_hand(round_))
    return frozenset() if veto else frozenset(map(colour, round_.passed)) - {tiles.UNKNOWN}


# --- eligibility --------------------------------------------------------------------------------------------
# Seats barred by public term limits, for the list of players and for the picture.


def term_limited(view: View) -> tuple[Seat, ...]:
    """Return the living seats that term limits bar from this round's nomination.

    Return none if term limits are waived (R1.12), after the end, and while a government is in office, because
    its own limits begin with the next round.
    """
    table = view.table
    since = (fact for fact in reversed(view.facts) if isinstance(fact, LimitsWaived | CandidacyPassed))
    if table.in_office or table.winners is not None or isinstance(next(since, None), LimitsWaived):
        return ()
    return tuple(seat for seat in barred(table, board_of(view.setup)) if table.alive[seat])


# --- contradictions -----------------------------------------------------------------------------------------
# Find claims that cannot both be true: about a session's hands, the pile before a draw, or parties.
# Use only public knowledge. If something may have changed between two claims, report no contradiction.

#: Two claims that contradict each other, in the order of the events that they are about; or one that
#: contradicts what was shown.
Clash = tuple[Claim, ...]


def contradictions(rounds: Sequence[Round], claims: Sequence[Claim]) -> Mapping[int, tuple[Clash, ...]]:
    """Return the claims that contradict each other or what was shown, by the round that reveals this."""
    found: dict[int, tuple[Clash, ...]] = {}
    kinds = {claim.kind for claim in claims}
    for find, about in ((_of_hands, OF_SESSION), (_of_piles, (PEEK,)), (_of_parties, (PARTY,))):
        if not kinds.isdisjoint(about):
            for number, clash in find(rounds, claims):
                found[number] = (*found.get(number, ()), clash)
    return found


def _of_hands(rounds: Sequence[Round], claims: Sequence[Claim]) -> Iterator[tuple[int, Clash]]:
    """Yield the claims about one session that contradict each other or the enacted tile."""
    for round_ in rounds:
        hands = _hands(round_, claims)
        for claim in hands.values():
            if _enacted_from_hand(round_) - Counter(claim.said):
                yield round_.number, (claim,)
        if PRESIDENT in hands and CHANCELLOR in hands:
            pair = hands[PRESIDENT], hands[CHANCELLOR]
            if Counter(pair[1].said) - Counter(pair[0].said):
                yield round_.number, pair


def _of_piles(rounds: Sequence[Round], claims: Sequence[Claim]) -> Iterator[tuple[int, Clash]]:
    """Yield the claims about the top of the pile that contradict each other or the hand drawn."""
    tops: list[Claim] = []
    for round_ in rounds:
        if any(map(_moves_the_pile, round_.before)):
            tops = []
        for fact in round_.facts:
            if isinstance(fact, f.Peeked):
                claim = _claim(claims, PEEK, fact.seat, round_.number)
                if claim is not None:
                    for top in tops:
                        if Counter(top.said) != Counter(claim.said):
                            yield round_.number, (top, claim)
                    tops.append(claim)
            elif isinstance(fact, f.Drew):
                for top in tops:
                    hands = _hands(round_, claims).values()
                    wrong = [hand for hand in hands if Counter(hand.said) - Counter(top.said)]
                    yield from ((round_.number, (top, hand)) for hand in wrong)
                    if not wrong and _enacted_from_hand(round_) - Counter(top.said):
                        yield round_.number, (top,)
                tops = []
            elif _moves_the_pile(fact):
                tops = []


def _of_parties(rounds: Sequence[Round], claims: Sequence[Claim]) -> Iterator[tuple[int, Clash]]:
    """Yield the claims about a party that contradict earlier claims or what was shown.

    A claim of Communist never does, because anybody may have been recruited since.
    """
    known: dict[Seat, tuple[str, Claim | None]] = {}
    for round_ in rounds:
        for fact in round_.facts:
            if isinstance(fact, f.Investigated | Impeached):
                viewer, seat, _ = party_shown(fact)
                claim = _claim(claims, PARTY, viewer, round_.number)
                party = claim.said[0] if claim else None
            elif isinstance(fact, Confessed):
                seat, party, claim = fact.seat, fact.party, None
            else:
                continue
            if party is not None:
                before, earlier = known.get(seat, (party, None))
                clash = tuple(one for one in (earlier, claim) if one is not None)
                if before != party != COMMUNIST and clash:
                    yield round_.number, clash
                known[seat] = party, claim


def _hands(round_: Round, claims: Sequence[Claim]) -> dict[str, Claim]:
    about = [claim for claim in claims if claim.round == round_.number]
    return {claim.kind: claim for claim in about if claim.kind in OF_SESSION}


def _enacted_from_hand(round_: Round) -> Counter[str]:
    """Count the tile that a government enacted in this round. Chaos enacts none from a hand."""
    by_government = round_.elected and not round_.chaos
    return Counter(colour(tile) for tile in round_.enacted[:1] if by_government)


def _claim(claims: Sequence[Claim], kind: str, seat: Seat, number: int) -> Claim | None:
    found = (claim for claim in claims if (claim.kind, claim.seat, claim.round) == (kind, seat, number))
    return next(found, None)


def _moves_the_pile(fact: f.Fact) -> bool:
    """Return True if other tiles may be on top now.

    This includes every fact of an expansion, because this module does not know what such a fact does.
    """
    return isinstance(fact, f.Shuffled) or (isinstance(fact, f.Enacted) and fact.chaos) or "/" in fact.id
