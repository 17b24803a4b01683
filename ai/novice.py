"""The novice: rules of thumb. It remembers who enacted what, and reads nobody's claims."""

from collections.abc import Callable, Mapping, Sequence

from ai import tuning
from ai.decider import Decider, certain, seats_of, soft_minimum
from ai.rulesets import Aim
from engine import Seat
from engine.facts import CandidacyPassed, Enacted, Nominated, Peeked
from engine.question import JA, NEIN, Option
from engine.rulesets.xl.emergency import DISCARD, PUT_BACK
from engine.steps.legislation import VETO
from engine.tiles import track

#: The weight of each option. ``choosing.probabilities`` scales the weights to 1. A missing option is never
#: chosen.
OptionWeights = Mapping[Option, float]
LIBERAL_TILE = "liberal"
#: The temperature of ``soft_minimum`` for novices.
TEMPERATURE = 0.15

#: A pair is bad if one of its seats has a record of at least this. One bad policy as Chancellor gives 1.
BAD = 0.9


def option_weights(decider: Decider, aim: Aim, options: Sequence[Option]) -> OptionWeights:
    """Return the weights by which a novice chooses among these options."""
    return _RULES[aim](decider, options)


def count_policies_against(decider: Decider) -> list[float]:
    """Return how much the tiles that each seat enacted speak against it.

    A tile adds 1 for its Chancellor and 0.5 for its President. A Liberal tile subtracts as much.
    """
    found = [0.0] * decider.table.seats
    president = chancellor = None
    for fact in decider.view.facts:
        if isinstance(fact, CandidacyPassed):
            president, chancellor = fact.seat, None
        elif isinstance(fact, Nominated):
            chancellor = fact.chancellor
        elif (
            isinstance(fact, Enacted) and not fact.chaos and president is not None and chancellor is not None
        ):
            against = -1.0 if track(fact.tile) == "liberal" else 1.0
            found[president] += 0.5 * against
            found[chancellor] += against
    return found


def _case_against(decider: Decider, other: Seat, seen: Sequence[float]) -> float:
    """Return how much speaks against another seat.

    If the seat's party is known, only the party counts. Otherwise a Liberal judges by the record, and other
    novices have nothing against the seat.
    """
    party = decider.table.parties[other]
    if party is not None:
        return -10.0 if party == decider.party else 10.0
    return seen[other] if decider.party == "liberal" else 0.0


def _lead(decider: Decider, options: Sequence[Option]) -> OptionWeights:
    seats, seen = seats_of(options), count_policies_against(decider)
    hitlers = [other for other in seats if decider.wins_by_electing(other)]
    if hitlers:
        return certain(hitlers[0])
    shown = soft_minimum(seats, [_case_against(decider, other, seen) for other in seats], TEMPERATURE)
    if decider.party == "liberal":
        return shown
    anyone = (1 - tuning.NOVICE_BY_KNOWLEDGE) / len(seats)
    return {seat: tuning.NOVICE_BY_KNOWLEDGE * share + anyone for seat, share in shown.items()}


def _ballot(decider: Decider, options: Sequence[Option]) -> OptionWeights:
    if decider.seat in decider.pair:
        return _ja(tuning.NOVICE_JA_OWN)
    seen = count_policies_against(decider)
    bad = [_case_against(decider, other, seen) for other in decider.pair]
    if decider.party == "fascist" and min(bad) < -5:
        return _ja(tuning.NOVICE_JA_FELLOW)
    if decider.party != "liberal":
        return _ja(0.5)
    if decider.chaos_near:
        return _ja(tuning.NOVICE_JA_OWN)
    return _ja(tuning.NOVICE_JA if max(bad) < BAD else tuning.NOVICE_JA_BAD)


def _ja(often: float) -> OptionWeights:
    return {JA: often, NEIN: 1 - often}


def _harm(decider: Decider, options: Sequence[Option]) -> OptionWeights:
    seats, seen = seats_of(options), count_policies_against(decider)
    return soft_minimum(seats, [-_case_against(decider, other, seen) for other in seats], TEMPERATURE)


def _help(decider: Decider, options: Sequence[Option]) -> OptionWeights:
    seats, seen = seats_of(options), count_policies_against(decider)
    if decider.seat in seats:
        return certain(decider.seat)
    return soft_minimum(seats, [_case_against(decider, other, seen) for other in seats], TEMPERATURE)


def _unknown(decider: Decider, options: Sequence[Option]) -> OptionWeights:
    seats = seats_of(options)
    fresh = [other for other in seats if decider.table.parties[other] is None] or seats
    return dict.fromkeys(fresh, 1 / len(fresh))


def _discard(decider: Decider, options: Sequence[Option]) -> OptionWeights:
    offered = decider.tiles_of(options)
    worst = min(offered, key=decider.worth)
    others = [tile for tile in offered if tile != LIBERAL_TILE]
    if worst == LIBERAL_TILE and others and may_be_shy(decider, offered):
        return {worst: 1 - tuning.NOVICE_SHY, min(others, key=decider.worth): tuning.NOVICE_SHY}
    return certain(worst)


def _enact(decider: Decider, options: Sequence[Option]) -> OptionWeights:
    offered = decider.tiles_of(options)
    if not offered:
        return dict.fromkeys(options, 1 / len(set(options)))
    best = max(offered, key=decider.worth)
    if VETO in options and decider.worth(best) < 0:
        return certain(VETO)
    if best != LIBERAL_TILE and may_be_shy(decider, offered):
        return {best: 1 - tuning.NOVICE_SHY, LIBERAL_TILE: tuning.NOVICE_SHY}
    return certain(best)


def may_be_shy(decider: Decider, offered: Sequence[str]) -> bool:
    """Return True if a seat that is not Liberal may play a Liberal tile, because no tile ends the game."""
    ends = any(decider.wins(tile) or decider.loses(tile) for tile in offered)
    return decider.secretive and LIBERAL_TILE in offered and not ends


def _veto(decider: Decider, options: Sequence[Option]) -> OptionWeights:
    hand = decider.tiles_of(decider.table.hand)
    bad = bool(hand) and all(decider.worth(tile) < 0 for tile in hand)
    return certain(JA if bad and not decider.chaos_near else NEIN)


def undo(decider: Decider, options: Sequence[Option]) -> OptionWeights:
    """Choose the track of another party that needs the fewest tiles."""
    tracks = [track for track in decider.table.tracks if track in options and track != decider.party]
    return certain(min(tracks, key=decider.slots_left, default=options[0]))


def top(decider: Decider, options: Sequence[Option]) -> OptionWeights:
    """Discard the top tile of the pile if the last look at the pile was the seat's own, and it is bad."""
    last = next((fact for fact in reversed(decider.view.facts) if isinstance(fact, Peeked)), None)
    seen = last.pile if last is not None and last.seat == decider.seat else ()
    return certain(DISCARD if seen and decider.worth(seen[0]) < 0 else PUT_BACK)


_RULES: dict[Aim, Callable[[Decider, Sequence[Option]], OptionWeights]] = {
    Aim.LEAD: _lead,
    Aim.HARM: _harm,
    Aim.BLAME: _harm,
    Aim.HELP: _help,
    Aim.LEARN: _unknown,
    Aim.ENLIST: _unknown,
    Aim.DISCARD: _discard,
    Aim.ENACT: _enact,
    Aim.UNDO: undo,
    Aim.TOP: top,
    Aim.BALLOT: _ballot,
    Aim.VETO: _veto,
}
