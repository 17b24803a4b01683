"""Read a round: turn facts and claims into evidence, for the table or for one seat.

The evidence of public facts is computed once, for the table. A seat reuses it and adds what it alone knows:
its own tiles, and the parties and roles that it was shown.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ai import evidence, likelihoods
from ai.evidence import Pair
from ai.legislation_reader import LegislationReader
from ai.likelihoods import COMMUNIST, CORE, HITLER, LIBERAL
from ai.reading import Findings, Reading
from ai.rulesets import HINTS
from ai.state import ANY_BUT_HITLER, OF_PARTY, KnownGame, State, after_the_deal, before_the_deal
from engine import facts as f
from engine.claim import Claim
from engine.facts import Fact
from engine.table import Table


class RoundReader:
    """Reads the facts of one round for one viewer, one after another."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.legislation = LegislationReader(reading)

    def read(self, fact: Fact) -> None:
        """Read one fact: fold it into the table, and weigh its evidence."""
        reading, kind = self.reading, type(fact)
        parties, roles = reading.table.parties, reading.table.roles
        if isinstance(fact, f.Enacted):
            # This comes before the fold: the number of tiles in the hand still counts.
            self.legislation.enacted(fact)
        fact.fold(reading.table)
        if kind in _READ:
            _READ[kind](self, fact)
        if reading.table.parties is not parties or reading.table.roles is not roles:
            self._shown(parties, roles)
        for read in _READ_BY_HINTS.get(kind, ()):
            read(self, fact)

    def _shown(self, parties: tuple[str | None, ...], roles: tuple[str | None, ...]) -> None:
        """Take in parties and roles that were unknown, or that have changed."""
        reading, table = self.reading, self.reading.table
        parties, roles = parties or (None,) * table.seats, roles or (None,) * table.seats
        for seat, (was, now) in enumerate(zip(roles, table.roles, strict=True)):
            if now != was and now in CORE:
                reading.state = reading.state.knowing(seat, 1 << CORE.index(now))
            elif now != was and now is not None:
                reading.state = reading.state.knowing(seat, ANY_BUT_HITLER)
        for seat, (was, now) in enumerate(zip(parties, table.parties, strict=True)):
            if now != was and now is not None:
                reading.state = reading.state.shown(seat, now)

    # --- what rulesets say of their facts -----------------------------------------------------------

    def innocent(self, fact: Fact) -> None:
        """Note that a seat is not Hitler: otherwise the game would have ended."""
        seat, ending = HINTS.proves_not_hitler[type(fact)]
        if ending in self.reading.game.board.endings:
            self.reading.state = self.reading.state.knowing(getattr(fact, seat), ANY_BUT_HITLER)

    def suspects(self, fact: Fact) -> None:
        """Note that one of some seats is Hitler."""
        seats = getattr(fact, HINTS.one_is_hitler[type(fact)])
        self.reading.state = self.reading.state.one_of(seats, HITLER)

    def tiles_added(self, fact: Fact) -> None:
        """Add tiles to the draw pile."""
        self.legislation.tiles_added(getattr(fact, HINTS.adds_tiles[type(fact)]))

    def top_discarded(self, fact: Fact) -> None:
        """Note that the top tile of the pile was discarded."""
        self.legislation.top_discarded(getattr(fact, HINTS.discards_top[type(fact)]))

    def taken_off(self, fact: Fact) -> None:
        """Take a tile off a track, to the discards or out of the game."""
        tile, gone = HINTS.takes_off_track[type(fact)]
        if not getattr(fact, gone):
            self.legislation.taken_off(getattr(fact, tile))

    def converted(self, fact: Fact) -> None:
        """Note that somebody was or may have been made a Communist, and which seat if the viewer knows."""
        kind = type(fact)
        target = getattr(fact, HINTS.tries_to_convert[kind]) if kind in HINTS.tries_to_convert else None
        if target is not None:
            self._turn({target: 1.0})
        elif kind in HINTS.may_convert:
            name, values = HINTS.may_convert[kind]
            if self._knows_no_better() and (not name or getattr(fact, name) in values):
                self._turn_anyone()

    def _knows_no_better(self) -> bool:
        """Return True if the viewer is not a living Communist, and so did not learn whom a meeting chose."""
        viewer, table = self.reading.game.viewer, self.reading.table
        return viewer is None or table.parties[viewer] != CORE[COMMUNIST] or not table.alive[viewer]

    def _turn_anyone(self) -> None:
        """Allow for a conversion of anyone living but the viewer, who would know."""
        reading = self.reading
        others = [seat for seat in reading.table.living() if seat != reading.game.viewer]
        communists = sum(reading.state.party(seat, CORE[COMMUNIST]) for seat in others)
        free = max(1.0, len(others) - communists)
        self._turn(dict.fromkeys(others, min(1.0, communists) / free))

    def _turn(self, shares: Mapping[int, float]) -> None:
        """Record how likely each seat was converted now."""
        turned = self.reading.state.turned
        self.reading.update(
            turned=tuple(was + (1 - was) * shares.get(seat, 0.0) for seat, was in enumerate(turned))
        )

    # --- elections ---------------------------------------------------------------------------------

    def voted(self, fact: f.Voted) -> None:
        """Weigh the ballots of an election, given how suspect the pair was."""
        president, chancellor = self.reading.table.president, self.reading.table.chancellor
        if self.reading.blind or president is None or chancellor is None:
            return
        pair = (president, chancellor)
        self.reading.weigh(
            self.reading.shared(
                "ballots",
                lambda: evidence.ballots(
                    *pair, fact.ballots, self.reading.state.either_against(*pair), self.reading.game.usual
                ),
            )
        )

    def confirmed(self, fact: f.ConfirmedNotHitler) -> None:
        """Note that a Chancellor in the Hitler zone who does not win is not Hitler."""
        self.reading.state = self.reading.state.knowing(fact.seat, ANY_BUT_HITLER)

    # --- targets -----------------------------------------------------------------------------------

    def killed(self, fact: f.Killed) -> None:
        """Learn about the President and the target from a kill."""
        if fact.by is None or self.reading.blind or fact.cause != "execution":
            return
        by, seat = fact.by, fact.seat
        others = [other for other in self.reading.table.living() if other != by] + [seat]
        self.reading.weigh(
            self.reading.shared(
                "killed", lambda: self._aimed(evidence.killing, by, others, likelihoods.KILL_SLOPE)
            )
        )

    def called(self, fact: f.SpecialElectionCalled) -> None:
        """Learn about the President and the target from a special election."""
        if self.reading.blind:
            return
        by, seat = fact.seat, fact.target
        others = [other for other in self.reading.table.able() if other not in (by, seat)] + [seat]
        self.reading.weigh(
            self.reading.shared(
                "called", lambda: self._aimed(evidence.calling, by, others, likelihoods.CALL_SLOPE)
            )
        )

    def _aimed(
        self, piece: Callable[[int, int, float], Pair], by: int, others: list[int], slope: float
    ) -> Pair:
        suspicions = [self.reading.state.against(seat, CORE[LIBERAL]) for seat in others]
        return piece(by, others[-1], evidence.picked(suspicions, len(others) - 1, slope))

    def investigated(self, fact: f.Investigated) -> None:
        """Learn about the inspector and the target from the claim on a party."""
        for claim in self.reading.claims:
            if claim.kind == "party" and claim.seat == fact.seat and claim.seat != self.reading.game.viewer:
                self.reading.weigh(evidence.party_claim(fact.seat, fact.target, claim.said[0]))

    def recognised(self, fact: f.Recognised) -> None:
        """Note a seat that the viewer knows from the start, and whether it is Hitler."""
        role = 1 << HITLER if fact.hitler else ANY_BUT_HITLER & OF_PARTY.get(fact.party, 0)
        self.reading.state = self.reading.state.knowing(fact.seat, role)


