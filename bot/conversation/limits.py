"""Limit how often people make the bot write in a room.

Commands are counted per person and minute, and so are taps that make the bot write although it asked nothing.
Commands that a game does not need have two more limits, one for all players together and one for all other
people, so that strangers never use up what players need.
"""

from dataclasses import replace

from bot.conversation.incoming import Command
from bot.conversation.outcome import Context, Group, Outcome
from bot.display.buttons import Verb
from bot.rooms.model import Room
from bot.rooms.names import UserId

#: The most acts of one person that a room answers within a minute.
PER_PERSON = 6
#: The most commands that a room answers within a minute, of all players together and of all others together.
#: Telegram lets a bot write to a group about 20 times a minute.
PER_MINUTE, STRANGERS = 8, 4
MINUTE = 60
#: Commands that a game needs to go on. Only the limit per person applies to them.
NEEDED = frozenset({"newgame", "join", "leave", "start", "sub"})
#: The bot sends optional messages only to groups that got fewer posts and edits than this in the last minute.
QUIET = 10
#: Commands of ``ORDERS`` older than this many seconds are not obeyed. A bot that was down gets them late, and
#: nobody means them any more. Taps have no date, and Telegram drops old ones itself.
LATE = 300
ORDERS = NEEDED | {"nextgame", "settings", "unseat", "schedule", "timezone"}
#: Taps that make the bot write although it asked nothing.
ACTS: frozenset[Verb] = frozenset({"join", "leave", "sit", "rematch", "night"})
#: Stands for a user id in ``acts``: the room was warned that it asks too much.
WARNED = 0


def count_act(room: Room, person: UserId, context: Context, *, needed: bool = True) -> Room | None:
    """Return the room with one more act of a person counted, or None if there were too many lately.

    ``needed``: apply only the person's own limit.
    """
    lately = _lately(room, context)
    if sum(who == person for who, _ in lately) >= PER_PERSON:
        return None
    plays = room.has(person)
    alike = sum(who > 0 and room.has(UserId(who)) == plays for who, _ in lately)
    if not needed and alike >= (PER_MINUTE if plays else STRANGERS):
        return None
    return replace(room, acts=(*lately, (person, context.now)))


def note_once(room: Room, mark: int, context: Context) -> Room | None:
    """Return the room, noting something that the bot says at most once a minute; None if it said so lately.

    ``mark``: ``WARNED``, or the negative id of a person who is told again what to answer.
    """
    lately = _lately(room, context)
    if mark in [who for who, _ in lately]:
        return None
    return replace(room, acts=(*lately, (mark, context.now)))


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
    calls = len([effect for effect in outcome.effects if isinstance(effect.to, Group)])
    if outcome.room == before or not calls or outcome.room.private or outcome.room.playing is None:
        return outcome
    lately = [at for at in outcome.room.written if at > context.now - MINUTE]
    written = tuple([*lately, *[context.now] * calls][-QUIET:])
    return replace(outcome, room=replace(outcome.room, written=written))


def _lately(room: Room, context: Context) -> tuple[tuple[int, int], ...]:
    # Drop old acts, and acts timed by a clock that was ahead.
    return tuple(act for act in room.acts if abs(act[1] - context.now) < MINUTE)
