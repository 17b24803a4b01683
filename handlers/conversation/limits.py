"""How much one chat may ask for: so many commands a minute, then the bot keeps quiet."""

from dataclasses import replace

from handlers.conversation.outcome import Known
from handlers.rooms.model import Room

#: Commands that a group is answered within a minute; Telegram lets a bot write there about 20 times.
PER_MINUTE = 8
MINUTE = 60


def counted(room: Room, known: Known) -> Room | None:
    """The room with one more command counted, or None where there were too many lately."""
    lately = tuple(at for at in room.commands if at > known.now - MINUTE)
    if len(lately) >= PER_MINUTE:
        return None
    return replace(room, commands=(*lately, known.now))
