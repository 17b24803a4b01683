"""The public record of a game: governments, clashing claims, inspectors' claims, ballots."""

from collections.abc import Sequence
from dataclasses import replace

from ai.rounds import Facts, legislation_of
from engine import Seat
from engine.claim import Claim, colour
from engine.facts import Investigated, Nominated, Voted
from engine.frozen import frozen
from engine.question import JA


@frozen
class Government:
    """An elected pair that enacted a tile."""

    president: Seat
    chancellor: Seat
    #: True if the tile was Liberal.
    good: bool

    def has(self, *seats: Seat) -> bool:
        """Return True if all these seats were in it."""
        return {self.president, self.chancellor}.issuperset(seats)


@frozen
class Election:
    """An election that was held, whether it passed or failed."""

    chancellor: Seat
    passed: bool
    #: The share of Ja among the ballots.
    ja_share: float


@frozen
class PartyClaim:
    """An inspector's claim about a party."""

    seat: Seat
    target: Seat
    #: True if it said "Liberal".
    good: bool


@frozen
class Record:
    """The public record so far: events and claims."""

    governments: tuple[Government, ...] = ()
    #: Pairs of President and Chancellor who enacted a tile that is not Liberal, and whose claims about their
    #: hands clash.
    clashes: tuple[tuple[Seat, Seat], ...] = ()
    party_claims: tuple[PartyClaim, ...] = ()
    #: The last election.
    last_election: Election | None = None
    #: How often each seat voted Ja, and how often it voted.
    ja_counts: tuple[int, ...] = ()
    ballot_counts: tuple[int, ...] = ()

    def after(self, facts: Facts, claims: Sequence[Claim]) -> "Record":
        """Return the record after one more round."""
        found = self
        chancellor = Seat(-1)
        for fact in facts:
            if isinstance(fact, Nominated):
                chancellor = fact.chancellor
            elif isinstance(fact, Voted):
                found = found._add_election(fact, chancellor)
            elif isinstance(fact, Investigated):
                said = [one.said[0] for one in claims if one.kind == "party" and one.seat == fact.seat]
                if said:
                    told = PartyClaim(fact.seat, fact.target, said[-1] == "liberal")
                    found = replace(found, party_claims=(*found.party_claims, told))
        session = legislation_of(facts)
        if session is not None and session.enacted is not None:
            pair = (session.drew.seat, session.passed.seat)
            good = colour(session.enacted.tile) == "liberal"
            found = replace(found, governments=(*found.governments, Government(*pair, good)))
            if not good and _clash(*pair, claims):
                found = replace(found, clashes=(*found.clashes, pair))
        return found

    def _add_election(self, fact: Voted, chancellor: Seat) -> "Record":
        none, ballots = (0,) * len(fact.ballots), fact.ballots
        cast = [vote for vote in ballots if vote is not None]
        last = Election(chancellor, fact.passed, cast.count(JA) / max(1, len(cast)))
        ja = tuple(n + (vote == JA) for n, vote in zip(self.ja_counts or none, ballots, strict=True))
        before = zip(self.ballot_counts or none, ballots, strict=True)
        counts = tuple(n + (vote is not None) for n, vote in before)
        return replace(self, last_election=last, ja_counts=ja, ballot_counts=counts)

    # --- queries -----------------------------------------------------------------------------------

    def good_governments(self, *seats: Seat) -> int:
        """Return how many governments with all these seats enacted a Liberal tile, at most 2."""
        return self._count(seats, True)

    def bad_governments(self, *seats: Seat) -> int:
        """Return how many governments with all these seats enacted another tile, at most 2."""
        return self._count(seats, False)

    def _count(self, seats: tuple[Seat, ...], good: bool) -> int:
        return min(2, sum(one.good is good and one.has(*seats) for one in self.governments))

    def has_governed(self, seat: Seat) -> bool:
        """Return True if a seat was in a government that enacted a tile."""
        return any(one.has(seat) for one in self.governments)

    def has_clashed(self, seat: Seat, other: Seat | None = None) -> bool:
        """Return True if a seat's claims clashed with another one's, or with anybody's."""
        return any(seat in pair and (other is None or other in pair) for pair in self.clashes)

    def ja_habit(self, seat: Seat) -> float:
        """Return how much more often a seat has voted Ja than people usually do. Near 0 after few ballots."""
        ja, ballots = (self.ja_counts[seat], self.ballot_counts[seat]) if self.ja_counts else (0, 0)
        return (ja + 0.92) / (ballots + 2) - 0.46


def _clash(president: Seat, chancellor: Seat, claims: Sequence[Claim]) -> bool:
    """Return True if both made claims and one of them probably lies, after a tile that is not Liberal."""
    drew = held = None
    for claim in claims:
        if claim.kind == "president" and claim.seat == president:
            drew = claim.said.count("liberal")
        elif claim.kind == "chancellor" and claim.seat == chancellor:
            held = claim.said.count("liberal")
    if drew is None or held is None:
        return False
    return (drew >= 1 and held == 0) or held > drew or drew - held > 1
