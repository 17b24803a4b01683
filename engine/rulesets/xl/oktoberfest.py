"""Oktoberfest: a month passes with each round, and in October nobody sees their cards.

Source: XL handbook, "Oktober Fest". The ``cards`` argument of ``Turn.ask`` says how many options of a
question are blind. In October nobody is told which tiles they hold (``Turn.holders``).
"""

from engine.facts import Fact, fact
from engine.table import BLINDFOLD, MONTH, Table
from engine.turn import Turn

OPTION = "oktoberfest"
MONTHS = 12
OCTOBER = 10


@fact("xl/month-began")
class MonthBegan(Fact):
    """A month, from 1 to 12, begins."""

    month: int

    def fold(self, table: Table) -> None:
        table.count(**{MONTH: self.month, BLINDFOLD: int(self.month == OCTOBER)})


def first_month(turn: Turn) -> None:
    """Draw the first month."""
    if turn.options[OPTION] == "on":
        turn.tell(MonthBegan(turn.chance.pick(MONTH, range(1, MONTHS + 1))))


def next_month(turn: Turn) -> None:
    """Move the calendar on by a month, since a round has ended."""
    if turn.options[OPTION] == "on":
        turn.tell(MonthBegan(turn.table.counters[MONTH] % MONTHS + 1))


STEPS = {"first-month": first_month, "next-month": next_month}
