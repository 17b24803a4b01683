"""The facts that all rulesets share: how each changes a table, and what others see of it.

A fact changes a table (``fold``). To seats that may not see all of it, it is shown without its secrets or not
at all (``scrub``). Expansions define their own facts with their steps.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import ClassVar, TypeVar, dataclass_transform

from engine import tiles
from engine.board import HITLER, Party, Role, Setup, Side
from engine.frozen import frozen
from engine.question import Seat
from engine.table import INVESTIGATED, NOT_HITLER, Table

T = TypeVar("T")
F = TypeVar("F", bound="Fact")


@frozen
class Fact:
    """Something that happened. Subclasses are made with ``fact``, and their fields are plain data."""

    #: The name under which such facts are stored, such as ``"xl/marked"``. It never changes, even if the
    #: class is renamed.
    id: ClassVar[str]
    #: Every kind of fact, by its id and its former ids, to read stored facts.
    kinds: ClassVar[dict[str, type["Fact"]]] = {}
    #: See ``fact``.
    face_down: ClassVar[str] = ""
    hidden: ClassVar[str] = ""

    def fold(self, table: Table) -> None:
        """Apply this fact to a table."""

    def scrub(self) -> "Fact | None":
        """Return what others see of this fact, or None if they see nothing."""
        if self.face_down:
            seen = getattr(self, self.face_down)
            down = tiles.UNKNOWN if isinstance(seen, str) else (tiles.UNKNOWN,) * len(seen)
            return replace(self, **{self.face_down: down})
        return replace(self, **{self.hidden: None}) if self.hidden else None


@dataclass_transform(frozen_default=True)
def fact(name: str, *former: str, face_down: str = "", hidden: str = "") -> Callable[[type[F]], type[F]]:
    """Turn a class into a kind of fact: a frozen dataclass that is stored under this id.

    An expansion's ids begin with its name: ``"xl/marked"``. ``former``: ids under which such facts may have
    been stored before. Raises ValueError if another kind has one of these ids, because stored games would be
    misread.

    By default, seats that may not know a fact see nothing of it. ``face_down`` names a field with a tile or
    tiles: these seats see the fact with unknown tiles. ``hidden`` names a field that is None for them.
    """

    def made(shape: type[F]) -> type[F]:
        kind = frozen(shape)
        for each in (name, *former):
            if other := Fact.kinds.get(each):
                raise ValueError(f"two kinds of fact are called {each!r}: {_place(other)} and {_place(kind)}")
        kind.id, kind.face_down, kind.hidden = name, face_down, hidden
        Fact.kinds.update(dict.fromkeys((name, *former), kind))
        return kind

    return made


def _place(kind: type[Fact]) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def put(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """Return the values with one of them replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def fold(facts: Iterable[Fact], onto: Table | None = None) -> Table:
    """Return the table after these facts. It starts empty, or as a copy of ``onto``.

    >>> fold([Opened(Setup("classic@1", 5))]).alive
    (True, True, True, True, True)
    """
    table = Table() if onto is None else onto.copy()
    for fact in facts:
        fact.fold(table)
    return table


# --- the setup ----------------------------------------------------------------------------------------------


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

    colours: tuple[Party, ...]

    def fold(self, table: Table) -> None:
        table.tracks = dict.fromkeys(self.colours, ())


@fact("dealt")
class Dealt(Fact):
    """A seat was dealt its envelope: a party membership and a role."""

    seat: Seat
    party: Party
    role: Role

    def fold(self, table: Table) -> None:
        parties, roles = [*table.parties], [*table.roles]
        parties[self.seat], roles[self.seat] = self.party, self.role
        table.parties, table.roles = tuple(parties), tuple(roles)


@fact("recognised")
class Recognised(Fact):
    """The seats that may know this fact learn the party of ``seat``, and whether it is Hitler."""

    seat: Seat
    party: Party
    hitler: bool

    def fold(self, table: Table) -> None:
        table.parties = put(table.parties, self.seat, self.party)
        if self.hitler:
            table.roles = put(table.roles, self.seat, HITLER)


@fact("shuffled", face_down="pile")
class Shuffled(Fact):
    """The draw pile was shuffled into this order, top first, with the discards unless ``discards_kept``."""

    pile: tuple[str, ...]
    discards_kept: bool = False

    def fold(self, table: Table) -> None:
        table.pile = self.pile
        table.shuffles += 1
        if not self.discards_kept:
            table.discards = ()


# --- elections ----------------------------------------------------------------------------------------------


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


# --- legislative sessions -----------------------------------------------------------------------------------


@fact("drew", face_down="hand")
class Drew(Fact):
    """The President drew these tiles from the top of the pile."""

    seat: Seat
    hand: tuple[str, ...]

    def fold(self, table: Table) -> None:
        table.pile = table.pile[len(self.hand) :]
        table.hand = self.hand


@fact("discarded", face_down="tile")
class Discarded(Fact):
    """A tile of the hand went face down to the discard pile."""

    seat: Seat
    tile: str

    def fold(self, table: Table) -> None:
        table.hand = tiles.without(table.hand, self.tile)
        table.discards = (*table.discards, self.tile)


@fact("passed", face_down="hand")
class Passed(Fact):
    """The President handed the remaining tiles to the Chancellor (``seat``)."""

    seat: Seat
    hand: tuple[str, ...]

    def fold(self, table: Table) -> None:
        table.hand = self.hand


@fact("enacted")
class Enacted(Fact):
    """A tile was enacted. It went on ``track``, or out of the game if that is None.

    In chaos it came from the pile, otherwise from the hand.
    """

    tile: str
    track: Party | None
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


@fact("vetoed", face_down="tiles")
class Vetoed(Fact):
    """The government discarded its agenda: both tiles went face down to the discard pile."""

    tiles: tuple[str, ...]

    def fold(self, table: Table) -> None:
        table.hand = ()
        table.discards = (*table.discards, *self.tiles)


# --- powers, deaths, the clock, and the end -----------------------------------------------------------------


@fact("power-lapsed")
class PowerLapsed(Fact):
    """A power was lost, because it had no legal target or no living holder."""

    power: str


@fact("investigated", hidden="party")
class Investigated(Fact):
    """A seat looked at another one's party membership. Only the looker learns the party."""

    seat: Seat
    target: Seat
    party: Party | None

    def fold(self, table: Table) -> None:
        table.tag(INVESTIGATED, self.target, 1)
        if self.party is not None:
            table.parties = put(table.parties, self.target, self.party)


@fact("peeked", face_down="pile")
class Peeked(Fact):
    """A seat looked at the top tiles of the draw pile (top first), and left them in their order."""

    seat: Seat
    pile: tuple[str, ...]


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

    winners: tuple[Side, ...]
    reason: str

    def fold(self, table: Table) -> None:
        table.winners = self.winners
        table.reason = self.reason
        table.in_office = False
