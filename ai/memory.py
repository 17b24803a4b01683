"""Read a view round by round into a state, and cache the states of earlier rounds.

A state is a function of the facts and claims read so far, and of nothing else. They are the cache's key, so
that the next decision of the same game reads only what is new. The cache holds a limited number of viewers.
It changes no result: ``forget`` may be called at any time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ai.record import Record
from ai.round_reader import Findings, read_deal, read_round
from ai.rounds import Facts, claims_of, in_public, rounds_of
from ai.state import KnownGame, State
from engine import Seat, View
from engine.claim import Claim
from engine.facts import Opened

#: The maximum number of viewers in the cache, and of variants of the next round for each cached state (the
#: same round with fewer facts, or with other claims). The oldest is dropped first.
VIEWERS = 18
VARIANTS = 3

_Claims = tuple[Claim, ...]


@dataclass(slots=True, eq=False)
class RememberedState:
    """A viewer's state after some rounds, with cached states after the round that follows."""

    state: State
    #: The findings about the last round that was read.
    findings: Findings
    #: The table's state at the same moment; None if this is the table's.
    public: "RememberedState | None" = None
    #: The public record of the game.
    record: Record = field(default_factory=Record)
    #: Cached variants of the next round: facts, claims and the state after it, the latest variant last.
    cached: "list[tuple[Facts, _Claims, RememberedState]]" = field(default_factory=list)

    def after(self, facts: Facts, claims: _Claims) -> "RememberedState":
        """Return the state after one more round, or after its first part."""
        for read, heard, remembered in self.cached:
            if read == facts and heard == claims:
                return remembered
        public = None if self.public is None else self.public.after(in_public(facts), claims)
        state, findings = read_round(self.state, facts, claims, None if public is None else public.findings)
        record = self.record.after(facts, claims) if public is None else public.record
        remembered = RememberedState(state, findings, public, record)
        self.cached = [*self.cached[1 - VARIANTS :], (facts, claims, remembered)]
        return remembered


#: The cache: viewer, deal, and the state after the deal.
_cache: list[tuple[Seat | None, Facts, RememberedState]] = []


def forget() -> None:
    """Clear the cache. This costs only time."""
    _cache.clear()


def read_view(view: View, claims: Sequence[Claim]) -> RememberedState:
    """Return the viewer's state and (``public``) the table's."""
    deal, *rounds = rounds_of(view.facts)
    said = claims_of(view.facts, claims)
    remembered = _begin(view.seat, deal)
    for number, facts in enumerate(rounds, start=1):
        remembered = remembered.after(facts, said.get(number, ()))
    return remembered


def _begin(viewer: Seat | None, deal: Facts) -> RememberedState:
    for seat, facts, remembered in _cache:
        if seat == viewer and facts == deal:
            return remembered
    opened = deal[0]
    assert isinstance(opened, Opened)
    public = None if viewer is None else _begin(None, in_public(deal))
    remembered = RememberedState(read_deal(KnownGame(opened.setup, viewer), deal), [], public)
    _cache.append((viewer, deal, remembered))
    del _cache[:-VIEWERS]
    return remembered
