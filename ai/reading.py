"""Reading a round: from facts and claims to evidence, for the table or for one seat.

What everybody saw is weighed once, for the table; a seat takes it over from there and adds what it alone
knows: its own tiles, and parties and roles that it was shown.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ai import evidence as pieces
from ai import likelihoods as known
from ai.evidence import Pair
from ai.likelihoods import COMMUNIST, CORE, HITLER, LIBERAL
from ai.sessions import Notes, Sessions
from ai.state import NOT_HITLER, OF_PARTY, Base, State, opening, settled_in
from ai.worth import WORTH
from engine import facts as f
from engine.claim import Claim
from engine.facts import Fact
from engine.table import Table


@dataclass(slots=True)
class Reader(Sessions):
    """One round being read by one viewer."""

    # --- facts -------------------------------------------------------------------------------------

    def read(self, fact: Fact) -> None:
        """Take in one fact: fold it, and weigh what it tells."""
        kind = type(fact)
        before = self.table.parties, self.table.roles
        if kind is f.Enacted:
            self.enacted(fact)  # type: ignore[arg-type]
        fact.fold(self.table)
        if kind in _READ:
            _READ[kind](self, fact)
        if self.table.parties is not before[0] or self.table.roles is not before[1]:
            self._shown(*before)
        if kind in WORTH.innocent:
            name, ending = WORTH.innocent[kind]
            if ending in self.base.board.endings:
                self.state = self.state.knowing(getattr(fact, name), NOT_HITLER)
        if kind in WORTH.among:
            self.state = self.state.one_of(getattr(fact, WORTH.among[kind]), HITLER)
        if kind in WORTH.adds:
            self.added(getattr(fact, WORTH.adds[kind]))
        elif kind in WORTH.skims:
            self.skimmed(getattr(fact, WORTH.skims[kind]))
        elif kind in WORTH.returns:
            name, gone = WORTH.returns[kind]
            if not getattr(fact, gone):
                self.returned(getattr(fact, name))
        if kind in WORTH.converts and (target := getattr(fact, WORTH.converts[kind])) is not None:
            self._turn({target: 1.0})
        elif kind in WORTH.spreads:
            name, values = WORTH.spreads[kind]
            if self._knows_no_better() and (not name or getattr(fact, name) in values):
                self._spread()

    def _shown(self, parties: tuple[str | None, ...], roles: tuple[str | None, ...]) -> None:
        """Parties and roles that were not known, or known otherwise, are now."""
        seats = self.table.seats
        parties, roles = parties or (None,) * seats, roles or (None,) * seats
        for seat, (was, now) in enumerate(zip(roles, self.table.roles, strict=True)):
            if now != was and now in CORE:
                self.state = self.state.knowing(seat, 1 << CORE.index(now))
            elif now != was and now is not None:
                self.state = self.state.knowing(seat, NOT_HITLER)
        for seat, (was, now) in enumerate(zip(parties, self.table.parties, strict=True)):
            if now != was and now is not None:
                self.state = self.state.shown(seat, now)

    def _knows_no_better(self) -> bool:
        """Whether the viewer does not hear itself whom a meeting chose: it is no living Communist."""
        viewer = self.base.viewer
        return viewer is None or self.table.parties[viewer] != CORE[COMMUNIST] or not self.table.alive[viewer]

    def _spread(self) -> None:
        """Somebody may have been converted: anyone living but the viewer, who would know."""
        others = [seat for seat in self.table.living() if seat != self.base.viewer]
        communists = sum(self.state.party(seat, CORE[COMMUNIST]) for seat in others)
        free = max(1.0, len(others) - communists)
        self._turn(dict.fromkeys(others, min(1.0, communists) / free))

    def _turn(self, shares: dict[int, float]) -> None:
        turned = self.state.turned
        self.state = replace(
            self.state,
            turned=tuple(was + (1 - was) * shares.get(seat, 0.0) for seat, was in enumerate(turned)),
        )

    # --- elections ---------------------------------------------------------------------------------

    def voted(self, fact: f.Voted) -> None:
        """Ballots tell who is for whom, given how suspect the pair was."""
        president, chancellor = self.table.president, self.table.chancellor
        if self.blind or president is None or chancellor is None:
            return
        pair = (president, chancellor)
        self.weigh(
            self.shared(
                "ballots",
                lambda: pieces.ballots(
                    *pair, fact.ballots, self.state.either_against(*pair), self.base.usual
                ),
            )
        )

    def confirmed(self, fact: f.ConfirmedNotHitler) -> None:
        """A Chancellor in the Hitler zone who does not win is not Hitler."""
        self.state = self.state.knowing(fact.seat, NOT_HITLER)

    # --- targets -----------------------------------------------------------------------------------

    def killed(self, fact: f.Killed) -> None:
        """A President's kill tells of both."""
        if fact.by is None or self.blind or fact.cause != "execution":
            return
        by, seat = fact.by, fact.seat
        others = [other for other in self.table.living() if other != by] + [seat]
        self.weigh(self.shared("killed", lambda: self._aimed(pieces.killing, by, others, known.KILL_SLOPE)))

    def called(self, fact: f.SpecialElectionCalled) -> None:
        """A President's special election tells of both."""
        if self.blind:
            return
        by, seat = fact.seat, fact.target
        others = [other for other in self.table.able() if other not in (by, seat)] + [seat]
        self.weigh(self.shared("called", lambda: self._aimed(pieces.calling, by, others, known.CALL_SLOPE)))

    def _aimed(
        self, piece: Callable[[int, int, float], Pair], by: int, others: list[int], slope: float
    ) -> Pair:
        suspicions = [self.state.against(seat, CORE[LIBERAL]) for seat in others]
        return piece(by, others[-1], pieces.picked(suspicions, len(others) - 1, slope))

    def investigated(self, fact: f.Investigated) -> None:
        """What an inspector says of a party tells of both."""
        for claim in self.claims:
            if claim.kind == "party" and claim.seat == fact.seat and claim.seat != self.base.viewer:
                self.weigh(pieces.party_claim(fact.seat, fact.target, claim.said[0]))

    def recognised(self, fact: f.Recognised) -> None:
        """Somebody is known from the start, and whether it is Hitler."""
        role = 1 << HITLER if fact.hitler else NOT_HITLER & OF_PARTY.get(fact.party, 0)
        self.state = self.state.knowing(fact.seat, role)


