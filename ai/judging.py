"""The best choice, without any randomness, and how much better it is than the next one. Advice uses it."""

from collections.abc import Sequence

from ai import seasoned, tuning
from ai.decider import SeasonedDecider, seats_of
from ai.rulesets import Aim
from ai.stakes import ja_before_chaos
from engine import Seat
from engine.question import JA, NEIN, Option

#: The best option, the second best (None: there is no other), and the margin between them, about 0 to 1.
Judged = tuple[Option, Option | None, float]


def best(decider: SeasonedDecider, aim: Aim, options: Sequence[Option], step: str) -> Judged:
    """Return the best option, the next one and the margin between them."""
    if aim is Aim.BALLOT:
        gap = ballot_gap(decider)
        return (JA, NEIN, gap) if gap > 0 else (NEIN, JA, -gap)
    if aim is Aim.LEAD and not decider.table.in_office and decider.table.president is not None:
        seats = seats_of(options)
        return _first(seats, [-nominee_danger(decider, seat) for seat in seats])
    if aim is Aim.LEARN and decider.party == "liberal":
        seats, start = seats_of(options), decider.danger_at_start_to_self
        return _first(seats, [-abs(decider.seat_danger(seat) - start) for seat in seats])
    weights = seasoned.option_weights(decider, aim, options, step)
    different = list(dict.fromkeys(options))
    choice, other, margin = _first(different, [weights.get(option, 0.0) for option in different])
    # With many seats even the best one's probability is small, so return the margin as a share of it.
    return choice, other, margin / weights[choice] if isinstance(choice, int) else margin


def _first(options: Sequence[Option], scores: Sequence[float]) -> Judged:
    order = sorted(range(len(options)), key=lambda at: -scores[at])
    if len(order) == 1:
        return options[0], None, 1.0
    first, second = order[:2]
    return options[first], options[second], scores[first] - scores[second]


def nominee_danger(decider: SeasonedDecider, seat: Seat) -> float:
    """Return the danger of nominating a seat. A Fascist goes by the table's belief and favours fellows."""
    if decider.party != "fascist":
        return decider.government_danger(decider.seat, seat)
    danger = decider.government_danger(decider.seat, seat, public=True)
    if decider.wins_by_electing(seat):
        return danger - tuning.HITLER_WORSE
    return danger - (tuning.FELLOW_WORSE if seat in decider.fellows else 0.0)


def ballot_gap(decider: SeasonedDecider) -> float:
    """Return how much better Ja is than Nein, about from -1 to 1."""
    stake = ja_before_chaos(decider)
    if stake is not None:
        return max(-1.0, min(1.0, stake / tuning.STAKE_SLOPE))
    if decider.party == "fascist":
        return _gap_for_fascist(decider)
    gap = government_gap(decider)
    if decider.seat in decider.pair and not may_elect_hitler(decider, decider.pair[1]):
        gap += tuning.OWN_GOVERNMENT
    if decider.secretive:
        gap -= decider.rival_share(*decider.pair)
    return gap


def may_elect_hitler(decider: SeasonedDecider, *seats: Seat) -> bool:
    """Return True if electing one of these seats Chancellor may well end the game."""
    return decider.in_zone and any(
        seat != decider.seat and decider.hitler(seat) >= tuning.MAY_BE_HITLER for seat in seats
    )


def government_gap(decider: SeasonedDecider, public: bool = False, patient: bool = True) -> float:
    """Return how much less dangerous the pair is as a government than the one that would come next.

    ``public``: the danger to the Liberals, by the table's belief (default: to the seat's own party, by its
    own belief). ``patient``: tolerate more danger as more elections fail, and add a bonus for a pair that is
    hardly dangerous.
    """
    danger = decider.government_danger(*decider.pair, public)
    gap = decider.next_government_danger(public) - danger
    if not patient:
        return gap
    allowed = tuning.PATIENCE_IN_ZONE if decider.in_zone else tuning.PATIENCE
    gap += allowed[min(decider.table.tracker, len(allowed) - 1)]
    return gap + tuning.TRUST_GAIN * max(0.0, tuning.TRUSTED - danger)


def _gap_for_fascist(decider: SeasonedDecider) -> float:
    """Return ``ballot_gap`` for a Fascist, who wants Fascists to govern, but must not look suspicious."""
    if decider.wins_by_electing(decider.pair[1]):
        return 1.0
    gap = government_gap(decider, public=True)
    if decider.owns_pair:
        return gap + tuning.OWN_GOVERNMENT
    # Hitler may know nobody, and then votes as the table would.
    gap -= decider.rival_share(*decider.pair)
    return gap - tuning.OWN_GOVERNMENT if decider.fellows else gap