#: The reader of each kind of fact.
_READ: dict[type[Fact], Callable[[RoundReader, Any], None]] = {
    f.Recognised: RoundReader.recognised,
    f.Voted: RoundReader.voted,
    f.ConfirmedNotHitler: RoundReader.confirmed,
    f.Drew: lambda reader, fact: reader.legislation.drew(fact),
    f.Discarded: lambda reader, fact: reader.legislation.discarded(fact),
    f.Passed: lambda reader, fact: reader.legislation.passed(fact),
    f.Vetoed: lambda reader, fact: reader.legislation.vetoed(fact),
    f.Shuffled: lambda reader, fact: reader.legislation.shuffled(fact),
    f.Peeked: lambda reader, fact: reader.legislation.peeked(fact),
    f.Killed: RoundReader.killed,
    f.SpecialElectionCalled: RoundReader.called,
    f.Investigated: RoundReader.investigated,
}

_HINTED: tuple[tuple[Iterable[type[Fact]], Callable[[RoundReader, Fact], None]], ...] = (
    (HINTS.proves_not_hitler, RoundReader.innocent),
    (HINTS.one_is_hitler, RoundReader.suspects),
    (HINTS.adds_tiles, RoundReader.tiles_added),
    (HINTS.discards_top, RoundReader.top_discarded),
    (HINTS.takes_off_track, RoundReader.taken_off),
    ({*HINTS.tries_to_convert, *HINTS.may_convert}, RoundReader.converted),
)
#: The readers, in this order, of what a ruleset's hints say about kinds of facts.
_READ_BY_HINTS = {
    kind: [read for kinds, read in _HINTED if kind in kinds] for hinted, _ in _HINTED for kind in hinted
}


def read_deal(game: KnownGame, facts: Sequence[Fact]) -> State:
    """Return a viewer's state after the deal."""
    reading = Reading(before_the_deal(game), Table(), (), None)
    reader = RoundReader(reading)
    for fact in facts:
        reader.read(fact)
    return replace(after_the_deal(reading.state), table=reading.table)


def read_round(
    state: State, facts: Sequence[Fact], claims: Sequence[Claim], public: Findings | None
) -> tuple[State, Findings]:
    """Return a viewer's state after a round (or its first part), and the findings about it.

    ``public``: the table's findings about the same round; None if the viewer is the table.
    """
    reading = Reading(state, state.table.copy(), claims, public)
    reader = RoundReader(reading)
    for fact in facts:
        reader.read(fact)
    session = reader.legislation.session
    if session is not None and session.passed is not None:
        piece, _ = reader.legislation.weighed(session)
        reading.weigh(piece)
    return replace(reading.state.refreshed(), table=reading.table, session=session), reading.findings
