"""The novice: rules of thumb. It remembers who enacted what, and reads nobody's claims."""

from collections.abc import Callable, Sequence

from ai import manners
from ai.thought import Seat, seats_of
from ai.worth import Aim
from engine.facts import CandidacyPassed, Enacted, Nominated, Peeked
from engine.question import JA, NEIN, Option
from engine.rulesets.xl.emergency import DISCARD, PUT_BACK
from engine.steps.legislation import VETO
from engine.tiles import track

#: What the record says against a seat after it enacted one more bad policy than good ones.
BAD = 0.9


def choose(seat: Seat, aim: Aim, options: Sequence[Option]) -> Option:
    """What a novice chooses of these options."""
    return _RULES[aim](seat, options)


def record(seat: Seat) -> list[float]:
    """By seat, how much what it enacted speaks against it: more as Chancellor than as President."""
    found = [0.0] * seat.table.seats
    president = chancellor = None
    for fact in seat.view.facts:
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


def _bad(seat: Seat, other: int, seen: Sequence[float]) -> float:
    """What speaks against another seat: what it knows, else the record, where it plays as a Liberal."""
    party = seat.table.parties[other]
    if party is not None:
        return -10.0 if party == seat.party else 10.0
    return seen[other] if seat.party == "liberal" else 0.0


def _lead(seat: Seat, options: Sequence[Option]) -> Option:
    seats, seen = seats_of(options), record(seat)
    hitlers = [other for other in seats if seat.table.roles[other] == "hitler"]
    if seat.party == "fascist" and seat.zone and hitlers:
        return hitlers[0]
    if seat.party == "liberal" or seat.happens(manners.NOVICE_DISGUISE):
        return seat.least(seats, [_bad(seat, other, seen) for other in seats], 0.5)
    return seat.least(seats, [0.0] * len(seats), 1.0)


def _ballot(seat: Seat, options: Sequence[Option]) -> Option:
    table = seat.table
    government = (table.president, table.chancellor)
    if seat.seat in government:
        return JA
    seen = record(seat)
    bad = [_bad(seat, other, seen) for other in government if other is not None]
    if seat.party == "fascist" and min(bad) < -5:
        return JA
    if seat.party != "liberal":
        return JA if seat.happens(0.5) else NEIN
    often = manners.NOVICE_JA if max(bad) < BAD else manners.NOVICE_JA_BAD
    return JA if seat.happens(often) else NEIN


def _harm(seat: Seat, options: Sequence[Option]) -> Option:
    seats, seen = seats_of(options), record(seat)
    return seat.least(seats, [-_bad(seat, other, seen) for other in seats], 0.5)


def _help(seat: Seat, options: Sequence[Option]) -> Option:
    seats, seen = seats_of(options), record(seat)
    return seat.seat if seat.seat in seats else seat.least(seats, [_bad(seat, o, seen) for o in seats], 0.5)


def _unknown(seat: Seat, options: Sequence[Option]) -> Option:
    seats = seats_of(options)
    fresh = [other for other in seats if seat.table.parties[other] is None]
    return seat.least(fresh or seats, [0.0] * len(fresh or seats), 1.0)


def _discard(seat: Seat, options: Sequence[Option]) -> Option:
    return min(seat.tiles_of(options), key=seat.worth)


def _enact(seat: Seat, options: Sequence[Option]) -> Option:
    offered = seat.tiles_of(options)
    if not offered:
        return options[min(len(options) - 1, int(seat.luck() * len(options)))]
    best = max(offered, key=seat.worth)
    return VETO if VETO in options and seat.worth(best) < 0 else best


def _veto(seat: Seat, options: Sequence[Option]) -> Option:
    hand = seat.tiles_of(seat.table.hand)
    bad = bool(hand) and all(seat.worth(tile) < 0 for tile in hand)
    return JA if bad and seat.table.tracker + 1 < seat.board.chaos else NEIN


def _undo(seat: Seat, options: Sequence[Option]) -> Option:
    return min((o for o in options if o != seat.party), key=lambda o: seat.left(str(o)), default=options[0])


def _top(seat: Seat, options: Sequence[Option]) -> Option:
    return DISCARD if (tile := top_of(seat)) and seat.worth(tile) < 0 else PUT_BACK


def top_of(seat: Seat) -> str | None:
    """What the seat saw last on top of the pile."""
    last = next((fact for fact in reversed(seat.view.facts) if isinstance(fact, Peeked)), None)
    return last.pile[0] if last is not None and last.seat == seat.seat and last.pile else None


_RULES: dict[Aim, Callable[[Seat, Sequence[Option]], Option]] = {
    Aim.LEAD: _lead,
    Aim.HARM: _harm,
    Aim.BLAME: _harm,
    Aim.HELP: _help,
    Aim.SHOW: _help,
    Aim.LEARN: _unknown,
    Aim.ENLIST: _unknown,
    Aim.DISCARD: _discard,
    Aim.ENACT: _enact,
    Aim.UNDO: _undo,
    Aim.TOP: _top,
    Aim.BALLOT: _ballot,
    Aim.VETO: _veto,
}
