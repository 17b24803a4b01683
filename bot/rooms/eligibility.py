"""Seats barred by public term limits, for the list of players and for the picture."""

from engine import View, board_of
from engine.facts import CandidacyPassed, LimitsWaived
from engine.steps.election import barred


def term_limited(view: View) -> tuple[int, ...]:
    """Return the living seats that term limits bar from this round's nomination.

    There are none while a government is in office, whose own limits begin with the next round; if term limits
    do not apply (R1.12); and after the end.
    """
    table = view.table
    if table.in_office or table.winners is not None or _waived(view):
        return ()
    return tuple(seat for seat in barred(table, board_of(view.setup)) if table.alive[seat])


def _waived(view: View) -> bool:
    """Return True if term limits do not apply in this round."""
    since = (fact for fact in reversed(view.facts) if isinstance(fact, LimitsWaived | CandidacyPassed))
    return isinstance(next(since, None), LimitsWaived)
