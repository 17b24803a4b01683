"""Evidence: what was seen, as likelihoods by the core roles of those who did it.

Each piece touches few seats, so that it is a small table, looked up for each world. Tables are relative:
only ratios between roles matter.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb, exp
from operator import mul

from ai import likelihoods as known
from ai.likelihoods import COMMUNIST, CORE, FASCIST, HITLER, LIBERAL
from ai.odds import Make, Odds
from ai.worlds import Worlds

ROLES = range(len(CORE))
#: Who is in a pair: 1 where there are Fascists, 2 where there are Communists, or both, or neither.
SIDES = range(4)
#: So many voters' roles fit into one byte beside the sides of the pair.
TOGETHER = 3
#: A value by core role.
Row = tuple[float, ...]
#: By world, a weight.
Weights = list[float]


@dataclass(frozen=True, slots=True)
class Pair:
    """Evidence about two seats: ``table[4 * role of first + role of second]``."""

    first: int
    second: int
    table: Row

    def weigh(self, weights: Iterable[float], worlds: Worlds) -> Weights:
        """The weights with this evidence."""
        return list(map(mul, weights, map(self.table.__getitem__, worlds.pair(self.first, self.second))))


@dataclass(frozen=True, slots=True)
class Ballots:
    """Ballots about a pair: a table for up to three voters together, as ``Worlds.ballots`` looks it up."""

    president: int
    chancellor: int
    tables: tuple[tuple[tuple[int, ...], Row], ...]

    def weigh(self, weights: Iterable[float], worlds: Worlds) -> Weights:
        """The weights with this evidence."""
        for voters, table in self.tables:
            keys = worlds.ballots(voters, self.president, self.chancellor)
            weights = map(mul, weights, map(table.__getitem__, keys))
        return list(weights)


Evidence = Pair | Ballots


@dataclass(slots=True)
class Session:
    """A legislative session, as far as it is known: tiles as numbers of each colour."""

    president: int
    chancellor: int
    #: Odds of the hand, from the pile.
    hands: Odds = field(default_factory=dict)
    drawn: Make | None = None
    passed: Make | None = None
    #: Colours by number. Enacted is None while nothing is, and after a veto.
    discarded: int | None = None
    enacted: int | None = None
    #: What the two claimed.
    said_by_president: Make | None = None
    said_by_chancellor: Make | None = None
    blind: bool = False


@dataclass(frozen=True, slots=True)
class Path:
    """One way in which a session may have gone: its hand and what each of the two makes of it, by role."""

    hand: Make
    president: Row
    chancellor: Row


def paths(session: Session, colours: Sequence[str]) -> list[Path]:
    """Every way that fits what is known of a session, with likelihoods by role (the hand's odds left out)."""
    found = []
    hands = session.hands if session.drawn is None else {session.drawn: 1.0}
    for hand in hands:
        for gone, discards in _discards(hand, colours):
            if session.discarded not in (None, gone):
                continue
            passed = less(hand, gone)
            if session.passed is not None and passed != session.passed:
                continue
            if session.enacted is None:
                found.append(Path(hand, discards, (1.0,) * len(CORE)))
            elif passed[session.enacted]:
                enacts = _enacts(passed, session.enacted, colours)
                told = _president_says(session, hand, gone, passed, colours)
                said = _chancellor_says(session, passed, colours)
                found.append(Path(hand, tuple(map(mul, discards, told)), tuple(map(mul, enacts, said))))
    return found


def government(session: Session, colours: Sequence[str]) -> tuple[Row | None, list[Path]]:
    """What a session tells of the two roles (a table for ``Pair``), and the ways in which it may have gone.

    None for the table where it tells nothing that could have been.
    """
    ways = paths(session, colours)
    table = [0.0] * (len(CORE) * len(CORE))
    for way in ways:
        odds = session.hands.get(way.hand, 0.0) if session.drawn is None else 1.0
        for role in ROLES:
            share = odds * way.president[role]
            for other in ROLES:
                table[4 * role + other] += share * way.chancellor[other]
    if not all(value > 0 for value in table):
        return None, ways
    return tuple(value**known.GOVERNMENT_TEMPER for value in table), ways


def less(make: Make, colour: int) -> Make:
    """A make-up without one tile of a colour."""
    return tuple(count - (at == colour) for at, count in enumerate(make))


def _discards(hand: Make, colours: Sequence[str]) -> list[tuple[int, Row]]:
    """Each colour that a President may discard, with its likelihood by role."""
    there = [at for at, count in enumerate(hand) if count]
    if len(there) == 1:
        return [(there[0], (1.0,) * len(CORE))]
    liberal = colours.index("liberal") if "liberal" in colours else -1
    others = [at for at in there if at != liberal]
    first: Row = (0.0,) * len(CORE)
    found: list[tuple[int, Row]] = []
    if liberal in there:
        first = known.DISCARDS_ONLY_LIBERAL if hand[liberal] == 1 else known.DISCARDS_SPARE_LIBERAL
        found.append((liberal, first))
    for at in others:
        shares = []
        for role in ROLES:
            dislike = {other: 1 / _liking(colours[other], role) for other in others}
            shares.append((1 - first[role]) * dislike[at] / sum(dislike.values()))
        found.append((at, tuple(shares)))
    return found


def _enacts(passed: Make, enacted: int, colours: Sequence[str]) -> Row:
    """How likely each role enacts this colour of two tiles."""
    there = [at for at, count in enumerate(passed) if count]
    if len(there) == 1:
        return (1.0,) * len(CORE)
    other = there[0] if there[1] == enacted else there[1]
    if colours[other] == "liberal":
        return known.ENACTS_AGAINST_LIBERAL.get(colours[enacted], known.ENACTS_AGAINST_LIBERAL["card"])
    if colours[enacted] == "liberal":
        against = known.ENACTS_AGAINST_LIBERAL.get(colours[other], known.ENACTS_AGAINST_LIBERAL["card"])
        return tuple(1 - share for share in against)
    likes = [(_liking(colours[enacted], role), _liking(colours[other], role)) for role in ROLES]
    return tuple(one / (one + two) for one, two in likes)


def _liking(colour: str, role: int) -> float:
    return known.LIKES.get(colour, known.LIKES["card"])[role]


def _president_says(session: Session, hand: Make, gone: int, passed: Make, colours: Sequence[str]) -> Row:
    said, enacted = session.said_by_president, session.enacted
    if said is None or enacted is None:
        return (1.0,) * len(CORE)
    return _says(said, hand, president_tells(hand, gone, enacted, colours), claims_of(colours, 3))


def _chancellor_says(session: Session, passed: Make, colours: Sequence[str]) -> Row:
    said, enacted = session.said_by_chancellor, session.enacted
    if said is None or enacted is None:
        return (1.0,) * len(CORE)
    return _says(said, passed, chancellor_tells(passed, enacted, colours), claims_of(colours, 2))


def president_tells(hand: Make, gone: int, enacted: int, colours: Sequence[str]) -> list[tuple[Make, float]]:
    """What a President who is no Liberal claims of a hand, with how often; the rest is spread over all else.

    ``gone``: the colour it discarded; ``enacted``: what the Chancellor played.
    """
    if "liberal" not in colours or enacted == (liberal := colours.index("liberal")):
        return [(hand, known.OTHERS_TELL_TRUTH)]
    if gone == liberal:
        return [(hand, known.ADMITS_CHOICE), (swapped(hand, liberal, enacted), known.HIDES_CHOICE)]
    if hand[liberal]:
        covers = (swapped(hand, liberal, enacted), known.COVERS)
        return [(hand, known.OTHERS_TELL_TRUTH - known.COVERS), covers]
    blames = (swapped(hand, enacted, liberal), known.BLAMES)
    return [(hand, known.OTHERS_TELL_TRUTH - known.BLAMES), blames]


def chancellor_tells(passed: Make, enacted: int, colours: Sequence[str]) -> list[tuple[Make, float]]:
    """The same of a Chancellor and its two tiles."""
    if "liberal" in colours and enacted != (liberal := colours.index("liberal")) and passed[liberal]:
        return [(passed, known.ADMITS_CHOICE), (swapped(passed, liberal, enacted), known.HIDES_CHOICE)]
    return [(passed, known.OTHERS_TELL_TRUTH)]


def _says(said: Make, truth: Make, special: Sequence[tuple[Make, float]], claims: int) -> Row:
    """How likely each role says this: Liberals the truth, others by a list, the rest evenly."""
    others = max(1, claims - 1)
    liberal = known.LIBERAL_TELLS_TRUTH if said == truth else (1 - known.LIBERAL_TELLS_TRUTH) / others
    rest = (1 - sum(share for _, share in special)) / max(1, claims - len(special))
    lying = next((share for make, share in special if make == said), rest)
    return (liberal, lying, lying, lying)


def swapped(make: Make, gone: int, instead: int) -> Make:
    """A make-up with one tile of a colour called another one."""
    return tuple(
        count - (at == gone) + (at == instead) if gone != instead else count for at, count in enumerate(make)
    )


def claims_of(colours: Sequence[str], size: int) -> int:
    """How many different claims of a hand of this size there are."""
    return comb(len(colours) + size - 1, size)


def ballots(
    president: int, chancellor: int, cast: Sequence[str | None], suspicion: float, usual: float
) -> Ballots:
    """What ballots tell, given how suspect the pair was to everybody (``usual``: any pair at first)."""
    ja = {(role, side): voting(role, side, suspicion - usual) for role in ROLES for side in SIDES}
    rows = {}
    for vote in ("ja", "nein"):
        row = []
        for role in ROLES:
            for side in SIDES:
                one, plain = ja[role, side], ja[LIBERAL, 0]
                ratio = one / plain if vote == "ja" else (1 - one) / (1 - plain)
                row.append(ratio**known.BALLOT_TEMPER)
        rows[vote] = tuple(row)
    # Those who voted alike together: few different tables are needed.
    voters = sorted(
        (vote, seat)
        for seat, vote in enumerate(cast)
        if vote is not None and seat not in (president, chancellor)
    )
    tables: dict[tuple[str, ...], Row] = {}
    found = []
    for at in range(0, len(voters), TOGETHER):
        votes, seats = zip(*voters[at : at + TOGETHER], strict=True)
        if votes not in tables:
            tables[votes] = _together([rows[vote] for vote in votes])
        found.append((seats, tables[votes]))
    return Ballots(president, chancellor, tuple(found))


def _together(rows: Sequence[Row]) -> Row:
    """One table for some voters, from a table of each by ``4 * its role + sides of the pair``."""
    table = (1.0,) * len(SIDES)
    for row in rows:
        table = tuple(row[4 * role + at % 4] * value for role in ROLES for at, value in enumerate(table))
    return table


def voting(role: int, sides: int, suspicion: float) -> float:
    """How often people of a core role vote Ja for a pair so much more suspect than any at first.

    ``sides``: 1 where Fascists, 2 where Communists are in it, as the voter knows.
    """
    own = sides & 2 if role == COMMUNIST else sides & 1
    gain = known.BALLOT_OWN[role] if own else known.BALLOT_NONE[role]
    return 1 / (1 + exp(-(known.BALLOT_LEVEL - known.BALLOT_SLOPE[role] * suspicion + gain)))


def killing(killer: int, target: int, odds: float) -> Pair:
    """Whom a President killed; ``odds``: how often a Liberal would have picked it, compared to a lot."""
    return _aimed(killer, target, odds, known.KILLS)


def calling(caller: int, target: int, odds: float) -> Pair:
    """Whom a President called to a special election; ``odds`` as for a killing."""
    return _aimed(caller, target, odds, known.CALLS)


def _aimed(seat: int, target: int, odds: float, rows: Mapping[int, Row]) -> Pair:
    table = []
    for role in ROLES:
        row = (odds,) * len(CORE) if role == LIBERAL else rows[role]
        table += [max(0.02, value) ** known.TARGET_TEMPER for value in row]
    return Pair(seat, target, tuple(table))


def picked(suspicions: Sequence[float], at: int, slope: float) -> float:
    """How often a Liberal picks the one at ``at`` of these, compared to a lot."""
    weights = [exp(slope * value) for value in suspicions]
    return len(weights) * weights[at] / sum(weights)


def party_claim(seat: int, target: int, said: str) -> Pair:
    """What an inspector said of its target's party."""
    table = []
    for role in ROLES:
        for other in ROLES:
            table.append(max(0.002, _calls(role, other, said)) ** known.PARTY_CLAIM_TEMPER)
    return Pair(seat, target, tuple(table))


def _calls(role: int, other: int, said: str) -> float:
    party, own = known.PARTY[other], known.PARTY[role]
    if other == LIBERAL:
        bad = known.CALLS_LIBERAL_BAD[role]
        return 1 - bad if said == "liberal" else bad
    if role == LIBERAL or party != own:
        truth = known.TELLS_OF_OTHERS[role] if role != LIBERAL else 1 - known.CALLS_FELLOW_LIBERAL[LIBERAL]
        return truth if said == party else (1 - truth) / 2
    good = (
        known.CALLS_HITLER_LIBERAL if (role, other) == (FASCIST, HITLER) else known.CALLS_FELLOW_LIBERAL[role]
    )
    if said == "liberal":
        return good
    return 1 - good if said == party else 0.02


def turned_into(table: Row, first: float, second: float) -> Row:
    """A pair's table where the two may have become Communists meanwhile, with these probabilities."""
    if not first and not second:
        return table
    found = []
    for role in ROLES:
        one = first if role in (LIBERAL, FASCIST) else 0.0
        for other in ROLES:
            two = second if other in (LIBERAL, FASCIST) else 0.0
            found.append(
                (1 - one) * ((1 - two) * table[4 * role + other] + two * table[4 * role + COMMUNIST])
                + one * ((1 - two) * table[4 * COMMUNIST + other] + two * table[4 * COMMUNIST + COMMUNIST])
            )
    return tuple(found)
