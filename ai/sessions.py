"""What sessions tell: of the two who governed, and of what may lie in the draw pile."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ai import evidence as pieces
from ai.evidence import Evidence, Pair, Path, Session
from ai.likelihoods import CORE
from ai.odds import Make, Odds, hand_odds, made_of, subtract, taken
from ai.state import Base, State
from engine import facts as f
from engine import tiles
from engine.claim import Claim, colour
from engine.table import BLINDFOLD, Table

#: What the table weighed, by what it was about ("session", "ballots", "killed" …) and how often in the round.
Notes = dict[tuple[str, int], Any]


@dataclass(slots=True)
class Sessions:
    """One round being read by one viewer: its legislation."""

    state: State
    table: Table
    claims: Sequence[Claim]
    #: What the table made of this round; None where the table itself reads.
    public: Notes | None
    notes: Notes = field(default_factory=dict)
    session: Session | None = None
    counted: dict[str, int] = field(default_factory=dict)

    @property
    def base(self) -> Base:
        """What does not change in the game."""
        return self.state.base

    @property
    def blind(self) -> bool:
        """Whether nobody sees what they decide on."""
        return self.table.counters.get(BLINDFOLD, 0) > 0

    # --- from the table to the seats ---------------------------------------------------------------

    def shared(self, about: str, make: Callable[[], Any]) -> Any:
        """What the table made of something: worked out where the table reads, else taken over."""
        key = (about, self.counted.get(about, 0))
        self.counted[about] = key[1] + 1
        if self.public is not None and key in self.public:
            return self.public[key]
        found = self.notes[key] = make()
        return found

    def weigh(self, evidence: Evidence | None) -> None:
        """Take evidence in."""
        if evidence is not None:
            self.state = self.state.weighed(self._turned(evidence))

    def _turned(self, evidence: Evidence) -> Evidence:
        turned = self.state.turned
        if isinstance(evidence, Pair) and (turned[evidence.first] or turned[evidence.second]):
            first, second = turned[evidence.first], turned[evidence.second]
            return replace(evidence, table=pieces.turned_into(evidence.table, first, second))
        return evidence

    # --- legislation -------------------------------------------------------------------------------

    def drew(self, fact: f.Drew) -> None:
        """A session begins."""
        state, table = self.state, self.table
        assert table.chancellor is not None
        session = Session(fact.seat, table.chancellor, self._next_hand(len(fact.hand)), blind=self.blind)
        # Who looked at the pile knows what the next President drew.
        session.drawn = self._make(fact.hand) or self._foreseen(len(fact.hand))
        self.state = replace(state, top=())
        for claim in self.claims:
            said = self._said(claim)
            if said is not None and claim.kind == "president" and claim.seat == session.president:
                session.said_by_president = said
            elif said is not None and claim.kind == "chancellor" and claim.seat == session.chancellor:
                session.said_by_chancellor = said
        self.session = session

    def _foreseen(self, size: int) -> Make | None:
        """So many tiles on top of the pile, where the viewer saw them all."""
        top = self.state.top
        return made_of(top[:size], self.base.colours) if size and len(top) >= size else None

    def _next_hand(self, size: int) -> Odds:
        seen = self._foreseen(size)
        if seen is not None:
            return {seen: 1.0}
        return hand_odds(self._pile(), size) or hand_odds({self.base.deck: 1.0}, size)

    def _pile(self) -> Odds:
        """Odds of the pile, made anew from what is loose where nothing fitted any more."""
        if self.state.pile:
            return self.state.pile
        size = len(self.table.pile) + (len(self.table.hand) if self.session else 0)
        return hand_odds({self.state.loose: 1.0}, min(size, sum(self.state.loose)))

    def _make(self, seen: tuple[str, ...]) -> Make | None:
        if not seen or tiles.UNKNOWN in seen:
            return None
        return made_of(seen, self.base.colours)

    def _said(self, claim: Claim) -> Make | None:
        size = {"president": tiles.HAND, "chancellor": tiles.HAND - 1}.get(claim.kind)
        if size != len(claim.said) or any(word not in self.base.colours for word in claim.said):
            return None
        return made_of(claim.said, self.base.colours)

    def discarded(self, fact: f.Discarded) -> None:
        """A tile went face down: the President's, where three were held."""
        session = self.session
        if session is not None and fact.tile != tiles.UNKNOWN and fact.seat == session.president:
            session.discarded = self._colour(fact.tile)

    def passed(self, fact: f.Passed) -> None:
        """Two tiles went on to the Chancellor."""
        if self.session is not None:
            self.session.passed = self._make(fact.hand)

    def _colour(self, tile: str) -> int | None:
        name = colour(tile)
        return self.base.colours.index(name) if name in self.base.colours else None

    def enacted(self, fact: f.Enacted) -> None:
        """A tile was played: by chaos, by the session that goes on, or besides it."""
        at = self._colour(fact.tile)
        one = tuple(int(at == number) for number in range(len(self.base.colours)))
        if fact.chaos:
            pile = taken(self._pile(), {one: 1.0})
            self.state = replace(self.state, pile=pile, top=self.state.top[1:])
        elif self.session is not None:
            self.session.enacted = at
            self._end_session()
        self.state = replace(self.state, loose=subtract(self.state.loose, one))

    def vetoed(self, fact: f.Vetoed) -> None:
        """A session ended without a tile."""
        self._end_session()

    def _end_session(self) -> None:
        session, self.session = self.session, None
        assert session is not None
        # Counted also where it is not used: the round's next session is the table's next one.
        evidence, hands = self.shared("session", lambda: self._weigh_session(session))
        if session.drawn is not None or session.passed is not None:
            evidence, hands = self._weigh_session(session)
        if session.drawn is not None:
            hands = {session.drawn: 1.0}
        pile = taken(self._pile(), {hand: hands.get(hand, 0.0) for hand in session.hands})
        self.state = replace(self.state, pile=pile)
        self.weigh(evidence)

    def _weigh_session(self, session: Session) -> tuple[Pair | None, Odds]:
        """Evidence of a session, and how likely each hand makes what was seen (times any number)."""
        if session.blind:
            return None, dict.fromkeys(session.hands, 1.0)
        table, ways = pieces.government(session, self.base.colours)
        hands: Odds = {}
        of = [self._by_role(seat) for seat in (session.president, session.chancellor)]
        for way in ways:
            hands[way.hand] = hands.get(way.hand, 0.0) + _likely(way, of[0], of[1])
        evidence = None if table is None else Pair(session.president, session.chancellor, table)
        return evidence, hands

    def _by_role(self, seat: int) -> tuple[float, ...]:
        return tuple(self.state.core(seat, role) for role in range(len(CORE)))

    def shuffled(self, fact: f.Shuffled) -> None:
        """All that is loose lies in the pile again, or the pile alone was shuffled."""
        pile = self.state.pile if fact.discards_kept else {self.state.loose: 1.0}
        self.state = replace(self.state, pile=pile, top=())

    def added(self, new_tiles: tuple[str, ...]) -> None:
        """New tiles came into the pile."""
        new = made_of(new_tiles, self.base.colours)

        def more(make: Make) -> Make:
            return tuple(have + come for have, come in zip(make, new, strict=True))

        pile = {more(make): weight for make, weight in self._pile().items()}
        self.state = replace(self.state, pile=pile, loose=more(self.state.loose), top=())

    def returned(self, tile: str) -> None:
        """A tile came off a track: it lies among the discards again."""
        at = self._colour(tile)
        if at is not None:
            loose = tuple(count + (number == at) for number, count in enumerate(self.state.loose))
            self.state = replace(self.state, loose=loose)

    def skimmed(self, tile: str) -> None:
        """The top tile of the pile was thrown away; who threw it knows it."""
        at = self._colour(tile) if tile != tiles.UNKNOWN else None
        numbers = range(len(self.base.colours))
        hands = {tuple(int(number == one) for number in numbers): 1.0 for one in numbers if at in (None, one)}
        self.state = replace(self.state, pile=taken(self._pile(), hands), top=self.state.top[1:])

    def peeked(self, fact: f.Peeked) -> None:
        """Somebody saw the top of the pile."""
        if tiles.UNKNOWN not in fact.pile:
            self.state = replace(self.state, top=fact.pile)


def _likely(way: Path, president: Sequence[float], chancellor: Sequence[float]) -> float:
    one = sum(share * odds for share, odds in zip(way.president, president, strict=True))
    two = sum(share * odds for share, odds in zip(way.chancellor, chancellor, strict=True))
    return one * two
