"""The log of a game: its events, and each seat's view of them."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Event, View, fold, seen, view
from engine.facts import GameOver


class EventLog(tuple[Event, ...]):
    """The events of a game. A seat's view is folded at the first call, and cached as long as the log.

    Most messages after a tap show the same moment: one answer used the group's view eight times. Others show
    the moment before, so that a later view continues its fold.
    """

    #: The log before the last events, if available.
    _before: EventLog | None = None

    def followed_by(self, events: Sequence[Event]) -> EventLog:
        """Return the log with further events."""
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
        """Fold further events onto the view of the last log that has one, or of the first log available."""
        log = self._before
        while log is not None and log._before is not None and seat not in log.__dict__.get("_views", {}):
            log = log._before
        # The end of a game reveals everything that was secret before.
        if log is None or isinstance(self[-1].fact, GameOver):
            return view(self, seat)
        known, more = log.view(seat), seen(self, seat, len(log))
        return View(seat, fold(more, known.table), (*known.facts, *more))
