"""Evidence: the likelihoods of what was seen, by the core roles of the seats that did it.

Each piece is about few seats, so it is a small table that is looked up for each world. Only the ratios
between a table's values matter.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from operator import mul

from ai import likelihoods
from ai.likelihoods import COMMUNIST, CORE, FASCIST, HITLER, LIBERAL
from ai.worlds import Worlds

ROLES = range(len(CORE))
#: The parties in a pair: 1 for Fascists, 2 for Communists, 3 for both, 0 for neither.
SIDES = range(4)
#: This many voters' roles fit into one byte together with the sides of the pair.
TOGETHER = 3
#: One value per core role.
Row = tuple[float, ...]
#: One weight per world.
Weights = list[float]


@dataclass(frozen=True, slots=True)
class Pair:
    """Evidence about two seats: ``table[4 * role of first + role of second]``."""

    first: int
    second: int
    table: Row

    def weigh(self, weights: Iterable[float], worlds: Worlds) -> Weights:
        """Return the weights with this evidence."""
        return list(map(mul, weights, map(self.table.__getitem__, worlds.pair(self.first, self.second))))


@dataclass(frozen=True, slots=True)
class Ballots:
    """Evidence from the ballots on a pair. ``Worlds.ballots`` makes the keys of the tables."""

    president: int
    chancellor: int
    #: Up to three voters, and a table for their ballots together.
    tables: tuple[tuple[tuple[int, ...], Row], ...]

    def weigh(self, weights: Iterable[float], worlds: Worlds) -> Weights:
        """Return the weights with this evidence."""
        for voters, table in self.tables:
            keys = worlds.ballots(voters, self.president, self.chancellor)
            weights = map(mul, weights, map(table.__getitem__, keys))
        return list(weights)


Evidence = Pair | Ballots


def ballot_evidence(
    president: int, chancellor: int, cast: Sequence[str | None], suspicion: float, usual: float
) -> Ballots:
    """Return the evidence of ballots, given how suspect the pair was to the table.

    ``usual``: the suspicion of any pair at the start of the game.
    """
    ja = {(role, side): ja_rate(role, side, suspicion - usual) for role in ROLES for side in SIDES}
    rows = {}
    for vote in ("ja", "nein"):
        row = []
        for role in ROLES:
            for side in SIDES:
                one, plain = ja[role, side], ja[LIBERAL, 0]
                ratio = one / plain if vote == "ja" else (1 - one) / (1 - plain)
                row.append(ratio**likelihoods.BALLOT_TEMPER)
        rows[vote] = tuple(row)
    # Group voters who voted alike, so that few different tables are needed.
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
    """Join the tables of several voters. Each one's index is ``4 * the voter's role + sides of the pair``."""
    table = (1.0,) * len(SIDES)
    for row in rows:
        table = tuple(row[4 * role + at % 4] * value for role in ROLES for at, value in enumerate(table))
    return table


def ja_rate(role: int, sides: int, suspicion: float) -> float:
    """Return how often people of a core role vote Ja.

    ``suspicion``: how much more suspect the pair is to the table than any pair at the start. ``sides``: the
    parties that are in the pair (see ``SIDES``).
    """
    own = sides & 2 if role == COMMUNIST else sides & 1
    gain = likelihoods.BALLOT_OWN[role] if own else likelihoods.BALLOT_NONE[role]
    return 1 / (1 + exp(-(likelihoods.BALLOT_LEVEL - likelihoods.BALLOT_SLOPE[role] * suspicion + gain)))


def kill_evidence(killer: int, target: int, odds: float) -> Pair:
    """Return the evidence of a killing.

    ``odds``: how often a Liberal would have picked this target, compared to a random pick.
    """
    return _target_evidence(killer, target, odds, likelihoods.KILLS)


def special_election_evidence(caller: int, target: int, odds: float) -> Pair:
    """Return the evidence of a call to a special election. ``odds``: as for a killing."""
    return _target_evidence(caller, target, odds, likelihoods.CALLS)


def _target_evidence(seat: int, target: int, odds: float, rows: Mapping[int, Row]) -> Pair:
    table = []
    for role in ROLES:
        row = (odds,) * len(CORE) if role == LIBERAL else rows[role]
        table += [max(0.02, value) ** likelihoods.TARGET_TEMPER for value in row]
    return Pair(seat, target, tuple(table))


def pick_ratio(suspicions: Sequence[float], at: int, slope: float) -> float:
    """Return how often a Liberal picks the seat at index ``at``, compared to a random pick."""
    weights = [exp(slope * value) for value in suspicions]
    return len(weights) * weights[at] / sum(weights)


def party_claim_evidence(seat: int, target: int, said: str) -> Pair:
    """Return the evidence of an inspector's claim about its target's party."""
    table = []
    for role in ROLES:
        for other in ROLES:
            table.append(max(0.002, _party_claim_rate(role, other, said)) ** likelihoods.PARTY_CLAIM_TEMPER)
    return Pair(seat, target, tuple(table))


def _party_claim_rate(role: int, other: int, said: str) -> float:
    party, own = likelihoods.PARTY[other], likelihoods.PARTY[role]
    if other == LIBERAL:
        bad = likelihoods.CALLS_LIBERAL_BAD[role]
        return 1 - bad if said == "liberal" else bad
    if role == LIBERAL or party != own:
        truth = (
            likelihoods.TELLS_OF_OTHERS[role]
            if role != LIBERAL
            else 1 - likelihoods.CALLS_FELLOW_LIBERAL[LIBERAL]
        )
        return truth if said == party else (1 - truth) / 2
    good = (
        likelihoods.CALLS_HITLER_LIBERAL
        if (role, other) == (FASCIST, HITLER)
        else likelihoods.CALLS_FELLOW_LIBERAL[role]
    )
    if said == "liberal":
        return good
    return 1 - good if said == party else 0.02


def allow_for_conversion(table: Row, first: float, second: float) -> Row:
    """Return a pair's table, averaged over whether each of the two was converted, by probability."""
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
