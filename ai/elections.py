"""Compute how people would vote and nominate, by the models of each role in ``ai.models``.

The models were fitted to 497 recorded public games of seven players with written chat (6,806 elections). A
term is ``feature`` or ``feature@condition``. With a condition it counts only if that holds, and
``@condition`` alone stands for the constant 1. The log-odds of Ja are the sum of coefficient times feature,
by the voter's place in the election (outside the pair, its President, its Chancellor). A nominee's weight is
the exponential of that sum.

The features whose names begin with ``bel_`` or ``pub_`` are doubts. A doubt is the danger of a seat to the
Liberals (0 to 1), minus .5. With two parties, the danger is the probability that the seat is not Liberal.

The models are for seven seats. At a table of another size, each danger is first converted. A seat about which
nothing is known then has the same danger as at a table of seven.

With seven seats, the nomination features ``d3`` and ``d4`` are 1 for the third and the fourth seat after the
President. With n seats, the distances 3 and 4 become 3 * n / 7 and 4 * n / 7, rounded. The ballot feature
``dist_me`` is the voter's distance from the President, divided by the number of other seats.
"""

from collections.abc import Mapping
from functools import cached_property
from math import exp, log

from ai import models, tuning
from ai.decider import SeasonedDecider
from engine import Seat
from engine.board import Party
from engine.table import NOT_HITLER, SITS_OUT

#: The number of seats at the measured tables.
MEASURED = 7
#: The probability, at the start with seven seats, that an unknown seat is an enemy of the Liberals: as a
#: Liberal sees it, as the table sees it, and as Hitler sees it. Liberals and Hitler know their own role, so
#: six seats are unknown to them.
USUAL_OWN = 3 / 6
USUAL_PUBLIC = 3 / 7
USUAL_HITLER = 2 / 6

#: A model grouped by condition: each condition with its features and their coefficients.
Model = tuple[tuple[str, tuple[tuple[str, float], ...]], ...]


def _by_condition(terms: str) -> Model:
    found: dict[str, list[tuple[str, float]]] = {}
    for term in terms.split(","):
        name, coefficient = term.split()
        feature, _, condition = name.partition("@")
        found.setdefault(condition, []).append((feature or "one", float(coefficient)))
    return tuple((condition, tuple(rows)) for condition, rows in found.items())


#: The log-odds of Ja, by role and place in the election.
BALLOTS: Mapping[str, Mapping[str, Model]] = {
    role: {place: _by_condition(terms) for place, terms in places.items()}
    for role, places in models.BALLOTS.items()
}
#: The log-weight of a nominee, by role.
NOMINATIONS: Mapping[str, Model] = {role: _by_condition(terms) for role, terms in models.NOMINATIONS.items()}


def sigmoid(x: float) -> float:
    """Return the probability whose log-odds are ``x``."""
    return 1 / (1 + exp(-max(-40.0, min(40.0, x))))


def log_odds(p: float) -> float:
    """Return the log-odds of a probability. For 0 and 1, use a probability very close to them."""
    p = min(1 - 1e-9, max(1e-9, p))
    return log(p / (1 - p))


