"""Limit what one person may ask of a room, and how much a room may do.

Acts that make the bot write are counted per person and minute: commands, seats taken and left, blocking the
bot and coming back. In addition, players share one limit and other people share another, so that strangers
never use up what players need.
"""

from dataclasses import replace

from bot.conversation.incoming import Command
from bot.conversation.outcome import GROUP, Context, Outcome
from bot.rooms.model import Room

#: Acts of one person in one room that are answered within a minute.
PER_PERSON = 6
#: Commands that a room answers within a minute to all players together, and to all others together. Telegram
#: lets a bot write to a group about 20 times a minute.
PER_MINUTE, STRANGERS = 8, 4
MINUTE = 60
#: Commands that a game needs to go on: everybody may give them, however much strangers have asked.
NEEDED = frozenset({"newgame", "join", "leave", "start", "sub"})
#: With fewer posts and edits than this in the last minute, a group has room for optional ones.
QUIET = 10
#: Commands of ``ORDERS`` older than this many seconds are not obeyed: a bot that was down gets them late, and
#: nobody means them any more. Taps have no date, and Telegram drops old ones itself.
LATE = 300
ORDERS = NEEDED | {"nextgame", "settings", "unseat", "schedule", "timezone"}
#: Taps that make the bot write although it asked nothing.
ACTS = frozenset({"join", "leave", "sit", "rematch", "night"})
#: Stands in ``acts`` for a user id: the room was told that it asks too much.
_WARNED = 0


def count_act(room: Room, person: int, context: Context, *, needed: bool = True) -> Room | None:
    """Return the room with one more act of a person counted, or None if there were too many lately.

    ``needed``: only the person's own limit applies.
    """
    lately = _lately(room, context)
    if sum(who == person for who, _ in lately) >= PER_PERSON:
        return None
    plays = room.has(person)
    alike = sum(who > 0 and room.has(who) == plays for who, _ in lately)
    if not needed and alike >= (PER_MINUTE if plays else STRANGERS):
        return None
    return replace(room, acts=(*lately, (person, context.now)))


def repeat_once(room: Room, person: int, context: Context) -> Room | None:
    """Note that a person is told again what they owe; return None if they were told lately."""
    lately = _lately(room, context)
    told = -person, context.now
    return None if any(who == -person for who, _ in lately) else replace(room, acts=(*lately, told))


def warn(room: Room, context: Context) -> Room | None:
    """Note that the room is warned that it asks too much; return None if it was warned lately."""
    lately = _lately(room, context)
    return (
        None
        if any(who == _WARNED for who, _ in lately)
        else replace(room, acts=(*lately, (_WARNED, context.now)))
    )


def is_late(incoming: Command, now: float) -> bool:
    """Return True if a command is too old to be obeyed (``now`` in seconds since 1970)."""
    return incoming.date is not None and incoming.date < now - LATE


def is_quiet(room: Room, context: Context) -> bool:
    """Return True if the bot wrote so little to the group lately that it may write optional messages."""
    return sum(at > context.now - MINUTE for at in room.written) < QUIET


def with_writing_noted(before: Room, outcome: Outcome, context: Context) -> Outcome:
    """Note when the bot writes to the group in a running game; at most ``QUIET`` times are kept.

    Nothing is noted if the answer changes nothing else in the room.
    """
    calls = len([effect for effect in outcome.effects if effect.to == GROUP])
    if outcome.room == before or not calls or outcome.room.private or outcome.room.playing is None:
        return outcome
    lately = [at for at in outcome.room.written if at > context.now - MINUTE]
    written = tuple([*lately, *[context.now] * calls][-QUIET:])
    return replace(outcome, room=replace(outcome.room, written=written))


def forget_acts(room: Room, person: int) -> Room:
    """Return the room without a person's counted acts."""
    return replace(room, acts=tuple(act for act in room.acts if abs(act[0]) != person))


def _lately(room: Room, context: Context) -> tuple[tuple[int, int], ...]:
    # Drop old acts, and acts timed by a clock that was ahead.
    return tuple(act for act in room.acts if abs(act[1] - context.now) < MINUTE)
