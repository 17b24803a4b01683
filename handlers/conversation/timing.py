"""When an open question closes by itself, and when those who have not answered are reminded."""

from engine import question_for, waiting_on
from handlers.rooms.model import Match, Room

#: Seconds to think, by the group's setting.
CLOCKS: dict[str, int | None] = {"off": None, "relaxed": 600, "fast": 90}
#: Seconds after which the clock answers where only seats without a player are waited for.
AWAY = 60
#: Fractions of the time after which people are reminded: in private first, then by name in the group.
REMINDERS = (0.5, 0.8)


def deadline(room: Room, match: Match) -> int | None:
    """When the clock answers the open question, in seconds since 1970, or None: it waits."""
    question = question_for(match.game, None)
    if question is None:
        return None
    if question.meeting:
        return match.asked_at + room.settings.meeting
    seconds = CLOCKS[room.settings.clock]
    if _only_empty(match):
        # Only empty chairs are waited for; a substitute gets a moment to sit down.
        seconds = min(AWAY, seconds or AWAY)
    return None if seconds is None else match.asked_at + seconds


def starts_anew(before: Room, after: Room) -> bool:
    """Whether the time for the question that is open in both rooms counts anew: the clock was set, or a
    seat that owes an answer was opened or taken. A meeting's time changes with its setting alone."""
    was, now = before.playing, after.playing
    question = None if now is None else question_for(now.game, None)
    if was is None or now is None or question is None:
        return False
    if question.meeting:
        return before.settings.meeting != after.settings.meeting
    changed = set(was.away) ^ set(now.away)
    return before.settings.clock != after.settings.clock or not changed.isdisjoint(waiting_on(now.game))


def next_reminder(room: Room, match: Match) -> int | None:
    """When the next reminder goes out, or None. Meetings and empty chairs have none: whom would it go to?"""
    question = question_for(match.game, None)
    at = deadline(room, match)
    if question is None or question.meeting or at is None or match.reminders >= len(REMINDERS):
        return None
    if _only_empty(match):
        return None
    return match.asked_at + int((at - match.asked_at) * REMINDERS[match.reminders])


def _only_empty(match: Match) -> bool:
    """Whether all who have not answered have got up."""
    return set(waiting_on(match.game)) <= set(match.away)
