"""Facts of powers, deaths, the clock, and the end."""

from dataclasses import replace

from engine.facts.base import Fact, fact, put, unknown
from engine.question import Seat
from engine.table import INVESTIGATED, Table


@fact("power-lapsed")
class PowerLapsed(Fact):
    """A power was lost, because it had no legal target or no living holder."""

    power: str


@fact("investigated")
class Investigated(Fact):
    """A seat looked at another one's party membership. Only the looker learns the party."""

    seat: Seat
    target: Seat
    party: str | None

    def fold(self, table: Table) -> None:
        table.tag(INVESTIGATED, self.target, 1)
        if self.party is not None:
            table.parties = put(table.parties, self.target, self.party)

    def scrub(self) -> "Investigated":
        return replace(self, party=None)


@fact("peeked")
class Peeked(Fact):
    """A seat looked at the top tiles of the draw pile (top first), and left them in their order."""

    seat: Seat
    pile: tuple[str, ...]

    def scrub(self) -> "Peeked":
        return replace(self, pile=unknown(self.pile))


@fact("special-election-called")
class SpecialElectionCalled(Fact):
    """A President called a special election: the target is the next presidential candidate."""

    seat: Seat
    target: Seat

    def fold(self, table: Table) -> None:
        table.called = self.target


@fact("killed")
class Killed(Fact):
    """A seat was killed. ``by`` is the killer's seat, or None."""

    seat: Seat
    by: Seat | None
    cause: str

    def fold(self, table: Table) -> None:
        table.alive = put(table.alive, self.seat, False)


@fact("clock-answered")
class ClockAnswered(Fact):
    """Time was up, and these seats had not answered the question."""

    question: str
    seats: tuple[Seat, ...]


@fact("game-over")
class GameOver(Fact):
    """These parties won, and these roles that win separately. Everything hidden is now shown."""

    winners: tuple[str, ...]
    reason: str

    def fold(self, table: Table) -> None:
        table.winners = self.winners
        table.reason = self.reason
        table.in_office = False
