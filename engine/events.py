"""Events: facts with the audience that may know them, and the one way from events to a table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.board import Setup
from engine.facts import Fact, GameOver, Opened
from engine.table import Table

#: Everyone may know.
EVERYONE: None = None
#: Nobody may know before the end.
NOBODY: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """A fact and the seats that may know it whole before the end: None for everyone, () for nobody."""

    fact: Fact
    to: tuple[int, ...] | None = EVERYONE


@dataclass(frozen=True, slots=True)
class View:
    """The table and the facts, in order, as a seat may know them (None: the group)."""

    seat: int | None
    table: Table
    facts: tuple[Fact, ...]

    @property
    def setup(self) -> Setup:
        """The setup that the game was opened with."""
        opened = self.facts[0]
        assert isinstance(opened, Opened)
        return opened.setup


def fold(facts: Iterable[Fact], onto: Table | None = None) -> Table:
    """Return the table after these facts, from an empty one or from ``onto`` (which stays as it was).

    >>> fold([Opened(Setup("classic@1", 5))]).alive
    (True, True, True, True, True)
    """
    table = Table() if onto is None else onto.copy()
    for fact in facts:
        fact.fold(table)
    return table


def seen(events: Sequence[Event], seat: int | None, first: int = 0) -> tuple[Fact, ...]:
    """Return the facts as a seat (None: the group) may know them; after the game's end, all of them whole.

    ``events`` are a game's from its first one on; ``first``: the number of the event to begin with.

    >>> from engine.facts import Investigated, RoundEnded
    >>> events = (Event(Investigated(0, 3, "fascist"), to=(0,)), Event(RoundEnded()))
    >>> seen(events, 0)
    (Investigated(seat=0, target=3, party='fascist'), RoundEnded())
    >>> seen(events, None)
    (Investigated(seat=0, target=3, party=None), RoundEnded())
    >>> seen(events, None, first=1)
    (RoundEnded(),)
    """
    if events and isinstance(events[-1].fact, GameOver):
        return tuple([event.fact for event in events[first:]])
    facts = []
    for event in events[first:] if first else events:
        fact = event.fact if event.to is None or seat in event.to else event.fact.scrub()
        if fact is not None:
            facts.append(fact)
    return tuple(facts)


def view(events: Sequence[Event], seat: int | None) -> View:
    """Return what a seat, or the group, may know after these events of a game (from its first one on).

    >>> from engine.facts import Dealt
    >>> events = (Event(Opened(Setup("classic@1", 5))), Event(Dealt(4, "fascist", "hitler"), to=(4,)))
    >>> view(events, 4).table.roles
    (None, None, None, None, 'hitler')
    >>> view(events, None).table.roles
    (None, None, None, None, None)
    """
    facts = seen(events, seat)
    return View(seat, fold(facts), facts)
