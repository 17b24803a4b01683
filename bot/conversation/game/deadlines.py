"""When an open question closes by itself, and when those who have not answered are reminded."""

from collections.abc import Iterable
from dataclasses import replace

from bot.conversation.incoming import Chatter, Command
from bot.conversation.outcome import Context, Delete, Lookup, Outcome, require
from bot.conversation.posting import to_group, words_of
from bot.rooms.model import ClockCall, Match, Room
from engine import question_for, ruleset, waiting_on

#: Seconds to think, by the group's setting.
CLOCKS: dict[str, int | None] = {"off": None, "relaxed": 600, "fast": 90}
#: Seconds after which the clock answers if only seats without a player still have to.
AWAY = 60
#: Seconds for which a question must have been open before the clock can be called, and seconds of notice.
#: Source: docs/rules.md, R7.
OPEN, NOTICE = 120, 60
#: Seconds after which any member of the group may call for the clock on an unanswered question, and after
#: which anybody may call the game off by opening a new lobby.
ANY_MEMBER_AFTER, ABANDONED = 86400, 7 * 86400
#: Seconds that a vote on calling the game off lasts.
VOTE = 120
#: Fractions of the time after which people are reminded: in private first, then by name in the group.
REMINDERS = (0.5, 0.8)


def deadline(room: Room, match: Match) -> int | None:
    """Return when the clock answers the open question, in seconds since 1970, or None if it never does."""
    question = match.game.question
    if question is None or room.private:
        return None
    if question.meeting:
        return match.asked_at + room.settings.meeting
    seconds = CLOCKS[room.settings.clock]
    call = match.clock_call if seconds is None and match.has_clock_call else None
    called = None if call is None else call.at + NOTICE
    if _only_empty(match):
        # Only empty seats still have to answer; a substitute gets a moment to sit down.
        seconds = min(AWAY, seconds or AWAY)
    return earliest([None if seconds is None else match.asked_at + seconds, called])


def earliest(times: Iterable[int | None]) -> int | None:
    """Return the earliest of some times, or None if there is none."""
    return min(filter(None, times), default=None)


def vote_ends(match: Match) -> int | None:
    """Return when the vote on calling the game off ends, in seconds since 1970; None: there is none."""
    return None if match.calling_off is None else match.calling_off.at + VOTE


def callable_from(room: Room, match: Match) -> int | None:
    """Return the earliest time to call the clock on the open question, in seconds since 1970.

    Return None if the question has a deadline (of a meeting, the group's clock, empty seats, or an earlier
    call).
    """
    return None if deadline(room, match) is not None else match.opened_at + OPEN


def call_then(before: Room, after: Room, now: int) -> ClockCall | None:
    """Return the call for the clock on a question whose time starts again (see ``starts_anew``).

    Setting the clock while a question is open counts as calling for it. Otherwise an admin who plays could
    cut the ballots short and not be named as the caller. With the clock off again there is no call. A new
    player on a seat that owes an answer has the whole notice. A player who only left and came back gets no
    more time.
    """
    was, match = before.playing, after.playing
    assert was is not None
    assert match is not None
    if before.settings.clock != after.settings.clock:
        on = CLOCKS[after.settings.clock] is not None
        return ClockCall(match.game.asked, now) if on else None
    came = [seat for seat in waiting_on(match.game) if was.players[seat].id != match.players[seat].id]
    return replace(match.clock_call, at=now) if match.clock_call and came else match.clock_call


def starts_anew(before: Room, after: Room) -> bool:
    """Return True if the time for the question that is open in both rooms starts again.

    It does if the clock was set, or if ``came_or_went`` names somebody. A meeting's time starts again only if
    its own setting has changed.
    """
    was, now = before.playing, after.playing
    question = None if now is None else now.game.question
    if was is None or now is None or question is None:
        return False
    if question.meeting:
        return before.settings.meeting != after.settings.meeting
    return before.settings.clock != after.settings.clock or bool(came_or_went(was, now))


