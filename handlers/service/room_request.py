"""An incoming value with its room and deadline, for all stages of its handling."""

from dataclasses import dataclass, field

from bot.conversation.incoming import Incoming
from bot.rooms.names import RoomName
from infra.outbox.outbox_sender import new_owner


@dataclass(frozen=True, slots=True)
class RoomRequest:
    """An incoming value, its room, and the time at which sending must end (seconds since 1970)."""

    said: Incoming
    name: RoomName
    #: Telegram's id of the update; None for a wake-up.
    update_id: int | None
    deadline: float
    #: True if Telegram waits for the answer, so that the queue and not this invocation waits for send slots.
    hurried: bool = True
    #: The holder of the room's lease while this is handled.
    owner: str = field(default_factory=new_owner)
