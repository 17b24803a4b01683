"""Facts of the setup: the deal, who knows whom, and the draw pile."""

from dataclasses import replace

from engine.board import Setup
from engine.facts.base import Fact, fact, put, unknown
from engine.question import Seat
from engine.table import Table


@fact("opened")
class Opened(Fact):
    """A game began with this setup. The first fact of every game."""

    setup: Setup

    def fold(self, table: Table) -> None:
        table.seats = seats = self.setup.players
        table.parties = table.roles = (None,) * seats
        table.alive = (True,) * seats


@fact("tracks-laid")
class TracksLaid(Fact):
    """The empty tracks were laid out."""

    colours: tuple[str, ...]

    def fold(self, table: Table) -> None:
        table.tracks = dict.fromkeys(self.colours, ())


@fact("dealt")
class Dealt(Fact):
    """A seat was dealt its envelope: a party membership and a role."""

    seat: Seat
    party: str
    role: str

    def fold(self, table: Table) -> None:
        parties, roles = [*table.parties], [*table.roles]
        parties[self.seat], roles[self.seat] = self.party, self.role
        table.parties, table.roles = tuple(parties), tuple(roles)


@fact("recognised")
class Recognised(Fact):
    """The seats that may know this fact learn the party of ``seat``, and whether it is Hitler."""

    seat: Seat
    party: str
    hitler: bool

    def fold(self, table: Table) -> None:
        table.parties = put(table.parties, self.seat, self.party)
        if self.hitler:
            table.roles = put(table.roles, self.seat, "hitler")


@fact("shuffled")
class Shuffled(Fact):
    """The draw pile was shuffled into this order, top first, with the discards unless ``discards_kept``."""

    pile: tuple[str, ...]
    discards_kept: bool = False

    def fold(self, table: Table) -> None:
        table.pile = self.pile
        table.shuffles += 1
        if not self.discards_kept:
            table.discards = ()

    def scrub(self) -> "Shuffled":
        return replace(self, pile=unknown(self.pile))