def came_or_went(was: Match, now: Match) -> tuple[int, ...]:
    """Return who left a seat that owes an answer, or took somebody else's. Each counts once a question.

    Coming back to the own seat does not start the time again, nor does leaving twice. Otherwise the clock
    would never run out.
    """
    people = []
    for seat in set(was.away) ^ set(now.away):
        before, after = was.players[seat].id, now.players[seat].id
        moved = before if seat in now.away else after if after != before else None
        if seat in waiting_on(now.game) and moved is not None and moved not in was.restarted_by:
            people.append(moved)
    return tuple(people)


def next_reminder(room: Room, match: Match, at: int | None) -> int | None:
    """Return when the next reminder goes out before the deadline ``at``, or None.

    Meetings and empty seats have none: nobody could be reminded.
    """
    question = match.game.question
    if at is None or question is None or question.meeting or match.reminders >= len(REMINDERS):
        return None
    # A call has none either, because it reminded everybody itself.
    if _only_empty(match) or (match.has_clock_call and CLOCKS[room.settings.clock] is None):
        return None
    return match.asked_at + int((at - match.asked_at) * REMINDERS[match.reminders])


def _only_empty(match: Match) -> bool:
    """Return True if only empty seats still have to answer."""
    there = {*match.present, *match.computer_seats}
    return there.isdisjoint(waiting_on(match.game))


# --- silence ------------------------------------------------------------------------------------------------
# Silence: messages in the group are deleted while a government legislates, and those of the dead.
# It works only if the bot may delete messages and receives them at all. It never keeps anyone from answering
# the bot, or from giving it a plain command. Sources: the rules of the game as played on the web
# (``online``); for other rulesets the group's setting.

#: Questions during which President and Chancellor must be quiet.
LEGISLATION = frozenset({"discard", "enact", "select", "veto", "sealed-veto"})


def chatter(room: Room, incoming: Chatter | Command, context: Context) -> Outcome:
    """Delete a message in the group, new or edited, if its author has to be quiet now.

    If the bot may not delete it, tell the group, once a game. Raises LookupNeeded.
    """
    match = room.playing
    if match is None or not hushed(room, incoming, context):
        return Outcome(room)
    if not match.told_cannot_silence and require(context.may_delete, Lookup.MAY_DELETE) is False:
        room = replace(room, match=replace(match, told_cannot_silence=True))
        return Outcome(room, (to_group(words_of(room).html("silence.cannot")),))
    return Outcome(room, delete=Delete(room.chat, incoming.message))


def hushed(room: Room, incoming: Chatter | Command, context: Context) -> bool:
    """Return True if the author of a message in the group has to be quiet now.

    A channel can hide any person. So while anybody has to be quiet, all channels have to, except the one that
    the group is linked to. Raises LookupNeeded if that must be looked up.
    """
    match = room.playing
    if match is None or not silent(room, match.game.setup.ruleset):
        return False
    if not incoming.channel:
        seat = match.seat_of(incoming.person.id)
        return incoming.person.id in match.hushed or (seat is not None and _quiet(match, seat))
    anybody = bool(match.hushed) or any(_quiet(match, seat) for seat in match.people)
    return anybody and require(context.linked, Lookup.LINKED) != incoming.channel


def with_hushed(match: Match, seat: int) -> Match:
    """Return the game before a dead seat changes its player: the person who leaves it stays silent."""
    user = match.people.get(seat)
    dead = not match.view(None).table.alive[seat]
    return match if user is None or not dead else replace(match, hushed=(*match.hushed, user))


def silent(room: Room, ruleset_id: str) -> bool:
    """Return whether games of a ruleset are played in silence here."""
    if room.settings.silence == "ruleset":
        return ruleset(ruleset_id).silent
    return room.settings.silence == "on"


def _quiet(match: Match, seat: int) -> bool:
    """Return whether a seat is dead, or legislating."""
    table = match.view(None).table
    if not table.alive[seat]:
        return True
    question = question_for(match.game, None)
    legislating = question is not None and question.step in LEGISLATION
    return legislating and seat in (table.president, table.chancellor)


def may_not_claim(room: Room, match: Match, seat: int) -> bool:
    """Return True if a seat may not make or change claims now: in silent games, they count as talk."""
    return silent(room, match.game.setup.ruleset) and _quiet(match, seat)
