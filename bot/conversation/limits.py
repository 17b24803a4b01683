"""How much one chat may ask for: so many commands a minute, then the bot says so once and keeps quiet.

What a game needs is done all the same: only answers that change nothing are left out.
"""

from dataclasses import replace

from bot.conversation.incoming import Command
from bot.conversation.outcome import Context, Outcome
from bot.conversation.recipients import GROUP
from bot.rooms.model import Room

#: Commands that a group is answered within a minute; Telegram lets a bot write there about 20 times.
PER_MINUTE = 8
MINUTE = 60
#: Commands that take a game on: where they do something they are never held back.
NEEDED = frozenset({"newgame", "join", "leave", "start", "sub"})
#: With fewer posts and edits in the last minute than this, a group has room for what it could do without.
QUIET = 10
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


def is_quiet(room: Room, context: Context) -> bool:
    """Return whether the bot wrote so little to the group lately that it may write what could be spared."""
    return sum(at > context.now - MINUTE for at in room.written) < QUIET


def with_writing_noted(before: Room, outcome: Outcome, context: Context) -> Outcome:
    """Note when the bot writes to the group in a running game; at most ``QUIET`` times are kept.

    An answer that changes nothing else in the room stays without a note.
    """
    calls = sum(effect.to == GROUP for effect in outcome.effects)
    if outcome.room == before or not calls or outcome.room.private or outcome.room.playing is None:
        return outcome
    lately = [at for at in outcome.room.written if at > context.now - MINUTE]
    written = tuple([*lately, *[context.now] * calls][-QUIET:])
    return replace(outcome, room=replace(outcome.room, written=written))
