"""Read a round: turn facts and claims into evidence, for the table or for one seat.

The evidence of public facts is computed once, for the table. A seat reuses it and adds what it alone knows:
its own tiles, and the parties and roles that it was shown.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import mul
from typing import Any

from ai import evidence, likelihoods
from ai.evidence import BallotEvidence, Evidence, Row, TwoSeatEvidence
from ai.likelihoods import CORE, HITLER
from ai.odds import TileCounts, TileProbabilities, count_colours, hand_probabilities, remove_hand, subtract
from ai.sessions import KnownSession, session_evidence
from ai.state import ANY_BUT_HITLER, OF_PARTY, KnownGame, State, after_the_deal, before_the_deal
from engine import SEATS, Seat, tiles
from engine import facts as f
from engine.board import Party, Role
from engine.claim import Claim, colour
from engine.facts import Fact
from engine.rulesets.red_dawn.article_48 import ConversionTried
from engine.rulesets.red_dawn.secret_roles import SuspectsShown
from engine.rulesets.red_dawn.smear import Smeared
from engine.rulesets.xl.anti_policies import TileRemoved
from engine.rulesets.xl.emergency import TopDiscarded
from engine.steps.communists import MeetingEnded, RecruitmentTried, TilesAdded
from engine.table import BLINDFOLD, Table

#: Evidence computed for a round, in the order of its facts.
Findings = list[Any]


class RoundReader:
    """Reads the facts of one round for one viewer, one after another."""

    def __init__(
        self, state: State, table: Table, claims: Sequence[Claim] = (), public: Findings | None = None
    ) -> None:
        """Begin a round. ``public``: the table's findings about it; None if the viewer is the table."""
        self.state = state
        self.table = table
        self.claims = claims
        self.game = state.game
        self.colours = state.game.colours
        self.findings: Findings = []
        self._public = public
        #: The legislative session in progress.
        self._session: KnownSession | None = None

    def read(self, facts: Sequence[Fact]) -> None:
        """Read facts: fold them into the table, and weigh their evidence."""
        for fact in facts:
            self._read_fact(fact)

    def _read_fact(self, fact: Fact) -> None:
        kind, table = type(fact), self.table
        parties, roles = table.parties, table.roles
        if isinstance(fact, f.Enacted):
            # Read this before the fold: in chaos the fold removes the top tile, and the reader needs the
            # length of the pile with it.
            self._read_enactment(fact)
        fact.fold(table)
        if kind in _READ:
            _READ[kind](self, fact)
        if table.parties is not parties or table.roles is not roles:
            self._read_shown_identities(parties, roles)

    def _read_shown_identities(
        self, parties: tuple[Party | None, ...], roles: tuple[Role | None, ...]
    ) -> None:
        """Take in parties and roles that were unknown, or that have changed."""
        table = self.table
        parties, roles = parties or (None,) * table.seats, roles or (None,) * table.seats
        for seat, known, role in zip(table.all_seats(), roles, table.roles, strict=True):
            if role != known and role is not None:
                self._restrict(seat, 1 << CORE.index(role) if role in CORE else ANY_BUT_HITLER)
        for seat, was, now in zip(table.all_seats(), parties, table.parties, strict=True):
            if now != was and now is not None:
                self.state = self.state.observe_party(seat, now)

    # --- evidence ----------------------------------------------------------------------------------

    def weigh(self, piece: Evidence | None) -> None:
        """Weigh a piece of evidence. If it is about two seats, allow for their conversions."""
        if isinstance(piece, TwoSeatEvidence):
            piece = evidence.allow_for_conversion(piece, self.state.conversion_probabilities)
        if piece is not None:
            self.state = self.state.weigh(piece)

    def _share_finding(self, make: Callable[[], Any]) -> Any:
        """Return the table's next finding. If the viewer is the table, make it.

        Every viewer must call this in the same order, because findings have no names.
        """
        found = make() if self._public is None else self._public[len(self.findings)]
        self.findings.append(found)
        return found

    def _update(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)

    def _restrict(self, seat: Seat, roles: int) -> None:
        self.state = self.state.restrict_roles(seat, roles)

    @property
    def _blind(self) -> bool:
        """True if players decide blindly now, with face-down cards."""
        return self.table.counters.get(BLINDFOLD, 0) > 0

    # --- roles and parties ------------------------------------------------------------------------

    def read_recognition(self, fact: f.Recognised) -> None:
        """Note a seat that the viewer knows from the start, and whether it is Hitler."""
        role = 1 << HITLER if fact.hitler else ANY_BUT_HITLER & OF_PARTY[fact.party]
        self._restrict(fact.seat, role)

    def read_smear(self, fact: Smeared) -> None:
        """Note that a smeared seat is not Hitler."""
        self._note_not_hitler(fact.target, "hitler-smeared")

    def _note_not_hitler(self, seat: Seat, ending: str) -> None:
        """Note that a seat is not Hitler, if the game would have ended otherwise."""
        if ending in self.game.board.endings:
            self._restrict(seat, ANY_BUT_HITLER)

    def read_suspects(self, fact: SuspectsShown) -> None:
        """Note that one of some seats is Hitler."""
        self.state = self.state.require_role_among(fact.suspects, HITLER)

    def read_conversion(self, fact: RecruitmentTried | ConversionTried) -> None:
        """Note that a seat may have been converted to a Communist. Not every viewer knows which seat."""
        if fact.target is None:
            self._add_conversion_of_anyone()
        else:
            self._add_conversion({fact.target: 1.0})

    def read_meeting(self, fact: MeetingEnded) -> None:
        """Note that the Communists may have converted somebody in a meeting."""
        if fact.power in ("recruitment", "radicalisation"):
            self._add_conversion_of_anyone()

    def _add_conversion_of_anyone(self) -> None:
        """Allow for a conversion of anyone living but the viewer, who would know.

        A living Communist learns who was chosen, so nothing is open for it.
        """
        viewer, table = self.game.viewer, self.table
        if viewer is not None and table.parties[viewer] == "communist" and table.alive[viewer]:
            return
        others = [seat for seat in table.living() if seat != viewer]
        communists = sum(self.state.party(seat, "communist") for seat in others)
        free = max(1.0, len(others) - communists)
        self._add_conversion(dict.fromkeys(others, min(1.0, communists) / free))

    def _add_conversion(self, shares: Mapping[Seat, float]) -> None:
        """Record how likely each seat was converted now."""
        before = zip(SEATS, self.state.conversion_probabilities, strict=False)
        probabilities = tuple(was + (1 - was) * shares.get(seat, 0.0) for seat, was in before)
        self._update(conversion_probabilities=probabilities)

    # --- elections and targets ---------------------------------------------------------------------

    def read_ballots(self, fact: f.Voted) -> None:
        """Weigh the ballots of an election, given how suspect the pair was."""
        president, chancellor = self.table.president, self.table.chancellor
        if self._blind or president is None or chancellor is None:
            return

        def make() -> BallotEvidence:
            suspicion = self.state.probability_either_not_liberal(president, chancellor)
            at_start = self.game.pair_suspicion_at_start
            return evidence.ballot_evidence(president, chancellor, fact.ballots, suspicion, at_start)

        self.weigh(self._share_finding(make))

    def read_confirmation(self, fact: f.ConfirmedNotHitler) -> None:
        """Note that a Chancellor elected in the Hitler zone is not Hitler, because the game goes on."""
        self._restrict(fact.seat, ANY_BUT_HITLER)

    def read_kill(self, fact: f.Killed) -> None:
        """Learn about the President and the target from a kill."""
        if fact.by is not None and fact.cause == "execution":
            rates, slope = likelihoods.KILLS, likelihoods.KILL_SLOPE
            self._read_target(fact.by, fact.seat, self.table.living(), rates, slope)
        self._note_not_hitler(fact.seat, "hitler-killed")

    def read_special_election(self, fact: f.SpecialElectionCalled) -> None:
        """Learn about the President and the target from a special election."""
        rates, slope = likelihoods.SPECIAL_ELECTIONS, likelihoods.SPECIAL_ELECTION_SLOPE
        self._read_target(fact.seat, fact.target, self.table.able(), rates, slope)

    def _read_target(
        self, by: Seat, target: Seat, seats: Sequence[Seat], rates: Mapping[int, Row], slope: float
    ) -> None:
        """Weigh a President's choice among ``seats`` and the target, by rates of ``ai.likelihoods``."""

        def make() -> TwoSeatEvidence:
            others = [seat for seat in seats if seat not in (by, target)] + [target]
            suspicions = [self.state.probability_not_of(seat, "liberal") for seat in others]
            return evidence.target_evidence(by, target, evidence.pick_ratio(suspicions, slope), rates)

        if not self._blind:
            self.weigh(self._share_finding(make))

    def read_investigation(self, fact: f.Investigated) -> None:
        """Learn about an inspector and the target from the inspector's claim. The viewer's own is skipped."""
        for claim in self.claims:
            if claim.kind == "party" and claim.seat == fact.seat and claim.seat != self.game.viewer:
                self.weigh(evidence.party_claim_evidence(fact.seat, fact.target, claim.said[0]))

    # --- legislative sessions ----------------------------------------------------------------------

    def read_draw(self, fact: f.Drew) -> None:
        """Begin a session, with what the viewer knows of the hand, and the claims about it."""
        chancellor = self.table.chancellor
        assert chancellor is not None
        size, top = len(fact.hand), self.state.top
        # A viewer who looked at that many tiles on top of the pile knows the hand.
        seen = count_colours(top[:size], self.colours) if size and len(top) >= size else None
        if seen is None:
            hands = hand_probabilities(self._pile(), size) or hand_probabilities({self.game.deck: 1.0}, size)
        else:
            hands = {seen: 1.0}
        session = KnownSession(fact.seat, chancellor, hands, blind=self._blind)
        session.drawn = self._known_counts(fact.hand) or seen
        self._update(top=())
        for claim in self.claims:
            said = self._claimed_counts(claim)
            if said is not None and claim.kind == "president" and claim.seat == session.president:
                session.said_by_president = said
            elif said is not None and claim.kind == "chancellor" and claim.seat == session.chancellor:
                session.said_by_chancellor = said
        self._session = session

    def _claimed_counts(self, claim: Claim) -> TileCounts | None:
        size = {"president": tiles.HAND, "chancellor": tiles.HAND - 1}.get(claim.kind)
        if size != len(claim.said) or any(word not in self.colours for word in claim.said):
            return None
        return count_colours(claim.said, self.colours)

    def read_discard(self, fact: f.Discarded) -> None:
        """Record the President's discard, if the viewer knows the tile."""
        session = self._session
        if session is not None and fact.tile != tiles.UNKNOWN and fact.seat == session.president:
            session.discarded = self._colour(fact.tile)

    def read_pass(self, fact: f.Passed) -> None:
        """Record that two tiles were passed to the Chancellor."""
        if self._session is not None:
            self._session.passed = self._known_counts(fact.hand)

    def _read_enactment(self, fact: f.Enacted) -> None:
        """Record an enacted tile: by chaos, by the session in progress, or in another way."""
        at = self._colour(fact.tile)
        one = tuple(int(at == number) for number in range(len(self.colours)))
        if fact.chaos:
            self._update(pile=remove_hand(self._pile(), {one: 1.0}), top=self.state.top[1:])
        elif self._session is not None:
            self._session.enacted = at
            self._end_session()
        self._update(loose=subtract(self.state.loose, one))

    def read_veto(self, fact: f.Vetoed) -> None:
        """End a session without a tile."""
        self._end_session()

    def _end_session(self) -> None:
        session, self._session = self._session, None
        assert session is not None
        # Share a finding even if it is replaced below: every viewer must ask for the same ones.
        piece, hands = self._share_finding(lambda: self._evaluate_session(session))
        if session.drawn is not None or session.passed is not None:
            piece, hands = self._evaluate_session(session)
        if session.drawn is not None:
            hands = {session.drawn: 1.0}
        self._update(pile=remove_hand(self._pile(), {hand: hands.get(hand, 0.0) for hand in session.hands}))
        self.weigh(piece)

    def weigh_open_session(self) -> None:
        """Weigh the session in progress, once tiles were passed to the Chancellor."""
        if self._session is not None and self._session.passed is not None:
            self.weigh(self._evaluate_session(self._session)[0])

    def _evaluate_session(self, session: KnownSession) -> tuple[TwoSeatEvidence | None, TileProbabilities]:
        """Return a session's evidence, and for each hand how likely it would lead to what was seen.

        The likelihoods do not include the probability of drawing the hand.
        """
        if session.blind:
            return None, dict.fromkeys(session.hands, 1.0)
        grid, courses = session_evidence(session, self.colours)
        hands: TileProbabilities = {}
        president, chancellor = self._by_role(session.president), self._by_role(session.chancellor)
        for course in courses:
            one = sum(map(mul, course.president_likelihoods, president))
            two = sum(map(mul, course.chancellor_likelihoods, chancellor))
            hands[course.hand] = hands.get(course.hand, 0.0) + one * two
        piece = None if grid is None else TwoSeatEvidence(session.president, session.chancellor, grid)
        return piece, hands

    def _by_role(self, seat: Seat) -> Row:
        return tuple(self.state.core(seat, role) for role in range(len(CORE)))

    # --- the draw pile -----------------------------------------------------------------------------

    def _colour(self, tile: str) -> int | None:
        name = colour(tile)
        return self.colours.index(name) if name in self.colours else None

    def _known_counts(self, seen: tuple[str, ...]) -> TileCounts | None:
        return None if not seen or tiles.UNKNOWN in seen else count_colours(seen, self.colours)

    def _pile(self) -> TileProbabilities:
        """Return the probabilities of the pile's content.

        If no content fits what was seen, start again from all tiles that are off the tracks.
        """
        if self.state.pile:
            return self.state.pile
        size = len(self.table.pile) + (len(self.table.hand) if self._session else 0)
        return hand_probabilities({self.state.loose: 1.0}, min(size, sum(self.state.loose)))

    def read_shuffle(self, fact: f.Shuffled) -> None:
        """Put all tiles that are off the tracks into the pile, or shuffle only the pile."""
        self._update(pile=self.state.pile if fact.discards_kept else {self.state.loose: 1.0}, top=())

    def read_peek(self, fact: f.Peeked) -> None:
        """Record that somebody saw the top of the pile."""
        if tiles.UNKNOWN not in fact.pile:
            self._update(top=fact.pile)

    def read_added_tiles(self, fact: TilesAdded) -> None:
        """Add new tiles to the draw pile."""
        new = count_colours(fact.tiles, self.colours)

        def more(counts: TileCounts) -> TileCounts:
            return tuple(have + come for have, come in zip(counts, new, strict=True))

        pile = {more(counts): weight for counts, weight in self._pile().items()}
        self._update(pile=pile, loose=more(self.state.loose), top=())

    def read_discarded_top(self, fact: TopDiscarded) -> None:
        """Record that the top tile of the pile was discarded. The seat that did so knows the tile."""
        at = self._colour(fact.tile) if fact.tile != tiles.UNKNOWN else None
        numbers = range(len(self.colours))
        hands = {tuple(int(number == one) for number in numbers): 1.0 for one in numbers if at in (None, one)}
        self._update(pile=remove_hand(self._pile(), hands), top=self.state.top[1:])

    def read_tile_off_track(self, fact: TileRemoved) -> None:
        """Take a tile off a track, to the discards or out of the game."""
        at = self._colour(fact.tile)
        if not fact.gone and at is not None:
            loose = tuple(count + (number == at) for number, count in enumerate(self.state.loose))
            self._update(loose=loose)


