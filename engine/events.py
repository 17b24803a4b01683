"""Events: facts with the audience that may know them. ``view`` makes a seat's facts and table from them."""

from collections.abc import Sequence
from functools import cached_property

from engine.board import Setup
from engine.facts import Fact, GameOver, Opened, fold
from engine.frozen import frozen
from engine.question import Seat
from engine.table import Table

#: Everyone may know.
EVERYONE: None = None
#: Nobody may know before the end.
NOBODY: tuple[Seat, ...] = ()


@frozen
class Event:
    """A fact, and the seats that may know all of it before the end: None for everyone, () for nobody."""

    fact: Fact
    to: tuple[Seat, ...] | None = EVERYONE

    @cached_property
    def for_others(self) -> Fact | None:
        """The fact as the seats see it that may not know all of it; None if they see nothing."""
        return self.fact.scrub()


@frozen
class View:
    """The table and the facts in order, as far as a seat (None: the group) may know them."""

    seat: Seat | None
    table: Table
    facts: tuple[Fact, ...]

    @cached_property
    def setup(self) -> Setup:
        """The game's setup."""
        opened = self.facts[0]
        assert isinstance(opened, Opened)
        return opened.setup


def seen(events: Sequence[Event], seat: Seat | None, first: int = 0) -> tuple[Fact, ...]:
    """Return the facts as a seat (None: the group) may know them. After the game's end, nothing is hidden.

    ``events`` are all of a game's events. ``first`` is the index of the first event to return.

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
        fact = event.fact if event.to is None or seat in event.to else event.for_others
        if fact is not None:
            facts.append(fact)
    return tuple(facts)


def view(events: Sequence[Event], seat: Seat | None) -> View:
    """Return what a seat (None: the group) may know. ``events`` are all events of a game so far.

    >>> from engine.facts import Dealt
    >>> events = (Event(Opened(Setup("classic@1", 5))), Event(Dealt(4, "fascist", "hitler"), to=(4,)))
    >>> view(events, 4).table.roles
    (None, None, None, None, 'hitler')
    >>> view(events, None).table.roles
    (None, None, None, None, None)
    """
    facts = seen(events, seat)
    return View(seat, fold(facts), facts)