class Outlook:
    """An election as one seat (the decider) sees it.

    It uses the decider's view, the public record, the decider's own belief and the table's belief.
    """

    def __init__(self, decider: SeasonedDecider) -> None:
        self.decider = decider
        self.record = decider.record
        self.table = decider.table
        self.seats = self.table.seats
        assert self.table.president is not None
        self.president: Seat = self.table.president

    @cached_property
    def circle(self) -> tuple[Seat, ...]:
        """The living seats that do not sit out, from the President's left on, the President last."""
        out = self.table.tagged(SITS_OUT).keys() - {self.president}
        return tuple(
            seat for seat in self.table.left_of(self.president) if self.table.alive[seat] and seat not in out
        )

    # --- beliefs -----------------------------------------------------------------------------------

    @cached_property
    def _reads_public(self) -> bool:
        """True if the decider votes and nominates by the table's belief, to hide its own knowledge.

        Fascists and Communists do so, and also a Hitler who knows Fascists.
        """
        role = self.decider.model_role
        return role == "fascist" or (role == "hitler" and bool(self.decider.fellows))

    def voting_doubt(self, seat: Seat) -> float:
        """Return the doubt about a seat by which the decider votes and nominates.

        If the decider hides its knowledge (see ``_reads_public``), use the table's belief. Otherwise use the
        decider's own belief.
        """
        if self._reads_public:
            return self.public_doubt(seat)
        decider = self.decider
        liberal = not decider.secretive
        if seat == decider.seat:
            return -0.5 if liberal else 0.5
        danger = decider.danger_to_liberals(seat, decider.own_state)
        return self._doubt(danger, decider.danger_at_start_to_self, USUAL_OWN if liberal else USUAL_HITLER)

    def public_doubt(self, seat: Seat) -> float:
        """Return the doubt about a seat by the table's belief."""
        danger = self.decider.seat_danger(seat, public=True)
        return self._doubt(danger, self.decider.danger_at_start_to_table, USUAL_PUBLIC)

    def _doubt(self, danger: float, at_start: float, at_seven: float) -> float:
        """Return the doubt for a danger (0 to 1).

        ``at_start``, ``at_seven``: the danger of an unknown seat at the start, here and at a table of seven.
        The danger is converted to a table of seven, and then moved towards its start: ``SHARPNESS`` 1 leaves
        it as it is, and 0 replaces it by the start.
        """
        sharpness = 1.0 if self.decider.has_three_parties else tuning.SHARPNESS.get(self.seats, 1.0)
        return at_seven + sharpness * (_rescale_to_seven_seats(danger, at_start, at_seven) - at_seven) - 0.5

    # --- conditions --------------------------------------------------------------------------------

    @cached_property
    def _conditions(self) -> frozenset[str]:
        """The conditions that hold now, by name."""
        table, zone = self.table, self.decider.in_zone
        failed = min(2, table.tracker)
        late = table.round >= 4
        # "tr": the number of failed elections in a row (2 stands for 2 and more). "r1" to "r3": the round.
        # "late": round 4 or later. "zone": in the Hitler zone (Hitler wins by being elected Chancellor).
        # "free": outside it.
        named = {
            "": True,
            "zone": zone,
            f"tr{failed}": True,
            "tr2free": failed == 2 and not zone,
            "tr2zone": failed == 2 and zone,
            "tr0zone": failed == 0 and zone,
            f"r{table.round}": table.round <= 3,
            "late": late,
            "late_free": late and not zone,
        }
        return frozenset(name for name, holds in named.items() if holds)

    def _score(self, model: Model, features: Mapping[str, float]) -> float:
        rows = (row for condition, rows in model if condition in self._conditions for row in rows)
        return sum(coefficient * features[feature] for feature, coefficient in rows)

    def _policies(self, track: Party, slots: int) -> float:
        """Return the number of policies on a track, as if it had this many slots."""
        return slots * (len(self.table.tracks.get(track, ())) / len(self.decider.board.tracks[track]))

    def distance(self, seat: Seat) -> int:
        """Return how many steps a seat is to the President's left.

        Seats that are dead or sit out do not count. For such a seat, return the number of seats.
        """
        return self.circle.index(seat) + 1 if seat in self.circle else self.seats

    @cached_property
    def next_in_rotation(self) -> Seat:
        """The next President in the rotation after this round."""
        anchor = self.table.anchor if self.table.anchor is not None else self.president
        return next((seat for seat in self.table.left_of(anchor) if seat in self.circle), self.president)

    # --- ballots -----------------------------------------------------------------------------------

    def ja_log_odds(self, chancellor: Seat) -> float:
        """Return the log-odds with which people of this role would vote Ja."""
        seat = self.decider.seat
        place = "president" if seat == self.president else "chancellor" if seat == chancellor else "outside"
        return self._score(BALLOTS[self.decider.model_role][place], self._ballot_features(chancellor))

    def _ballot_features(self, chancellor: Seat) -> dict[str, float]:
        decider, record, table = self.decider, self.record, self.table
        seat, president, after = decider.seat, self.president, self.next_in_rotation
        three = (president, chancellor, after)
        public = [self.public_doubt(one) for one in three]
        own = public if self._reads_public else [self.voting_doubt(one) for one in three]
        last = record.governments[-1] if record.governments else None
        last_election = record.last_election
        cleared = table.tagged(NOT_HITLER)
        habit = record.ja_habit(seat)
        # "bel": by the belief that the seat votes by (see ``_reads_public``), "pub": by the table's.
        # "_p": President, "_c": Chancellor.
        pair = (president, chancellor)
        about = [one for one in record.party_claims if one.target in pair]
        return {
            "one": 1.0,
            "bel_p": own[0],
            "bel_c": own[1],
            "bel_max": max(own[:2]),
            "bel_min": min(own[:2]),
            "bel_next": own[2],
            "pub_p": public[0],
            "pub_c": public[1],
            "pub_max": max(public[:2]),
            "pub_me": self.public_doubt(seat),
            "pub_next": public[2],
            "hit_c": decider.hitler(chancellor, public=self._reads_public),
            # How readily this seat votes Ja, and how many voted Ja in the last election.
            "my_ja": habit,
            "prev_ja": 0.0 if last_election is None else last_election.ja_share - 0.5,
            "prevfail": float(last_election is not None and not last_election.passed),
            "next_me": float(after == seat),
            # 1 if the nominee is not among the two seats on each side of the President, otherwise less.
            "in_the_middle": self._customary(chancellor),
            "dist_me": 0.0 if seat == president else self.distance(seat) / (self.seats - 1),
            "good_p": record.good_governments(president),
            "good_c": record.good_governments(chancellor),
            "bad_p": record.bad_governments(president),
            "together_good": record.good_governments(president, chancellor),
            "new_p": float(not record.has_governed(president)),
            "new_c": float(not record.has_governed(chancellor)),
            "last_good": float(last is not None and last.good),
            "last_bad": float(last is not None and not last.good),
            "clash_p": float(record.has_clashed(president)),
            # The Chancellor is confirmed not to be Hitler; and how many seats are so confirmed.
            "conf_c": float(chancellor in cleared),
            "nconf": min(3, len(cleared)),
            # Somebody is dead: at most six of seven are alive.
            "alive6": float(len(table.living()) < self.seats),
            # Policies enacted, and parties that need only one more.
            "L": self._policies("liberal", 5),
            "F": self._policies("fascist", 6),
            "L4": float(decider.slots_left("liberal") <= 1),
            "F5": float(decider.slots_left("fascist") <= 1),
            # Claims about the pair's parties: a bad one, the seat's own good one, a bad one by one of them.
            "inv_bad": float(any(not one.good for one in about)),
            "inv_my_good": float(any(one.good and one.seat == seat for one in about)),
            "inv_pair_bad": float(any(not one.good and one.seat in pair for one in about)),
            # The President is a fellow; one of the pair is; the seat knows that the Chancellor is Hitler.
            "fp": float(president in decider.fellows),
            "own1": float(president in decider.fellows or chancellor in decider.fellows),
            "hc": float(table.roles[chancellor] == "hitler"),
        }

    def _customary(self, chancellor: Seat) -> float:
        """Return the feature ``in_the_middle``, which the models use only in the first two rounds.

        With seven seats, people prefer nominees who are not among the two seats on each side of the
        President. At other sizes all seats count alike.
        """
        distance = self.distance(chancellor)
        middle = 2 < distance < len(self.circle) - 2
        return 1.0 if middle or self.seats != MEASURED else tuning.NEAR_THE_PRESIDENT

    # --- nominations -------------------------------------------------------------------------------

    def nominee_log_weights(self, seats: tuple[Seat, ...]) -> list[float]:
        """Return each seat's log-weight as a nominee of people with this role."""
        doubts = [self.voting_doubt(seat) for seat in seats]
        model = NOMINATIONS[self.decider.model_role]
        return [
            self._score(model, self._nominee_features(seat, doubt, min(doubts)))
            for seat, doubt in zip(seats, doubts, strict=True)
        ]

    def _nominee_features(self, seat: Seat, doubt: float, least: float) -> dict[str, float]:
        record, president = self.record, self.president
        last = record.governments[-1] if record.governments else None
        last_election = record.last_election
        distance = self.distance(seat)
        in_last = last is not None and last.has(seat)
        told = [one for one in record.party_claims if one.target == seat]
        return {
            "one": 1.0,
            "d1": float(distance == 1),
            "d3": float(distance == round(3 * self.seats / MEASURED)),
            "d4": float(distance == round(4 * self.seats / MEASURED)),
            # The nominee is one of the next two seats; or one of the two before the President.
            "next2": float(distance <= 2),
            "before_president": float(distance >= len(self.circle) - 2),
            # How much more suspect the nominee is than the least suspect one.
            "gap": doubt - least,
            "best": float(doubt <= least + 0.01),
            "good": record.good_governments(seat),
            "bad": record.bad_governments(seat),
            "new": float(not record.has_governed(seat)),
            "with_good": record.good_governments(president, seat),
            "with_bad": record.bad_governments(president, seat),
            "lastgov": float(in_last),
            "lastgov_good": float(in_last and last is not None and last.good),
            "inv_good": float(any(one.good for one in told)),
            "inv_bad": float(any(not one.good for one in told)),
            "inv_me_good": float(
                any(one.good and one.seat == seat and one.target == president for one in record.party_claims)
            ),
            "conf": float(seat in self.table.tagged(NOT_HITLER)),
            # The nominee was the Chancellor candidate of the last election, and failed.
            "prev_c": float(
                last_election is not None and not last_election.passed and last_election.chancellor == seat
            ),
            "ja": record.ja_habit(seat),
            # The nominee is a fellow, and not Hitler.
            "fasc": float(seat in self.decider.fellows and self.table.roles[seat] != "hitler"),
        }


def _rescale_to_seven_seats(doubt: float, start_here: float, start_at_seven: float) -> float:
    """Convert a danger (``doubt``, 0 to 1) at this table to what it would be at a table of seven.

    At the start it is ``start_here`` for any seat at this table, and ``start_at_seven`` at a table of seven.
    """
    if abs(start_here - start_at_seven) < 1e-9 or not 0 < doubt < 1 or not 0 < start_here < 1:
        return doubt
    return sigmoid(log_odds(doubt) + log_odds(start_at_seven) - log_odds(start_here))
