"""Article 48: tiles that also give the Chancellor a power. Source: Red Dawn, "Article 48 powers"."""

from engine import tiles
from engine.facts import Fact, fact
from engine.question import Answers, Seat, asks
from engine.rulesets.red_dawn.secret_roles import Returned
from engine.steps.communists import COMMUNIST, convert, know_communists
from engine.steps.powers import choose, chosen, others
from engine.table import Table
from engine.turn import Turn

FASCIST_POWERS = ("investigate",)
COMMUNIST_POWERS = ("investigate", "convert", "resurrect", "comrades")


@fact("red-dawn/conversion-tried", hidden="target")
class ConversionTried(Fact):
    """A seat tried to convert a target.

    Only the seat that tried sees the target in this fact. It does not learn the result.
    """

    seat: Seat
    target: Seat | None


@fact("red-dawn/comrades-learned", hidden="comrades")
class ComradesLearned(Fact):
    """A seat looked for its comrades and learned these: () if it is no Communist, None if unknown."""

    seat: Seat
    comrades: tuple[Seat, ...] | None

    def fold(self, table: Table) -> None:
        know_communists(table, self.comrades or ())


def article_48(turn: Turn, tile: str) -> None:
    """Let the Chancellor, if still alive, use the power that the tile carries."""
    if power := tiles.power(tile):
        turn.then(("use-power", power, turn.table.chancellor))


@asks("convert")
def conversion(turn: Turn, holder: Seat) -> None:
    """Choose another living player to be converted."""
    choose(turn, holder, others(turn, holder))


def attempt(turn: Turn, answers: Answers) -> None:
    """Convert the target if possible. Only the target learns the result."""
    holder, target = chosen(answers)
    turn.tell(ConversionTried(holder, target), (holder,))
    convert(turn, target)


@asks("resurrect")
def resurrection(turn: Turn, holder: Seat) -> None:
    """Choose a dead player to return."""
    choose(turn, holder, [seat for seat in turn.table.all_seats() if not turn.table.alive[seat]])


def resurrect(turn: Turn, answers: Answers) -> None:
    """Bring the target back to life, as a Communist if that is possible."""
    _, target = chosen(answers)
    turn.tell(Returned(target, "resurrection"))
    convert(turn, target)


def comrades(turn: Turn, holder: Seat) -> None:
    """Show a Communist holder all other Communists, the dead included. Any other holder learns nothing."""
    parties, seats = turn.table.parties, turn.table.all_seats()
    fellows = tuple(seat for seat in seats if parties[seat] == COMMUNIST and seat != holder)
    known = fellows if parties[holder] == COMMUNIST else ()
    turn.tell(ComradesLearned(holder, known), (holder,))


STEPS = {
    "article-48": article_48,
    "power/convert": conversion,
    "convert": attempt,
    "power/resurrect": resurrection,
    "resurrect": resurrect,
    "power/comrades": comrades,
}
