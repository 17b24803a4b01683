"""Facts of elections: candidacy, nomination, ballots, office, tracker."""

from engine.facts.base import Fact, fact
from engine.question import Seat
from engine.table import NOT_HITLER, Table


@fact("candidacy-passed")
class CandidacyPassed(Fact):
    """A round begins: the seat is the presidential candidate, in the rotation or by special election."""

    seat: Seat
    special: bool = False

    def fold(self, table: Table) -> None:
        table.round += 1
        table.president, table.chancellor = self.seat, None
        table.called = None
        if not self.special:
            table.anchor = self.seat


@fact("limits-waived")
class LimitsWaived(Fact):
    """Term limits left nobody eligible, so they do not count for this nomination."""


@fact("nominated")
class Nominated(Fact):
    """The candidate nominated a Chancellor."""

    president: Seat
    chancellor: Seat

    def fold(self, table: Table) -> None:
        table.chancellor = self.chancellor


@fact("voted")
class Voted(Fact):
    """All ballots, shown together: "ja" or "nein" by seat, None for a seat without a ballot."""

    ballots: tuple[str | None, ...]
    passed: bool

    def fold(self, table: Table) -> None:
        table.elections += 1


@fact("no-election")
class NoElection(Fact):
    """The election failed without ballots, because there was no possible candidate or nominee."""

    reason: str

    def fold(self, table: Table) -> None:
        table.elections += 1
        # A special election without a possible candidate is over, too.
        table.called = None


@fact("elected")
class Elected(Fact):
    """The candidates take office. From now on they are the last elected government."""

    president: Seat
    chancellor: Seat

    def fold(self, table: Table) -> None:
        table.in_office = True
        table.last_elected = (self.president, self.chancellor)


@fact("confirmed-not-hitler")
class ConfirmedNotHitler(Fact):
    """A Chancellor elected in the Hitler zone is not Hitler."""

    seat: Seat

    def fold(self, table: Table) -> None:
        table.tag(NOT_HITLER, self.seat, 1)


@fact("tracker-advanced")
class TrackerAdvanced(Fact):
    """The election tracker moved on to this value."""

    value: int

    def fold(self, table: Table) -> None:
        table.tracker = self.value


@fact("round-ended")
class RoundEnded(Fact):
    """The round is over, however it ended. Nobody is in office."""

    def fold(self, table: Table) -> None:
        table.in_office = False
