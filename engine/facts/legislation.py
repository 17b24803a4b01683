"""Facts of legislative sessions: hands, tiles played, the veto."""

from dataclasses import replace

from engine import tiles
from engine.facts.base import Fact, fact, unknown
from engine.question import Seat
from engine.table import Table


@fact("drew")
class Drew(Fact):
    """The President drew these tiles from the top of the pile."""

    seat: Seat
    hand: tuple[str, ...]

    def fold(self, table: Table) -> None:
        table.pile = table.pile[len(self.hand) :]
        table.hand = self.hand

    def scrub(self) -> "Drew":
        return replace(self, hand=unknown(self.hand))


@fact("discarded")
class Discarded(Fact):
    """A tile of the hand went face down to the discard pile."""

    seat: Seat
    tile: str

    def fold(self, table: Table) -> None:
        table.hand = tiles.without(table.hand, self.tile)
        table.discards = (*table.discards, self.tile)

    def scrub(self) -> "Discarded":
        return replace(self, tile=tiles.UNKNOWN)


@fact("passed")
class Passed(Fact):
    """The President handed the remaining tiles to the Chancellor (``seat``)."""

    seat: Seat
    hand: tuple[str, ...]

    def fold(self, table: Table) -> None:
        table.hand = self.hand

    def scrub(self) -> "Passed":
        return replace(self, hand=unknown(self.hand))


@fact("enacted")
class Enacted(Fact):
    """A tile was enacted. It went on ``track``, or out of the game if that is None.

    In chaos it came from the pile, otherwise from the hand.
    """

    tile: str
    track: str | None
    chaos: bool = False

    def fold(self, table: Table) -> None:
        table.tracker = 0
        if self.track is None:
            table.removed = (*table.removed, self.tile)
        else:
            table.tracks = {**table.tracks, self.track: (*table.tracks[self.track], self.tile)}
        if self.chaos:
            table.pile = table.pile[1:]
            table.last_elected = None
        else:
            table.hand = ()


@fact("veto-unlocked")
class VetoUnlocked(Fact):
    """From now until the end of the game, a government may veto."""

    def fold(self, table: Table) -> None:
        table.veto = True


@fact("veto-requested")
class VetoRequested(Fact):
    """The Chancellor asked to veto the agenda."""

    seat: Seat


@fact("veto-refused")
class VetoRefused(Fact):
    """The President refused the veto: the Chancellor must enact."""

    seat: Seat


@fact("vetoed")
class Vetoed(Fact):
    """The government discarded its agenda: both tiles went face down to the discard pile."""

    tiles: tuple[str, ...]

    def fold(self, table: Table) -> None:
        table.hand = ()
        table.discards = (*table.discards, *self.tiles)

    def scrub(self) -> "Vetoed":
        return replace(self, tiles=unknown(self.tiles))
