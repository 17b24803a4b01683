"""The Communists' powers: meetings in private, recruitment, congress, five-year plan, confession.

Sources: Red Dawn and XL rule books, "Communist presidential powers". Whatever a meeting decides, the group
learns only that it began and that it ended.
"""

from collections import Counter
from collections.abc import Callable
from typing import cast

from engine.board import Party
from engine.facts import Fact, Shuffled, fact, put
from engine.question import Answers, Seat, asks
from engine.steps.dealing import shuffled
from engine.steps.powers import others
from engine.table import Table
from engine.turn import Turn

COMMUNIST: Party = "communist"
#: Secret roles of Red Dawn and XL that never change their party. Neither does Hitler.
STAUNCH_ROLES = frozenset({"capitalist", "xl-capitalist"})
STAUNCH = STAUNCH_ROLES | {"hitler"}
FIVE_YEARS = (COMMUNIST, COMMUNIST, "liberal")


@fact("communists/meeting-began")
class MeetingBegan(Fact):
    """The Communists meet to use this power, however many they are."""

    power: str


@fact("communists/convened")
class Convened(Fact):
    """These seats meet, and from now on know that all of them are Communists."""

    seats: tuple[Seat, ...]

    def fold(self, table: Table) -> None:
        know_communists(table, self.seats)


@fact("communists/meeting-ended")
class MeetingEnded(Fact):
    """The time of the Communists' meeting is over."""

    power: str


@fact("communists/bugged")
class Bugged(Fact):
    """The seats in a meeting learned a seat's party."""

    target: Seat
    party: Party

    def fold(self, table: Table) -> None:
        table.parties = put(table.parties, self.target, self.party)


@fact("communists/recruitment-tried")
class RecruitmentTried(Fact):
    """The meeting tried to recruit this seat. Its members do not learn whether that worked."""

    target: Seat


@fact("communists/party-changed")
class PartyChanged(Fact):
    """A seat's party membership changed. Only that seat is told."""

    seat: Seat
    party: Party

    def fold(self, table: Table) -> None:
        table.parties = put(table.parties, self.seat, self.party)


@fact("communists/conversion-failed")
class ConversionFailed(Fact):
    """Somebody tried to make this seat a Communist, and nothing changed. Only that seat is told."""

    seat: Seat


@fact("communists/congress-held", hidden="members")
class CongressHeld(Fact):
    """The living Communists learned that these seats are (or were dealt) Communists."""

    members: tuple[Seat, ...] | None

    def fold(self, table: Table) -> None:
        know_communists(table, self.members or ())


@fact("communists/tiles-added")
class TilesAdded(Fact):
    """New tiles came into the draw pile."""

    tiles: tuple[str, ...]

    def fold(self, table: Table) -> None:
        table.pile = (*table.pile, *self.tiles)


@fact("communists/confessed")
class Confessed(Fact):
    """A seat showed its party membership to everybody."""

    seat: Seat
    party: Party

    def fold(self, table: Table) -> None:
        table.parties = put(table.parties, self.seat, self.party)


def know_communists(table: Table, seats: tuple[Seat, ...]) -> None:
    """Mark these seats as Communists on a table (while folding)."""
    for seat in seats:
        table.parties = put(table.parties, seat, COMMUNIST)


def communists(turn: Turn) -> tuple[Seat, ...]:
    """Return the living seats whose party is Communist now."""
    return tuple(seat for seat in turn.table.living() if turn.table.parties[seat] == COMMUNIST)


def meeting(power: str) -> Callable[[Turn, Seat], None]:
    """Return the entry step of a power that the Communists use in a meeting.

    Nothing that the group can see depends on who meets, or on whether anyone does.
    """

    @asks(power)
    def step(turn: Turn, holder: Seat) -> None:
        met = communists(turn)
        turn.tell(MeetingBegan(power))
        turn.tell(Convened(met), met)
        turn.ask(met, [tuple(others(turn, seat)) for seat in met], power, meeting=True)

    return step


def elect_target(turn: Turn, answers: Answers) -> Seat | None:
    """Return the seat with the most picks. If there is a tie or no pick, chance decides.

    None if nobody met, or there was nobody to pick.
    """
    picks = Counter(choice for choice in answers.values() if isinstance(choice, int))
    if picks:
        most = max(picks.values())
        favourites = sorted(seat for seat, count in picks.items() if count == most)
    else:
        favourites = sorted({other for seat in answers for other in others(turn, seat)})
    return turn.chance.pick(f"meeting/{turn.asked}", favourites) if favourites else None


def bugging(turn: Turn, answers: Answers, power: str) -> None:
    """Show the target's party to the seats that met. This does not count as an investigation."""
    turn.tell(MeetingEnded(power))
    target = elect_target(turn, answers)
    if target is not None:
        turn.tell(Bugged(target, cast("Party", turn.table.parties[target])), tuple(answers))


def recruitment(turn: Turn, answers: Answers, power: str) -> None:
    """Make the target a Communist, if possible. Only the target learns the result."""
    turn.tell(MeetingEnded(power))
    target = elect_target(turn, answers)
    if target is not None:
        turn.tell(RecruitmentTried(target), tuple(answers))
        convert(turn, target)


def convert(turn: Turn, seat: Seat) -> None:
    """Make a seat a Communist. Hitler, the Capitalist and Communists stay what they are."""
    table = turn.table
    if table.parties[seat] == COMMUNIST or table.roles[seat] in STAUNCH:
        turn.tell(ConversionFailed(seat), (seat,))
    else:
        turn.tell(PartyChanged(seat, COMMUNIST), (seat,))


def congress(turn: Turn, holder: Seat) -> None:
    """Tell the living Communists which seats are Communist now, the dead included."""
    table = turn.table
    members = tuple(seat for seat in table.all_seats() if table.parties[seat] == COMMUNIST)
    turn.tell(CongressHeld(members), communists(turn))


def congress_of_founders(turn: Turn, holder: Seat) -> None:
    """Tell the living Communists who was dealt Communist at the start, the dead included."""
    table = turn.table
    envelopes = (card.partition(":") for card in turn.board.secret_roles)
    founders = {COMMUNIST, *(role for party, _, role in envelopes if party == COMMUNIST)}
    members = tuple(seat for seat in table.all_seats() if table.roles[seat] in founders)
    turn.tell(CongressHeld(members), communists(turn))


def five_year_plan(turn: Turn, holder: Seat) -> None:
    """Add two Communist tiles and a Liberal one to the draw pile, and shuffle only that pile."""
    turn.tell(TilesAdded(FIVE_YEARS))
    turn.tell(Shuffled(shuffled(turn, list(turn.table.pile)), discards_kept=True), ())


def confession(turn: Turn, holder: Seat) -> None:
    """Show the holder's party to all."""
    turn.tell(Confessed(holder, cast("Party", turn.table.parties[holder])))


STEPS = {
    "power/bugging": meeting("bugging"),
    "bugging": bugging,
    "power/recruitment": meeting("recruitment"),
    "recruitment": recruitment,
    "power/radicalisation": meeting("radicalisation"),
    "radicalisation": recruitment,
    "power/congress": congress,
    "power/five-year-plan": five_year_plan,
    "power/confession": confession,
}
