"""What a stored room says about its sealed game: whether it is time to deal, and when the seal was posted."""

from bot.conversation.lobby.freezing import SEAL
from bot.rooms.codec import decode
from bot.rooms.model import Room
from infra.outbox.calls import DATE
from infra.store.items import RoomItem


def seal_posted_at(item: RoomItem | None, room: Room) -> int | None:
    """When the message with the room's seal was posted, by Telegram's date, if it is known to be.

    Kept in one write with the taking of the message out of the outbox: where Telegram's answer was lost the
    message goes out once more, and the later date counts.
    """
    remembered = None if item is None else item.messages.get(DATE + SEAL)
    if room.sealed is None or remembered is None or remembered[0] != room.sealed.mark:
        return None
    return int(remembered[1])


def to_be_dealt(item: RoomItem, now: float) -> bool:
    """Whether a game is sealed there that it is time to look at (``now`` in seconds since 1970)."""
    if item.due is None or item.due > now:
        return False
    sealed = decode(item.body, item.schema).sealed
    return sealed is not None and sealed.look <= now
