"""From a view to a state of mind, round by round, keeping what was worked out for the rounds before.

A state is a function of the facts and claims read so far, and of nothing else. What was worked out is kept
by those arguments, a bounded number of games of it, so that the next decision of the same game reads only
what is new. Keeping changes no result: ``forget`` may be called at any time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ai.reading import Findings
from ai.record import Record
from ai.round_reader import read_deal, read_round
from ai.rounds import Facts, claims_of, in_public, rounds_of
from ai.state import KnownGame, State
from engine import View
from engine.claim import Claim
from engine.facts import Opened

#: The number of viewers remembered (the oldest beginning goes first), and of variants of each round.
VIEWERS = 18
WAYS = 3

_Claims = tuple[Claim, ...]


@dataclass(slots=True, eq=False)
class RememberedState:
    """A viewer's state after some rounds, and what came after it as far as that was asked."""

    state: State
    #: The table's findings about the last round, on the public state.
    findings: Findings
    #: The table's state at the same moment; None if this is the table's.
    public: "RememberedState | None" = None
    #: Everything publicly known; kept on the public state.
    own_record: Record = field(default_factory=Record)
    #: The rounds that followed, each with its facts and claims, the latest last.
    kept: "list[tuple[Facts, _Claims, RememberedState]]" = field(default_factory=list)

    @property
    def record(self) -> Record:
        """Return the public record of the game."""
        return self.own_record if self.public is None else self.public.own_record

    def after(self, facts: Facts, claims: _Claims) -> "RememberedState":
        """Return the state after one more round, or the first state."""
        for read, heard, remembered in self.kept:
            if read == facts and heard == claims:
                return remembered
        public = None if self.public is None else self.public.after(in_public(facts), claims)
        state, findings = read_round(self.state, facts, claims, None if public is None else public.findings)
        record = self.own_record.after(facts, claims) if public is None else self.own_record
        remembered = RememberedState(state, findings, public, record)
        self.kept = [*self.kept[1 - WAYS :], (facts, claims, remembered)]
        return remembered


#: The viewer, the deal, and the state from which reading begins.
_kept: list[tuple[int | None, Facts, RememberedState]] = []


def forget() -> None:
    """Forget all results that were kept. Only time depends on them."""
    _kept.clear()


def read(view: View, claims: Sequence[Claim]) -> RememberedState:
    """Return the viewer's state of mind and (``public``) the table's."""
    deal, *rounds = rounds_of(view.facts)
    said = claims_of(view.facts, claims)
    remembered = _begin(view.seat, deal)
    for number, facts in enumerate(rounds, start=1):
        remembered = remembered.after(facts, said.get(number, ()))
    return remembered


def _begin(viewer: int | None, deal: Facts) -> RememberedState:
    for seat, facts, remembered in _kept:
        if seat == viewer and facts == deal:
            return remembered
    opened = deal[0]
    assert isinstance(opened, Opened)
    public = None if viewer is None else _begin(None, in_public(deal))
    remembered = RememberedState(read_deal(KnownGame(opened.setup, viewer), deal), {}, public)
    _kept.append((viewer, deal, remembered))
    del _kept[:-VIEWERS]
    return remembered
