"""Facts of elections: candidacy, nomination, ballots, office, tracker."""

from dataclasses import dataclass

from engine.facts.base import Fact
from engine.table import NOT_HITLER, Table


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
class RoundEnded(Fact):
    """The round is over, however it ended; nobody holds office."""

    def fold(self, table: Table) -> None:
        table.in_office = False
