"""The sealed veto: the Chancellor selects a tile, then both holders of office vote in secret.

Source: rules of the game as played on the web, "Veto power". Any ruleset may use it (option ``veto``).
"""

from dataclasses import replace

from engine.facts import Fact, fact
from engine.question import JA, NEIN, Answers, Seat, asks
from engine.turn import Turn

OPTION = "veto"
SEALED = "sealed"
BALLOTS = (JA, NEIN)


@fact("sealed-veto/selected", face_down="tile")
class Selected(Fact):
    """The Chancellor selected a tile, which is enacted unless it is vetoed."""

    seat: Seat
    tile: str


@fact("sealed-veto/voted")
class SealedVeto(Fact):
    """The sealed ballots of President and Chancellor, in this order (None: unknown), and the result."""

    ballots: tuple[str | None, ...]
    vetoed: bool

    def scrub(self) -> "SealedVeto":
        return replace(self, ballots=(None,) * len(self.ballots))


@asks("select")
def selection(turn: Turn) -> None:
    """Ask the Chancellor which tile to enact if there is no veto."""
    hand = turn.table.hand
    assert turn.table.chancellor is not None
    turn.ask_one(turn.table.chancellor, hand, cards=len(hand))


@asks("sealed-veto")
def select(turn: Turn, answers: Answers) -> None:
    """Tell only the Chancellor what was selected, and ask both holders of office for a ballot."""
    ((chancellor, tile),) = answers.items()
    assert isinstance(tile, str)
    turn.tell(Selected(chancellor, tile), turn.holders(chancellor))
    assert turn.table.president is not None
    government = (turn.table.president, chancellor)
    turn.ask(government, BALLOTS, tile, clock=(NEIN,), changeable=True, cards=len(BALLOTS))


def sealed_veto(turn: Turn, answers: Answers, tile: str) -> None:
    """Discard both tiles if both voted for the veto. Otherwise enact the selected one."""
    ballots = tuple([None if vote is None else str(vote) for vote in answers.values()])
    vetoed = ballots == (JA, JA)
    turn.tell(SealedVeto(ballots, vetoed), ())
    turn.then("veto-agenda" if vetoed else ("settle", tile))


STEPS = {"selection": selection, "select": select, "sealed-veto": sealed_veto}
