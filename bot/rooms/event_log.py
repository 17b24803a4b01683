"""The log of a game: what happened in it, and what each seat may know of that, folded once."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Event, View, fold, seen, view
from engine.facts import GameOver


class EventLog(tuple[Event, ...]):
    """The events of a game. A seat's view is folded when it is first asked for, and kept as long as the log.

    Most of what is told after a tap is told of the same moment: the group's view went into eight texts of one
    answer, and each was folded again. The moment before is told of as well: its view is folded on.
    """

    #: The log before the last events, if it is at hand.
    _before: EventLog | None = None

    def followed_by(self, events: Sequence[Event]) -> EventLog:
        """The log once more has happened."""
        log = EventLog((*self, *events))
        log._before = self
        return log

    def view(self, seat: int | None) -> View:
        """Return the knowledge of a seat, or of the group, after all events."""
        views: dict[int | None, View] = self.__dict__.setdefault("_views", {})
        if seat not in views:
            views[seat] = self._folded(seat)
        return views[seat]

    def _folded(self, seat: int | None) -> View:
        """Fold what happened onto the view of the last log that has one, or of the first log at hand."""
        log = self._before
        while log is not None and log._before is not None and seat not in log.__dict__.get("_views", {}):
            log = log._before
        # At the end of a game everything is told that was secret before.
        if log is None or isinstance(self[-1].fact, GameOver):
            return view(self, seat)
        known, more = log.view(seat), seen(self, seat, len(log))
        return View(seat, fold(more, known.table), (*known.facts, *more))
