"""One incoming value with its room and deadline, for all stages of its handling."""

from dataclasses import dataclass, field

from bot.conversation.incoming import Incoming
from bot.rooms.names import RoomName
from infra.outbox.outbox_sender import new_owner


@dataclass(frozen=True, slots=True)
class RoomRequest:
    """One incoming value, its room, and when sending must end (seconds since 1970)."""

    said: Incoming
    name: RoomName
    #: Telegram's id of the update; None: nobody but the clock spoke.
    update_id: int | None
    deadline: float
    #: Leave it to the queue to wait for send slots: Telegram waits for the answer.
    hurried: bool = True
    #: Who holds the room's lease while this is dealt with.
    owner: str = field(default_factory=new_owner)
