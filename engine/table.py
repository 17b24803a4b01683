"""The table: everything on it, or only what a seat may know of it.

In the engine, only facts change a table (``Fact.fold``). They are applied to a new table or a copy, so the
table of a ``Game`` never changes. The table of a ``Turn`` is such a copy. It changes each time a step tells
a fact.

A game's own table has had every fact applied to it. The table in a seat's view has had only the facts that
the seat may see. It has ``None`` or ``UNKNOWN`` for parties, roles and tiles that the seat has not learned.
If a party changes in secret, that table keeps the party that the seat learned before.
"""

from dataclasses import dataclass, field, fields
from itertools import compress
from operator import attrgetter

from engine.board import Party, Role, Side
from engine.question import SEATS, Seat

SITS_OUT = "sits-out"
NOT_HITLER = "not-hitler"
INVESTIGATED = "investigated"
#: The counter that is above 0 while players decide without seeing their cards.
BLINDFOLD = "blindfold"
#: The counter of the month, from 1 to 12, in games with a calendar.
MONTH = "month"
#: Prefixes of two counters for each track. TAKEN counts the tiles that have been taken off it. When a tile is
#: taken off, COVERED becomes the number of slots that have been covered so far.
TAKEN = "taken/"
COVERED = "covered/"


@dataclass(slots=True)
class Table:
    """The table. Seats are numbered from 0 in the order in which they sit, to the left."""

    seats: int = 0
    #: Party membership and role by seat; None if unknown. The party may change, the role does not.
    parties: tuple[Party | None, ...] = ()
    roles: tuple[Role | None, ...] = ()
    alive: tuple[bool, ...] = ()
    #: Tags on seats, each with a number: ``{"sits-out": {4: 2}}``. Rulesets name their own.
    tags: dict[str, dict[Seat, int]] = field(default_factory=dict)
    #: Numbers for the whole table, named by rulesets: ``{"month": 10}``.
    counters: dict[str, int] = field(default_factory=dict)

    pile: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    tracks: dict[Party, tuple[str, ...]] = field(default_factory=dict)
    #: Tiles that left the game.
    removed: tuple[str, ...] = ()
    #: How often the draw pile has been shuffled, counting the first time.
    shuffles: int = 0

    #: The last candidate of the regular rotation. Special elections do not change it.
    anchor: Seat | None = None
    #: The seat called to a special election that has not begun yet.
    called: Seat | None = None
    president: Seat | None = None
    chancellor: Seat | None = None
    #: True from a passed election to the end of the round.
    in_office: bool = False
    #: President and Chancellor of the last elected government, for term limits.
    last_elected: tuple[Seat, Seat] | None = None

    tracker: int = 0
    veto: bool = False
    round: int = 0
    elections: int = 0
    #: The parties that won, and the roles that won separately. None during the game, like ``reason``.
    winners: tuple[Side, ...] | None = None
    reason: str | None = None

    def copy(self) -> "Table":
        """Return a copy to fold facts onto. Values that both share are never changed in place."""
        return Table(*_values(self))

    def all_seats(self) -> tuple[Seat, ...]:
        """Return all seats in order, whether alive or dead."""
        return SEATS[: self.seats]

    def living(self) -> tuple[Seat, ...]:
        """Return the seats that are alive, including those that sit out."""
        return tuple(compress(SEATS, self.alive))

    def able(self) -> tuple[Seat, ...]:
        """Return the living seats that may vote and hold office: those that do not sit out."""
        out = self.tags.get(SITS_OUT)
        return self.living() if not out else tuple([seat for seat in self.living() if seat not in out])

    def left_of(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all seats in order, from the left neighbour of a seat to the seat itself."""
        return SEATS[seat + 1 : self.seats] + SEATS[: seat + 1]

    def covered(self, track: Party) -> int:
        """Return how many slots of a track have ever been covered, including those that are free again."""
        return max(len(self.tracks[track]), self.counters.get(f"{COVERED}{track}", 0))

    def laid(self, track: Party) -> int:
        """Return how many tiles have ever been laid on a track, including those taken off since."""
        return len(self.tracks[track]) + self.counters.get(f"{TAKEN}{track}", 0)

    def tagged(self, tag: str) -> dict[Seat, int]:
        """Return the seats that have a tag, with its number."""
        return self.tags.get(tag, {})

    def tag(self, tag: str, seat: Seat, value: int | None) -> None:
        """Set a seat's tag, or remove it if the value is None (for facts only)."""
        seats = dict(self.tags.get(tag, {}))
        if value is None:
            seats.pop(seat, None)
        else:
            seats[seat] = value
        self.tags = {**self.tags, tag: seats}

    def count(self, **numbers: int) -> None:
        """Set counters (for facts only)."""
        self.counters = {**self.counters, **numbers}


#: Returns the values of a table's fields, in order. It is made once, because ``copy`` runs each time that
#: a question closes.
_values = attrgetter(*[f.name for f in fields(Table)])
