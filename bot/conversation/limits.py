"""How much one chat may ask for: so many commands a minute, then the bot says so once and keeps quiet.

What a game needs is done all the same: only answers that change nothing are left out.
"""

from dataclasses import replace

from bot.conversation.outcome import Context
from bot.rooms.model import Room

#: Commands that a group is answered within a minute; Telegram lets a bot write there about 20 times.
PER_MINUTE = 8
MINUTE = 60
#: Commands that take a game on: where they do something they are never held back.
NEEDED = frozenset({"newgame", "join", "leave", "start", "sub"})


def counted(room: Room, context: Context) -> Room | None:
    """The room with one more command counted, or None where there were too many lately."""
    lately = _lately(room, context)
    if sum(at > 0 for at in lately) >= PER_MINUTE:
        return None
    return replace(room, commands=(*lately, context.now))


def warned(room: Room, context: Context) -> Room | None:
    """The room that is told that it asks too much, or None where it was told lately."""
    lately = _lately(room, context)
    return None if any(at < 0 for at in lately) else replace(room, commands=(*lately, -context.now))


def _lately(room: Room, context: Context) -> tuple[int, ...]:
    # Neither long ago, nor by a clock that was ahead.
    return tuple(at for at in room.commands if abs(abs(at) - context.now) < MINUTE)
