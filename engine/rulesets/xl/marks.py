"""Marked for execution, and the pardon. Source: XL handbook, "Emergency powers"."""

from engine.board import Party
from engine.facts import Fact, fact
from engine.question import Answers, Seat, asks
from engine.steps.powers import choose, chosen, others
from engine.table import Table
from engine.turn import Turn

#: The tag of a marked seat. Its number counts tiles: the seat dies once that many have ever been laid on
#: the Fascist track.
MARKED = "marked"
TILES = 3
TRACK: Party = "fascist"


@fact("xl/marked")
class Marked(Fact):
    """A seat marked a target, which dies once ``due`` tiles in all have been laid on the Fascist track."""

    seat: Seat
    target: Seat
    due: int

    def fold(self, table: Table) -> None:
        table.tag(MARKED, self.target, self.due)


@fact("xl/pardoned")
class Pardoned(Fact):
    """A seat took a mark off another one, or off itself."""

    seat: Seat
    target: Seat

    def fold(self, table: Table) -> None:
        table.tag(MARKED, self.target, None)


@asks("mark")
def marking(turn: Turn, holder: Seat) -> None:
    """Choose another living player without a mark."""
    marked = turn.table.tagged(MARKED)
    choose(turn, holder, [seat for seat in others(turn, holder) if seat not in marked])


def mark(turn: Turn, answers: Answers) -> None:
    """Mark the target: it dies with the third tile laid on the Fascist track from now on."""
    holder, target = chosen(answers)
    turn.tell(Marked(holder, target, turn.table.laid(TRACK) + TILES))


@asks("pardon")
def pardoning(turn: Turn, holder: Seat) -> None:
    """Choose a living player with a mark. The holder may choose itself."""
    marked = turn.table.tagged(MARKED)
    choose(turn, holder, [seat for seat in turn.table.living() if seat in marked])


def pardon(turn: Turn, answers: Answers) -> None:
    """Remove the mark."""
    turn.tell(Pardoned(*chosen(answers)))


def marks_due(turn: Turn, tile: str | None = None) -> None:
    """Kill the marked seats for which enough tiles have been laid, in seat order."""
    table = turn.table
    due = [seat for seat, tiles in sorted(table.tagged(MARKED).items()) if table.laid(TRACK) >= tiles]
    turn.then(*(("death", seat, None, "mark") for seat in due if table.alive[seat]))


STEPS = {
    "power/mark": marking,
    "mark": mark,
    "power/pardon": pardoning,
    "pardon": pardon,
    "marks-due": marks_due,
}
