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
    """What a seat (None: the group) may know: the table as it sees it, and the facts it saw, in order."""

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
    """The table after these facts, from an empty one or from ``onto`` (which stays as it was)."""
    table = Table() if onto is None else onto.copy()
    for fact in facts:
        fact.fold(table)
    return table


def seen(events: Sequence[Event], seat: int | None) -> tuple[Fact, ...]:
    """The facts as a seat (None: the group) may know them; after the game's end, all of them whole."""
    if events and isinstance(events[-1].fact, GameOver):
        return tuple([event.fact for event in events])
    facts = []
    for event in events:
        fact = event.fact if event.to is None or seat in event.to else event.fact.scrub()
        if fact is not None:
            facts.append(fact)
    return tuple(facts)


def view(events: Sequence[Event], seat: int | None) -> View:
    """What a seat, or the group, may know after these events of a game (from its first one on)."""
    facts = seen(events, seat)
    return View(seat, fold(facts), facts)