#: The reader of each kind of fact, in the published game and in the expansions.
_READ: dict[type[Fact], Callable[[RoundReader, Any], None]] = {
    f.Recognised: RoundReader.read_recognition,
    f.Voted: RoundReader.read_ballots,
    f.ConfirmedNotHitler: RoundReader.read_confirmation,
    f.Drew: RoundReader.read_draw,
    f.Discarded: RoundReader.read_discard,
    f.Passed: RoundReader.read_pass,
    f.Vetoed: RoundReader.read_veto,
    f.Shuffled: RoundReader.read_shuffle,
    f.Peeked: RoundReader.read_peek,
    f.Killed: RoundReader.read_kill,
    f.SpecialElectionCalled: RoundReader.read_special_election,
    f.Investigated: RoundReader.read_investigation,
    RecruitmentTried: RoundReader.read_conversion,
    MeetingEnded: RoundReader.read_meeting,
    TilesAdded: RoundReader.read_added_tiles,
    ConversionTried: RoundReader.read_conversion,
    SuspectsShown: RoundReader.read_suspects,
    Smeared: RoundReader.read_smear,
    TileRemoved: RoundReader.read_tile_off_track,
    TopDiscarded: RoundReader.read_discarded_top,
}


def read_deal(game: KnownGame, facts: Sequence[Fact]) -> State:
    """Return a viewer's state after the deal."""
    reader = RoundReader(before_the_deal(game), Table())
    reader.read(facts)
    return replace(after_the_deal(reader.state), table=reader.table)


def read_round(
    state: State, facts: Sequence[Fact], claims: Sequence[Claim], public: Findings | None
) -> tuple[State, Findings]:
    """Return a viewer's state after a round (or its first part), and the findings about it.

    ``public``: the table's findings about the same round; None if the viewer is the table.
    """
    reader = RoundReader(state, state.table.copy(), claims, public)
    reader.read(facts)
    reader.weigh_open_session()
    return replace(reader.state.refresh_sample(), table=reader.table), reader.findings
