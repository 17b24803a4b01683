"""Pass over all rooms once a day, and forget the people of rooms that nobody has touched for a year."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from bot.conversation.fading import is_untouched
from bot.conversation.incoming import Fade
from bot.rooms.codec import NewerSchema, decode
from bot.rooms.names import from_key
from handlers.service.room_request import RoomRequest
from handlers.service.room_service import RoomService
from infra.store.cursor import Cursor
from infra.store.rooms import Rooms


@dataclass(frozen=True, slots=True)
class Fading:
    """Looks through the rooms, and tells those that are untouched."""

    rooms: Rooms
    room_service: RoomService
    clock: Callable[[], float]
    #: The progress of the pass.
    seen: Cursor

    def go_on(self, deadline: float) -> None:
        """Go on where the last run ended, until ``deadline`` (seconds since 1970).

        At the end of the table it starts again. The cursor moves before a room is dealt with, so a room that
        fails or kills the process holds up no other. Raises StoreUnavailable. The next run does the rest.
        """
        seen = self.seen.load()
        for item in self.rooms.every(seen):
            if self.clock() > deadline:
                if seen is not None:
                    self.seen.save(seen)
                return
            seen = item.key
            with suppress(NewerSchema, ValueError):  # a room of newer code, or a damaged one
                if is_untouched(decode(item.body, item.schema), int(self.clock())):
                    self.seen.save(seen)
                    name = from_key(seen)
                    self.room_service.handle(RoomRequest(Fade(name), name, None, deadline, hurried=False))
        self.seen.begin_anew()
