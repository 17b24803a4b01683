"""Evidence: the likelihoods of what was seen, by the core roles of the seats that did it.

Each piece is about few seats, so it is a small grid of numbers that is looked up for each world. Only the
ratios between a grid's values matter.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import exp
from operator import mul

from ai import likelihoods
from ai.likelihoods import COMMUNIST, CORE, FASCIST, HITLER, LIBERAL
from ai.worlds import Worlds
from engine import SEATS, Seat
from engine.frozen import frozen

ROLES = range(len(CORE))
#: The parties in a pair: 1 for Fascists, 2 for Communists, 3 for both, 0 for neither.
SIDES = range(4)
#: The roles of this many voters fit into one byte together with the sides of the pair.
VOTERS_IN_A_GRID = 3
#: A row of numbers. Its user says what the index is.
Row = tuple[float, ...]
#: One weight per world.
Weights = list[float]


@frozen
class TwoSeatEvidence:
    """Evidence about two seats (or one seat, given twice): ``grid[4 * role of first + role of second]``."""

    first: Seat
    second: Seat
    grid: Row

    def weigh(self, weights: Iterable[float], worlds: Worlds) -> Weights:
        """Return the weights with this evidence."""
        return list(map(mul, weights, map(self.grid.__getitem__, worlds.pair(self.first, self.second))))


@frozen
class BallotEvidence:
    """Evidence from the ballots on a pair. ``Worlds.ballot_keys`` makes the keys of the grids."""

    president: Seat
    chancellor: Seat
    #: Up to three voters, and a grid for their ballots together.
    grids: tuple[tuple[tuple[Seat, ...], Row], ...]

    def weigh(self, weights: Iterable[float], worlds: Worlds) -> Weights:
        """Return the weights with this evidence."""
        for voters, grid in self.grids:
            keys = worlds.ballot_keys(voters, self.president, self.chancellor)
            weights = map(mul, weights, map(grid.__getitem__, keys))
        return list(weights)


Evidence = TwoSeatEvidence | BallotEvidence


def ballot_evidence(
    president: Seat, chancellor: Seat, cast: Sequence[str | None], suspicion: float, at_start: float
) -> BallotEvidence:
    """Return the evidence of ballots, given how suspect the pair was to the table.

    ``at_start``: the suspicion of any pair at the start of the game.
    """
    ja = [ja_rate(role, side, suspicion - at_start) for role in ROLES for side in SIDES]
    plain, exponent = ja[0], likelihoods.BALLOT_EXPONENT  # the first is a Liberal's rate without enemies
    rows = {
        "ja": tuple((one / plain) ** exponent for one in ja),
        "nein": tuple(((1 - one) / (1 - plain)) ** exponent for one in ja),
    }
    # Group voters who voted alike, so that few different grids are needed.
    ballots = zip(cast, SEATS, strict=False)
    voters = sorted((vote, seat) for vote, seat in ballots if vote and seat not in (president, chancellor))
    grids: dict[tuple[str, ...], Row] = {}
    found = []
    for at in range(0, len(voters), VOTERS_IN_A_GRID):
        votes, seats = zip(*voters[at : at + VOTERS_IN_A_GRID], strict=True)
        if votes not in grids:
            grids[votes] = _join_voters([rows[vote] for vote in votes])
        found.append((seats, grids[votes]))
    return BallotEvidence(president, chancellor, tuple(found))


def _join_voters(rows: Sequence[Row]) -> Row:
    """Join the rows of several voters into one grid.

    The index of each row is ``4 * the voter's role + sides of the pair``.
    """
    grid = (1.0,) * len(SIDES)
    for row in rows:
        grid = tuple(row[4 * role + at % 4] * value for role in ROLES for at, value in enumerate(grid))
    return grid


def ja_rate(role: int, sides: int, suspicion: float) -> float:
    """Return how often people of a core role vote Ja.

    ``suspicion``: how much more suspect the pair is to the table than any pair at the start. ``sides``: the
    parties that are in the pair (see ``SIDES``).
    """
    own = sides & 2 if role == COMMUNIST else sides & 1
    gain = likelihoods.BALLOT_OWN[role] if own else likelihoods.BALLOT_NONE[role]
    return 1 / (1 + exp(-(likelihoods.BALLOT_LEVEL - likelihoods.BALLOT_SLOPE[role] * suspicion + gain)))


def target_evidence(seat: Seat, target: Seat, ratio: float, rows: Mapping[int, Row]) -> TwoSeatEvidence:
    """Return the evidence of a President's choice of a target, to kill or to call to a special election.

    ``ratio``: how often a Liberal would have picked this target, compared to a random pick. ``rows``: the
    same for the other roles, by the target's role.
    """
    grid = []
    for role in ROLES:
        row = (ratio,) * len(CORE) if role == LIBERAL else rows[role]
        grid += [max(0.02, value) ** likelihoods.TARGET_EXPONENT for value in row]
    return TwoSeatEvidence(seat, target, tuple(grid))


def pick_ratio(suspicions: Sequence[float], slope: float) -> float:
    """Return how often a Liberal picks the last of these seats, compared to a random pick."""
    weights = [exp(slope * value) for value in suspicions]
    return len(weights) * weights[-1] / sum(weights)


def party_claim_evidence(seat: Seat, target: Seat, said: str) -> TwoSeatEvidence:
    """Return the evidence of an inspector's claim about its target's party."""
    rates = (_party_claim_rate(role, other, said) for role in ROLES for other in ROLES)
    grid = tuple(max(0.002, rate) ** likelihoods.PARTY_CLAIM_EXPONENT for rate in rates)
    return TwoSeatEvidence(seat, target, grid)


def _party_claim_rate(role: int, other: int, said: str) -> float:
    party, own = likelihoods.PARTY[other], likelihoods.PARTY[role]
    if other == LIBERAL:
        bad = likelihoods.SAYS_FASCIST_OF_LIBERAL[role]
        return 1 - bad if said == "liberal" else bad
    if role == LIBERAL or party != own:
        truth = likelihoods.TELLS_OF_OTHERS[role]
        return truth if said == party else (1 - truth) / 2
    good = likelihoods.SAYS_LIBERAL_OF_FELLOW[role]
    if (role, other) == (FASCIST, HITLER):
        good = likelihoods.SAYS_LIBERAL_OF_HITLER
    if said == "liberal":
        return good
    return 1 - good if said == party else 0.02


def allow_for_conversion(piece: TwoSeatEvidence, converted: Sequence[float]) -> TwoSeatEvidence:
    """Return the evidence, averaged over the cases that each of its seats was converted or was not.

    ``converted``: the probability that a seat was converted, by seat.
    """
    first, second, grid = converted[piece.first], converted[piece.second], piece.grid
    if not first and not second:
        return piece
    found = []
    for role in ROLES:
        one = first if role in (LIBERAL, FASCIST) else 0.0
        for other in ROLES:
            two = second if other in (LIBERAL, FASCIST) else 0.0
            found.append(
                (1 - one) * ((1 - two) * grid[4 * role + other] + two * grid[4 * role + COMMUNIST])
                + one * ((1 - two) * grid[4 * COMMUNIST + other] + two * grid[4 * COMMUNIST + COMMUNIST])
            )
    return TwoSeatEvidence(piece.first, piece.second, tuple(found))
