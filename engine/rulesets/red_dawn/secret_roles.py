"""Secret roles on top of the party: Monarchist, Capitalist, Anarchist, KGB. Source: Red Dawn, "Secret roles".

An Anarchist picks somebody else to die each time it is killed. The KGB survives only the first time. A
Monarchist goes into hiding each time it is killed. Once somebody has resurrected it from hiding, it never
hides again. The Capitalist needs no step, because ``convert`` never changes its party. In an envelope the
role follows the party: ``fascist:monarchist``.
"""

from engine.board import Role
from engine.facts import Fact, Recognised, fact, put
from engine.question import Answers, Seat, asks
from engine.steps import dealing, powers
from engine.steps.powers import chosen, others
from engine.table import Table
from engine.turn import Turn

MONARCHIST, CAPITALIST, ANARCHIST, KGB = map(Role, ("monarchist", "capitalist", "anarchist", "kgb"))
#: The parties that may hold each role ("*": any party). Hitler never holds one.
PARTIES = {MONARCHIST: ("*",), CAPITALIST: ("liberal",), ANARCHIST: ("*",), KGB: ("communist",)}
#: The tag of a seat that has used up its role's ability: the KGB, or a Monarchist resurrected from hiding.
SPENT = "spent"
#: The tag of a Monarchist in hiding. Its number says after which election of the game the Monarchist returns.
HIDING = "hiding"
HIDING_ELECTIONS = 2


@fact("red-dawn/role-revealed")
class RoleRevealed(Fact):
    """A secret role was shown to all, because its holder was about to be killed."""

    seat: Seat
    role: Role

    def fold(self, table: Table) -> None:
        table.roles = put(table.roles, self.seat, self.role)
        if self.role == "kgb":
            table.tag(SPENT, self.seat, 1)


@fact("red-dawn/went-into-hiding")
class WentIntoHiding(Fact):
    """A killed Monarchist seems dead until the game has had ``until`` elections in all."""

    seat: Seat
    until: int

    def fold(self, table: Table) -> None:
        table.tag(HIDING, self.seat, self.until)


@fact("red-dawn/returned")
class Returned(Fact):
    """A dead seat is alive again: a Monarchist came out of hiding, or somebody resurrected the seat."""

    seat: Seat
    cause: str

    def fold(self, table: Table) -> None:
        table.alive = put(table.alive, self.seat, True)
        if self.cause == "monarchist":
            table.roles = put(table.roles, self.seat, MONARCHIST)
        elif self.seat in table.tagged(HIDING):
            table.tag(SPENT, self.seat, 1)
        table.tag(HIDING, self.seat, None)


@fact("red-dawn/suspects-shown")
class SuspectsShown(Fact):
    """The KGB showed these seats, in seat order: one of them is Hitler."""

    seat: Seat
    suspects: tuple[Seat, ...]


def acquaint(turn: Turn) -> None:
    """Tell each seat whom it knows from the start. The KGB also knows Hitler."""
    dealing.acquaint(turn)
    roles = turn.table.roles
    if kgb := tuple(seat for seat in turn.table.all_seats() if roles[seat] == "kgb"):
        turn.tell(Recognised(Seat(roles.index("hitler")), "fascist", True), kgb)


def death(turn: Turn, seat: Seat, by: Seat | None, cause: str) -> None:
    """Kill a seat, whatever the cause.

    The KGB survives the first time. An Anarchist first picks somebody else to die.
    """
    table = turn.table
    role = table.roles[seat]
    if role == "kgb" and seat not in table.tagged(SPENT):
        turn.tell(RoleRevealed(seat, role))
        turn.then(("suspicion", seat))
    elif role == "anarchist":
        turn.tell(RoleRevealed(seat, role))
        turn.then(("retaliation", seat), ("die", seat, by, cause))
    else:
        turn.then(("die", seat, by, cause))


def die(turn: Turn, seat: Seat, by: Seat | None, cause: str) -> None:
    """Let a seat die.

    A Monarchist who was never resurrected only seems to die. Only that seat is told that it is in hiding.
    """
    table = turn.table
    hides = table.roles[seat] == "monarchist" and seat not in table.tagged(SPENT)
    powers.death(turn, seat, by, cause)
    if hides:
        turn.tell(WentIntoHiding(seat, table.elections + HIDING_ELECTIONS), (seat,))


@asks("revenge")
def retaliation(turn: Turn, seat: Seat) -> None:
    """Let the Anarchist pick somebody to die first: any living player who is not being killed now."""
    dying = [call[1] for call in turn.agenda if call[0] == "die"]
    if targets := [other for other in turn.table.living() if other not in dying]:
        turn.ask_one(seat, targets)


def revenge(turn: Turn, answers: Answers) -> None:
    """Kill the Anarchist's target, with all consequences, before the Anarchist dies."""
    seat, target = chosen(answers)
    turn.then(("death", target, seat, "revenge"))


@asks("suspect")
def suspicion(turn: Turn, seat: Seat) -> None:
    """Let the KGB survive and pick somebody to be shown together with Hitler.

    If nobody else is alive, Hitler is shown alone.
    """
    hitler = Seat(turn.table.roles.index("hitler"))
    if innocents := [other for other in others(turn, seat) if other != hitler]:
        turn.ask_one(seat, innocents)
    else:
        turn.tell(SuspectsShown(seat, (hitler,)))


def suspect(turn: Turn, answers: Answers) -> None:
    """Show Hitler and the picked seat in seat order, which does not say which is which."""
    seat, innocent = chosen(answers)
    hitler = Seat(turn.table.roles.index("hitler"))
    turn.tell(SuspectsShown(seat, tuple(sorted((innocent, hitler)))))


def return_monarchists(turn: Turn) -> None:
    """Bring Monarchists back before the third election since they were killed."""
    for seat, until in sorted(turn.table.tagged(HIDING).items()):
        if turn.table.elections >= until:
            turn.tell(Returned(seat, "monarchist"))


STEPS = {
    "acquaint": acquaint,
    "death": death,
    "die": die,
    "retaliation": retaliation,
    "revenge": revenge,
    "suspicion": suspicion,
    "suspect": suspect,
    "return-monarchists": return_monarchists,
}
