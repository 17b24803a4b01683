"""The log of a game: what happened in it, and what each seat may know of that, folded once."""

from engine import Event, View, view


class EventLog(tuple[Event, ...]):
    """The events of a game. A seat's view is folded when it is first asked for, and kept as long as the log.

    Most of what is told after a tap is told of the same moment: the group's view went into eight texts of one
    answer, and each was folded again.
    """

    def view(self, seat: int | None) -> View:
        """Return the knowledge of a seat, or of the group, after all events."""
        views: dict[int | None, View] = self.__dict__.setdefault("_views", {})
        if seat not in views:
            views[seat] = view(self, seat)
        return views[seat]