_READ: dict[type[Fact], Callable[[Reader, Any], None]] = {
    f.Recognised: Reader.recognised,
    f.Voted: Reader.voted,
    f.ConfirmedNotHitler: Reader.confirmed,
    f.Drew: Reader.drew,
    f.Discarded: Reader.discarded,
    f.Passed: Reader.passed,
    f.Vetoed: Reader.vetoed,
    f.Shuffled: Reader.shuffled,
    f.Peeked: Reader.peeked,
    f.Killed: Reader.killed,
    f.SpecialElectionCalled: Reader.called,
    f.Investigated: Reader.investigated,
}


def read_deal(base: Base, facts: Sequence[Fact]) -> State:
    """What a viewer thinks once the deal is over."""
    reader = Reader(opening(base), Table(), (), None)
    for fact in facts:
        reader.read(fact)
    return replace(settled_in(reader.state), table=reader.table)


def read_round(
    state: State, facts: Sequence[Fact], claims: Sequence[Claim], public: Notes | None
) -> tuple[State, Notes]:
    """What a viewer thinks after a round (or its beginning), and what the table makes of it.

    ``public``: what the table made of the same round, for a seat; None for the table.
    """
    reader = Reader(state, state.table.copy(), claims, public)
    for fact in facts:
        reader.read(fact)
    session = reader.session
    if session is not None and session.passed is not None:
        evidence, _ = reader._weigh_session(session)
        reader.weigh(evidence)
    done = replace(reader.state.refreshed(), table=reader.table, session=session)
    return done, reader.notes
