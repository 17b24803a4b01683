"""How much one chat may ask for: so many commands a minute, then the bot says so once and keeps quiet.

What a game needs is done all the same: only answers that change nothing are left out.
"""

from dataclasses import replace

from bot.conversation.incoming import Command
from bot.conversation.outcome import Context
from bot.rooms.model import Room

#: Commands that a group is answered within a minute; Telegram lets a bot write there about 20 times.
PER_MINUTE = 8
MINUTE = 60
#: Commands that take a game on: where they do something they are never held back.
NEEDED = frozenset({"newgame", "join", "leave", "start", "sub"})
#: Commands that are not obeyed once they are so many seconds old: a bot that was away hears them late, and
#: nobody means them any more. Taps carry no time, and Telegram lets them go by itself.
LATE = 300
ORDERS = NEEDED | {"nextgame", "settings", "unseat"}


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


def is_late(said: Command, now: float) -> bool:
    """Whether a command was given too long ago to be obeyed now (in seconds since 1970)."""
    return said.date is not None and said.date < now - LATE


def _lately(room: Room, context: Context) -> tuple[int, ...]:
    return tuple(at for at in room.commands if abs(at) > context.now - MINUTE)
