"""Read a round: turn facts and claims into evidence, for the table or for one seat.

The evidence of public facts is computed once, for the table. A seat reuses it and adds what it alone knows:
its own tiles, and the parties and roles that it was shown.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ai import evidence, likelihoods
from ai.evidence import TwoSeatEvidence
from ai.legislation_reader import LegislationReader
from ai.likelihoods import COMMUNIST, CORE, HITLER, LIBERAL
from ai.reader_context import Findings, ReaderContext
from ai.rulesets import HINTS
from ai.state import ANY_BUT_HITLER, OF_PARTY, KnownGame, State, after_the_deal, before_the_deal
from engine import SEATS, Seat
from engine import facts as f
from engine.claim import Claim
from engine.facts import Fact
from engine.table import Table


class RoundReader:
    """Reads the facts of one round for one viewer, one after another."""

    def __init__(self, context: ReaderContext) -> None:
        self.context = context
        self.legislation = LegislationReader(context)

    def read(self, fact: Fact) -> None:
        """Read one fact: fold it into the table, and weigh its evidence."""
        context, kind = self.context, type(fact)
        parties, roles = context.table.parties, context.table.roles
        if isinstance(fact, f.Enacted):
            # Read this before the fold: in chaos the fold removes the top tile, and the reader needs the
            # length of the pile with it.
            self.legislation.read_enactment(fact)
        fact.fold(context.table)
        if kind in _READ:
            _READ[kind](self, fact)
        if context.table.parties is not parties or context.table.roles is not roles:
            self._read_shown_identities(parties, roles)
        for read in _READ_BY_HINTS.get(kind, ()):
            read(self, fact)

    def _read_shown_identities(self, parties: tuple[str | None, ...], roles: tuple[str | None, ...]) -> None:
        """Take in parties and roles that were unknown, or that have changed."""
        context, table = self.context, self.context.table
        parties, roles = parties or (None,) * table.seats, roles or (None,) * table.seats
        for seat, was, now in zip(table.all_seats(), roles, table.roles, strict=True):
            if now != was and now in CORE:
                context.state = context.state.restrict_roles(seat, 1 << CORE.index(now))
            elif now != was and now is not None:
                context.state = context.state.restrict_roles(seat, ANY_BUT_HITLER)
        for seat, was, now in zip(table.all_seats(), parties, table.parties, strict=True):
            if now != was and now is not None:
                context.state = context.state.observe_party(seat, now)

    # --- facts that the hints of rulesets explain ---------------------------------------------------

    def read_not_hitler(self, fact: Fact) -> None:
        """Note that a seat is not Hitler: otherwise the game would have ended."""
        seat, ending = HINTS.proves_not_hitler[type(fact)]
        if ending in self.context.game.board.endings:
            self.context.state = self.context.state.restrict_roles(getattr(fact, seat), ANY_BUT_HITLER)

    def read_suspects(self, fact: Fact) -> None:
        """Note that one of some seats is Hitler."""
        seats = getattr(fact, HINTS.one_is_hitler[type(fact)])
        self.context.state = self.context.state.require_role_among(seats, HITLER)

    def read_added_tiles(self, fact: Fact) -> None:
        """Add tiles to the draw pile."""
        self.legislation.read_added_tiles(getattr(fact, HINTS.adds_tiles[type(fact)]))

    def read_discarded_top(self, fact: Fact) -> None:
        """Note that the top tile of the pile was discarded."""
        self.legislation.read_discarded_top(getattr(fact, HINTS.discards_top[type(fact)]))

    def read_tile_off_track(self, fact: Fact) -> None:
        """Take a tile off a track, to the discards or out of the game."""
        tile, gone = HINTS.takes_off_track[type(fact)]
        if not getattr(fact, gone):
            self.legislation.read_tile_off_track(getattr(fact, tile))

    def read_conversion(self, fact: Fact) -> None:
        """Note that somebody may have been converted to a Communist, and which seat if the viewer knows."""
        kind = type(fact)
        target = getattr(fact, HINTS.tries_to_convert[kind]) if kind in HINTS.tries_to_convert else None
        if target is not None:
            self._add_conversion({target: 1.0})
        elif kind in HINTS.may_convert:
            name, values = HINTS.may_convert[kind]
            if self._cannot_know_target() and (not name or getattr(fact, name) in values):
                self._add_conversion_of_anyone()

    def _cannot_know_target(self) -> bool:
        """Return True unless the viewer is a living Communist. Living Communists learn who was chosen."""
        viewer, table = self.context.game.viewer, self.context.table
        return viewer is None or table.parties[viewer] != CORE[COMMUNIST] or not table.alive[viewer]

    def _add_conversion_of_anyone(self) -> None:
        """Allow for a conversion of anyone living but the viewer, who would know."""
        context = self.context
        others = [seat for seat in context.table.living() if seat != context.game.viewer]
        communists = sum(context.state.party(seat, CORE[COMMUNIST]) for seat in others)
        free = max(1.0, len(others) - communists)
        self._add_conversion(dict.fromkeys(others, min(1.0, communists) / free))

    def _add_conversion(self, shares: Mapping[Seat, float]) -> None:
        """Record how likely each seat was converted now."""
        before = zip(SEATS, self.context.state.conversion_probabilities, strict=False)
        probabilities = tuple(was + (1 - was) * shares.get(seat, 0.0) for seat, was in before)
        self.context.update(conversion_probabilities=probabilities)

    # --- elections ---------------------------------------------------------------------------------

    def read_ballots(self, fact: f.Voted) -> None:
        """Weigh the ballots of an election, given how suspect the pair was."""
        president, chancellor = self.context.table.president, self.context.table.chancellor
        if self.context.blind or president is None or chancellor is None:
            return
        pair = (president, chancellor)
        self.context.weigh(
            self.context.share_finding(
                "ballots",
                lambda: evidence.ballot_evidence(
                    *pair,
                    fact.ballots,
                    self.context.state.probability_either_not_of(*pair),
                    self.context.game.pair_suspicion_at_start,
                ),
            )
        )

    def read_confirmation(self, fact: f.ConfirmedNotHitler) -> None:
        """Note that a Chancellor elected in the Hitler zone is not Hitler, because the game goes on."""
        self.context.state = self.context.state.restrict_roles(fact.seat, ANY_BUT_HITLER)

    # --- targets -----------------------------------------------------------------------------------

    def read_kill(self, fact: f.Killed) -> None:
        """Learn about the President and the target from a kill."""
        if fact.by is None or self.context.blind or fact.cause != "execution":
            return
        by, seat = fact.by, fact.seat
        others = [other for other in self.context.table.living() if other != by] + [seat]
        self.context.weigh(
            self.context.share_finding(
                "killed",
                lambda: self._make_target_evidence(
                    evidence.kill_evidence, by, others, likelihoods.KILL_SLOPE
                ),
            )
        )

    def read_special_election(self, fact: f.SpecialElectionCalled) -> None:
        """Learn about the President and the target from a special election."""
        if self.context.blind:
            return
        by, seat = fact.seat, fact.target
        others = [other for other in self.context.table.able() if other not in (by, seat)] + [seat]
        self.context.weigh(
            self.context.share_finding(
                "called",
                lambda: self._make_target_evidence(
                    evidence.special_election_evidence, by, others, likelihoods.SPECIAL_ELECTION_SLOPE
                ),
            )
        )

    def _make_target_evidence(
        self,
        piece: Callable[[Seat, Seat, float], TwoSeatEvidence],
        by: Seat,
        others: list[Seat],
        slope: float,
    ) -> TwoSeatEvidence:
        suspicions = [self.context.state.probability_not_of(seat, CORE[LIBERAL]) for seat in others]
        return piece(by, others[-1], evidence.pick_ratio(suspicions, len(others) - 1, slope))

    def read_investigation(self, fact: f.Investigated) -> None:
        """Learn about an inspector and the target from the inspector's claim. The viewer's own is skipped."""
        for claim in self.context.claims:
            if claim.kind == "party" and claim.seat == fact.seat and claim.seat != self.context.game.viewer:
                self.context.weigh(evidence.party_claim_evidence(fact.seat, fact.target, claim.said[0]))

    def read_recognition(self, fact: f.Recognised) -> None:
        """Note a seat that the viewer knows from the start, and whether it is Hitler."""
        role = 1 << HITLER if fact.hitler else ANY_BUT_HITLER & OF_PARTY.get(fact.party, 0)
        self.context.state = self.context.state.restrict_roles(fact.seat, role)


#: The reader of each kind of fact.
_READ: dict[type[Fact], Callable[[RoundReader, Any], None]] = {
    f.Recognised: RoundReader.read_recognition,
    f.Voted: RoundReader.read_ballots,
    f.ConfirmedNotHitler: RoundReader.read_confirmation,
    f.Drew: lambda reader, fact: reader.legislation.read_draw(fact),
    f.Discarded: lambda reader, fact: reader.legislation.read_discard(fact),
    f.Passed: lambda reader, fact: reader.legislation.read_pass(fact),
    f.Vetoed: lambda reader, fact: reader.legislation.read_veto(fact),
    f.Shuffled: lambda reader, fact: reader.legislation.read_shuffle(fact),
    f.Peeked: lambda reader, fact: reader.legislation.read_peek(fact),
    f.Killed: RoundReader.read_kill,
    f.SpecialElectionCalled: RoundReader.read_special_election,
    f.Investigated: RoundReader.read_investigation,
}

#: Each set of kinds of facts in the hints, with its reader.
_HINTED: tuple[tuple[Iterable[type[Fact]], Callable[[RoundReader, Fact], None]], ...] = (
    (HINTS.proves_not_hitler, RoundReader.read_not_hitler),
    (HINTS.one_is_hitler, RoundReader.read_suspects),
    (HINTS.adds_tiles, RoundReader.read_added_tiles),
    (HINTS.discards_top, RoundReader.read_discarded_top),
    (HINTS.takes_off_track, RoundReader.read_tile_off_track),
    ({*HINTS.tries_to_convert, *HINTS.may_convert}, RoundReader.read_conversion),
)
#: The readers for each kind of fact that the rulesets' hints name, in the order of ``_HINTED``.
_READ_BY_HINTS = {
    kind: [read for kinds, read in _HINTED if kind in kinds] for hinted, _ in _HINTED for kind in hinted
}


def read_deal(game: KnownGame, facts: Sequence[Fact]) -> State:
    """Return a viewer's state after the deal."""
    context = ReaderContext(before_the_deal(game), Table(), (), None)
    reader = RoundReader(context)
    for fact in facts:
        reader.read(fact)
    return replace(after_the_deal(context.state), table=context.table)


def read_round(
    state: State, facts: Sequence[Fact], claims: Sequence[Claim], public: Findings | None
) -> tuple[State, Findings]:
    """Return a viewer's state after a round (or its first part), and the findings about it.

    ``public``: the table's findings about the same round; None if the viewer is the table.
    """
    context = ReaderContext(state, state.table.copy(), claims, public)
    reader = RoundReader(context)
    for fact in facts:
        reader.read(fact)
    session = reader.legislation.session
    if session is not None and session.passed is not None:
        piece, _ = reader.legislation.evaluate_session(session)
        context.weigh(piece)
    return replace(context.state.refresh_sample(), table=context.table), context.findings
