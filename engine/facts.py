"""What can happen in every ruleset. An expansion defines further facts beside its own steps.

A fact knows what it does to a table (``fold``) and what those see of it who may not see it whole
(``scrub``: a fact with its secrets taken out, or nothing).
"""

from dataclasses import dataclass, replace
from typing import ClassVar, TypeVar

from engine import tiles
from engine.board import Setup
from engine.table import INVESTIGATED, NOT_HITLER, Table

T = TypeVar("T")


class Fact:
    """Something that happened. Subclasses are frozen dataclasses whose fields are plain data."""

    __slots__ = ()
    #: Every kind of fact by its class name, for whoever stores facts.
    kinds: ClassVar[dict[str, type["Fact"]]] = {}

    def __init_subclass__(cls) -> None:
        # A dataclass with slots makes its class a second time: the later one is the one in use.
        Fact.kinds[cls.__name__] = cls

    def fold(self, table: Table) -> None:
        """Do to the table what this fact means."""

    def scrub(self) -> "Fact | None":
        """What those see who may not know it: by default nothing."""
        return None


def unknown(seen: tuple[str, ...]) -> tuple[str, ...]:
    """As many unknown tiles."""
    return (tiles.UNKNOWN,) * len(seen)


def put(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """The values with one of them replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


@dataclass(frozen=True, slots=True)
class Opened(Fact):
    """A game began with this setup; first fact of every game."""

    setup: Setup

    def fold(self, table: Table) -> None:
        table.seats = seats = self.setup.players
        table.parties = table.roles = (None,) * seats
        table.alive = (True,) * seats


@dataclass(frozen=True, slots=True)
class TracksLaid(Fact):
    """The empty tracks lie on the table."""

    colours: tuple[str, ...]

    def fold(self, table: Table) -> None:
        table.tracks = dict.fromkeys(self.colours, ())


@dataclass(frozen=True, slots=True)
class Dealt(Fact):
    """A seat was dealt its envelope: a party membership and a role."""

    seat: int
    party: str
    role: str

    def fold(self, table: Table) -> None:
        table.parties = put(table.parties, self.seat, self.party)
        table.roles = put(table.roles, self.seat, self.role)


@dataclass(frozen=True, slots=True)
class Recognised(Fact):
    """Those who may know this fact know the seat's party, and whether it is Hitler."""

    seat: int
    party: str
    hitler: bool

    def fold(self, table: Table) -> None:
        table.parties = put(table.parties, self.seat, self.party)
        if self.hitler:
            table.roles = put(table.roles, self.seat, "hitler")


@dataclass(frozen=True, slots=True)
class Shuffled(Fact):
    """The draw pile now lies in this order, top first; the discard pile is in it unless it was kept."""

    pile: tuple[str, ...]
    discards_kept: bool = False

    def fold(self, table: Table) -> None:
        table.pile = self.pile
        table.shuffles += 1
        if not self.discards_kept:
            table.discards = ()

    def scrub(self) -> "Shuffled":
        return replace(self, pile=unknown(self.pile))


@dataclass(frozen=True, slots=True)
class CandidacyPassed(Fact):
    """A round begins: the seat is the presidential candidate, in the rotation or by special election."""

    seat: int
    special: bool = False

    def fold(self, table: Table) -> None:
        table.round += 1
        table.president, table.chancellor = self.seat, None
        table.called = None
        if not self.special:
            table.anchor = self.seat


@dataclass(frozen=True, slots=True)
class LimitsWaived(Fact):
    """Nobody was eligible, so term limits do not count for this nomination."""


@dataclass(frozen=True, slots=True)
class Nominated(Fact):
    """The candidate nominated a Chancellor."""

    president: int
    chancellor: int

    def fold(self, table: Table) -> None:
        table.chancellor = self.chancellor


@dataclass(frozen=True, slots=True)
class Voted(Fact):
    """All ballots, shown together: "ja" or "nein" by seat, None where no ballot was cast or asked for."""

    ballots: tuple[str | None, ...]
    passed: bool

    def fold(self, table: Table) -> None:
        table.elections += 1


@dataclass(frozen=True, slots=True)
class NoElection(Fact):
    """The election failed without ballots, for want of a candidate or a nominee."""

    reason: str

    def fold(self, table: Table) -> None:
        table.elections += 1
        # A special election that nobody could stand in is over, like any other.
        table.called = None


@dataclass(frozen=True, slots=True)
class Elected(Fact):
    """The candidates hold office; from now on they are the last elected government."""

    president: int
    chancellor: int

    def fold(self, table: Table) -> None:
        table.in_office = True
        table.last_elected = (self.president, self.chancellor)


@dataclass(frozen=True, slots=True)
class ConfirmedNotHitler(Fact):
    """A Chancellor elected in the Hitler zone is not Hitler."""

    seat: int

    def fold(self, table: Table) -> None:
        table.tag(NOT_HITLER, self.seat, 1)


@dataclass(frozen=True, slots=True)
class TrackerAdvanced(Fact):
    """The election tracker moved on to this value."""

    value: int

    def fold(self, table: Table) -> None:
        table.tracker = self.value


@dataclass(frozen=True, slots=True)
class Drew(Fact):
    """The President drew these tiles from the top of the pile."""

    seat: int
    hand: tuple[str, ...]

    def fold(self, table: Table) -> None:
        table.pile = table.pile[len(self.hand) :]
        table.hand = self.hand

    def scrub(self) -> "Drew":
        return replace(self, hand=unknown(self.hand))


@dataclass(frozen=True, slots=True)
class Discarded(Fact):
    """A tile of the hand went face down to the discard pile."""

    seat: int
    tile: str

    def fold(self, table: Table) -> None:
        table.hand = tiles.without(table.hand, self.tile)
        table.discards = (*table.discards, self.tile)

    def scrub(self) -> "Discarded":
        return replace(self, tile=tiles.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Passed(Fact):
    """The President handed the remaining tiles to the Chancellor."""

    seat: int
    hand: tuple[str, ...]

    def fold(self, table: Table) -> None:
        table.hand = self.hand

    def scrub(self) -> "Passed":
        return replace(self, hand=unknown(self.hand))


@dataclass(frozen=True, slots=True)
class Enacted(Fact):
    """A tile was played face up, onto its track or (None) out of the game; by chaos off the pile."""

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


@dataclass(frozen=True, slots=True)
class VetoUnlocked(Fact):
    """From now on, for good, a government may veto."""

    def fold(self, table: Table) -> None:
        table.veto = True


@dataclass(frozen=True, slots=True)
class VetoRequested(Fact):
    """The Chancellor asked to veto the agenda."""

    seat: int


@dataclass(frozen=True, slots=True)
class VetoRefused(Fact):
    """The President refused the veto: the Chancellor must enact."""

    seat: int


@dataclass(frozen=True, slots=True)
class Vetoed(Fact):
    """The government discarded its agenda: both tiles went face down to the discard pile."""

    tiles: tuple[str, ...]

    def fold(self, table: Table) -> None:
        table.hand = ()
        table.discards = (*table.discards, *self.tiles)

    def scrub(self) -> "Vetoed":
        return replace(self, tiles=unknown(self.tiles))


@dataclass(frozen=True, slots=True)
class PowerLapsed(Fact):
    """A power had no legal target or no living holder, and is gone."""

    power: str


@dataclass(frozen=True, slots=True)
class Investigated(Fact):
    """A seat looked at another one's party membership; only the looker learns the party."""

    seat: int
    target: int
    party: str | None

    def fold(self, table: Table) -> None:
        table.tag(INVESTIGATED, self.target, 1)
        if self.party is not None:
            table.parties = put(table.parties, self.target, self.party)

    def scrub(self) -> "Investigated":
        return replace(self, party=None)


@dataclass(frozen=True, slots=True)
class Peeked(Fact):
    """A seat looked at the top tiles of the draw pile, top first, and left them as they lay."""

    seat: int
    pile: tuple[str, ...]

    def scrub(self) -> "Peeked":
        return replace(self, pile=unknown(self.pile))


@dataclass(frozen=True, slots=True)
class SpecialElectionCalled(Fact):
    """A President called a special election: the target is the next presidential candidate."""

    seat: int
    target: int

    def fold(self, table: Table) -> None:
        table.called = self.target


@dataclass(frozen=True, slots=True)
class Killed(Fact):
    """A seat died: by whom (None: nobody's hand) and by what."""

    seat: int
    by: int | None
    cause: str

    def fold(self, table: Table) -> None:
        table.alive = put(table.alive, self.seat, False)


@dataclass(frozen=True, slots=True)
class RoundEnded(Fact):
    """The round is over, however it ended; nobody holds office."""

    def fold(self, table: Table) -> None:
        table.in_office = False


@dataclass(frozen=True, slots=True)
class ClockAnswered(Fact):
    """The clock answered a question for those who had not."""

    question: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameOver(Fact):
    """These parties won; everything hidden is now shown."""

    winners: tuple[str, ...]
    reason: str

    def fold(self, table: Table) -> None:
        table.winners = self.winners
        table.reason = self.reason
        table.in_office = False
