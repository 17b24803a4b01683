"""Read legislative sessions: evidence about the two who governed, and the probabilities of the draw pile."""

from collections.abc import Sequence

from ai.evidence import TwoSeatEvidence
from ai.likelihoods import CORE
from ai.odds import TileCounts, TileProbabilities, count_colours, hand_probabilities, remove_hand, subtract
from ai.reader_context import ReaderContext
from ai.sessions import Course, KnownSession, session_evidence
from engine import Seat, tiles
from engine import facts as f
from engine.claim import Claim, colour


class LegislationReader:
    """Follows the tiles through one round, for one viewer."""

    def __init__(self, context: ReaderContext) -> None:
        self.context = context
        self.colours = context.game.colours
        #: The session in progress.
        self.session: KnownSession | None = None

    def read_draw(self, fact: f.Drew) -> None:
        """Begin a session, with what the viewer knows of the hand, and the claims about it."""
        context, chancellor = self.context, self.context.table.chancellor
        assert chancellor is not None
        session = KnownSession(fact.seat, chancellor, self._next_hand(len(fact.hand)), blind=context.blind)
        # A viewer who looked at the pile knows what the next President drew.
        session.drawn = self._known_counts(fact.hand) or self._foreseen(len(fact.hand))
        context.update(top=())
        for claim in context.claims:
            said = self._claimed_counts(claim)
            if said is not None and claim.kind == "president" and claim.seat == session.president:
                session.said_by_president = said
            elif said is not None and claim.kind == "chancellor" and claim.seat == session.chancellor:
                session.said_by_chancellor = said
        self.session = session

    def _foreseen(self, size: int) -> TileCounts | None:
        """Return the hand if the viewer saw that many tiles on top of the pile."""
        top = self.context.state.top
        return count_colours(top[:size], self.colours) if size and len(top) >= size else None

    def _next_hand(self, size: int) -> TileProbabilities:
        seen = self._foreseen(size)
        if seen is not None:
            return {seen: 1.0}
        return hand_probabilities(self._pile(), size) or hand_probabilities(
            {self.context.game.deck: 1.0}, size
        )

    def _pile(self) -> TileProbabilities:
        """Return the probabilities of the pile's content.

        If no content fits what was seen, start again from all tiles that are off the tracks.
        """
        if self.context.state.pile:
            return self.context.state.pile
        size = len(self.context.table.pile) + (len(self.context.table.hand) if self.session else 0)
        return hand_probabilities({self.context.state.loose: 1.0}, min(size, sum(self.context.state.loose)))

    def _known_counts(self, seen: tuple[str, ...]) -> TileCounts | None:
        if not seen or tiles.UNKNOWN in seen:
            return None
        return count_colours(seen, self.colours)

    def _claimed_counts(self, claim: Claim) -> TileCounts | None:
        size = {"president": tiles.HAND, "chancellor": tiles.HAND - 1}.get(claim.kind)
        if size != len(claim.said) or any(word not in self.colours for word in claim.said):
            return None
        return count_colours(claim.said, self.colours)

    def read_discard(self, fact: f.Discarded) -> None:
        """Record the President's discard, if the viewer knows the tile."""
        session = self.session
        if session is not None and fact.tile != tiles.UNKNOWN and fact.seat == session.president:
            session.discarded = self._colour(fact.tile)

    def read_pass(self, fact: f.Passed) -> None:
        """Record that two tiles were passed to the Chancellor."""
        if self.session is not None:
            self.session.passed = self._known_counts(fact.hand)

    def _colour(self, tile: str) -> int | None:
        name = colour(tile)
        return self.colours.index(name) if name in self.colours else None

    def read_enactment(self, fact: f.Enacted) -> None:
        """Record an enacted tile: by chaos, by the session in progress, or in another way."""
        at = self._colour(fact.tile)
        one = tuple(int(at == number) for number in range(len(self.colours)))
        if fact.chaos:
            pile = remove_hand(self._pile(), {one: 1.0})
            self.context.update(pile=pile, top=self.context.state.top[1:])
        elif self.session is not None:
            self.session.enacted = at
            self._end_session()
        self.context.update(loose=subtract(self.context.state.loose, one))

    def read_veto(self, fact: f.Vetoed) -> None:
        """End a session without a tile."""
        self._end_session()

    def _end_session(self) -> None:
        session, self.session = self.session, None
        assert session is not None
        # Share a finding even if it is replaced below: findings are numbered, so every viewer must ask for
        # the same ones in the same order.
        piece, hands = self.context.share_finding("session", lambda: self.evaluate_session(session))
        if session.drawn is not None or session.passed is not None:
            piece, hands = self.evaluate_session(session)
        if session.drawn is not None:
            hands = {session.drawn: 1.0}
        pile = remove_hand(self._pile(), {hand: hands.get(hand, 0.0) for hand in session.hands})
        self.context.update(pile=pile)
        self.context.weigh(piece)

    def evaluate_session(self, session: KnownSession) -> tuple[TwoSeatEvidence | None, TileProbabilities]:
        """Return a session's evidence, and for each hand how likely it would lead to what was seen.

        The likelihoods do not include the probability of drawing the hand.
        """
        if session.blind:
            return None, dict.fromkeys(session.hands, 1.0)
        grid, courses = session_evidence(session, self.colours)
        hands: TileProbabilities = {}
        president, chancellor = self._by_role(session.president), self._by_role(session.chancellor)
        for course in courses:
            hands[course.hand] = hands.get(course.hand, 0.0) + _likelihood(course, president, chancellor)
        piece = None if grid is None else TwoSeatEvidence(session.president, session.chancellor, grid)
        return piece, hands

    def _by_role(self, seat: Seat) -> tuple[float, ...]:
        return tuple(self.context.state.core(seat, role) for role in range(len(CORE)))

    def read_shuffle(self, fact: f.Shuffled) -> None:
        """Put all tiles that are off the tracks into the pile, or shuffle only the pile."""
        pile = self.context.state.pile if fact.discards_kept else {self.context.state.loose: 1.0}
        self.context.update(pile=pile, top=())

    def read_added_tiles(self, new_tiles: tuple[str, ...]) -> None:
        """Note that new tiles came into the pile."""
        new = count_colours(new_tiles, self.colours)

        def more(counts: TileCounts) -> TileCounts:
            return tuple(have + come for have, come in zip(counts, new, strict=True))

        pile = {more(counts): weight for counts, weight in self._pile().items()}
        self.context.update(pile=pile, loose=more(self.context.state.loose), top=())

    def read_tile_off_track(self, tile: str) -> None:
        """Add a tile that came off a track to the tiles off the tracks."""
        at = self._colour(tile)
        if at is not None:
            loose = tuple(count + (number == at) for number, count in enumerate(self.context.state.loose))
            self.context.update(loose=loose)

    def read_discarded_top(self, tile: str) -> None:
        """Record that the top tile of the pile was discarded. The seat that did so knows the tile."""
        at = self._colour(tile) if tile != tiles.UNKNOWN else None
        numbers = range(len(self.colours))
        hands = {tuple(int(number == one) for number in numbers): 1.0 for one in numbers if at in (None, one)}
        self.context.update(pile=remove_hand(self._pile(), hands), top=self.context.state.top[1:])

    def read_peek(self, fact: f.Peeked) -> None:
        """Record that somebody saw the top of the pile."""
        if tiles.UNKNOWN not in fact.pile:
            self.context.update(top=fact.pile)


def _likelihood(course: Course, president_roles: Sequence[float], chancellor_roles: Sequence[float]) -> float:
    """Return a course's likelihood, given the probabilities of the roles of the two."""
    one = sum(share * role for share, role in zip(course.president_likelihoods, president_roles, strict=True))
    two = sum(
        share * role for share, role in zip(course.chancellor_likelihoods, chancellor_roles, strict=True)
    )
    return one * two
