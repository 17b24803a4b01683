"""The smear campaign: its target sits out two elections. Source: Red Dawn, "Smear campaign"."""

from engine.facts import Fact, fact
from engine.question import Answers, Seat, asks
from engine.steps.powers import choose, chosen, others
from engine.table import SITS_OUT, Table
from engine.turn import Turn

ELECTIONS = 2
ENDING = "hitler-smeared"


@fact("red-dawn/smeared")
class Smeared(Fact):
    """A President smeared a seat. It sits out until the game has resolved this many elections."""

    seat: Seat
    target: Seat
    until: int

    def fold(self, table: Table) -> None:
        table.tag(SITS_OUT, self.target, self.until)


@fact("red-dawn/smear-ended")
class SmearEnded(Fact):
    """A smeared seat may vote and hold office again."""

    seat: Seat

    def fold(self, table: Table) -> None:
        table.tag(SITS_OUT, self.seat, None)


@fact("red-dawn/smear-lapsed")
class SmearLapsed(Fact):
    """The smear of a seat ended after the seat had died. The bot shows players nothing about it."""

    seat: Seat

    def fold(self, table: Table) -> None:
        table.tag(SITS_OUT, self.seat, None)


@asks("smear")
def campaign(turn: Turn, holder: Seat) -> None:
    """Choose another living player to be smeared."""
    choose(turn, holder, others(turn, holder))


def smear(turn: Turn, answers: Answers) -> None:
    """Make the target sit out. If it is Hitler, the Communists win."""
    holder, target = chosen(answers)
    turn.tell(Smeared(holder, target, turn.table.elections + ELECTIONS))
    if turn.table.roles[target] == "hitler" and ENDING in turn.board.endings:
        turn.win(turn.board.endings[ENDING], ENDING)


def end_smears(turn: Turn) -> None:
    """End the smears whose elections are over. Dead seats have a fact of their own, which is not shown."""
    for seat, until in sorted(turn.table.tagged(SITS_OUT).items()):
        if turn.table.elections >= until:
            turn.tell(SmearEnded(seat) if turn.table.alive[seat] else SmearLapsed(seat))


STEPS = {"power/smear": campaign, "smear": smear, "end-smears": end_smears}
