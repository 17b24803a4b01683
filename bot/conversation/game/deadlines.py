"""When the clock answers an open question and reminds people; and who must be silent in the group."""

from collections.abc import Iterable
from dataclasses import replace

from bot.conversation.incoming import Chatter, Command
from bot.conversation.outcome import Context, Delete, Lookup, Outcome, require
from bot.conversation.posting import to_group, words_of
from bot.rooms.model import Clock, ClockCall, Match, Room
from bot.rooms.names import UserId
from engine import Seat, question_for, ruleset, waiting_on

#: Seconds to answer, by the group's setting for its clock.
CLOCKS: dict[Clock, int | None] = {"off": None, "relaxed": 600, "fast": 90}
#: Seconds after which the clock answers if only empty seats still have to.
AWAY = 60
#: Seconds for which a question must have been open before the clock can be called, and seconds of notice.
#: Source: docs/rules.md, R7.
OPEN, NOTICE = 120, 60
#: Seconds after which any member of the group may call for the clock on an unanswered question, and after
#: which anybody may call the game off by opening a new lobby.
ANY_MEMBER_AFTER, ABANDONED = 86400, 7 * 86400
#: Seconds that a vote on calling the game off lasts.
VOTE = 120
#: The most seconds that claims wait for the group's next post.
TELL_AFTER = 20
#: Shares of the time after which people are reminded: first in private, then by name in the group.
REMINDERS = (0.5, 0.8)


def deadline(room: Room, match: Match) -> int | None:
    """Return when the clock answers the open question, in seconds since 1970, or None if it never does."""
    question = match.game.question
    if question is None or room.private:
        return None
    if question.meeting:
        return match.time_began_at + room.settings.meeting
    seconds = CLOCKS[room.settings.clock]
    call = match.clock_call if seconds is None else None
    called = None if call is None or call.question != question.number else call.at + NOTICE
    if {*match.present, *match.computer_seats}.isdisjoint(waiting_on(match.game)):
        # Only empty seats still have to answer. A substitute gets a moment to sit down.
        seconds = min(AWAY, seconds or AWAY)
    return earliest([None if seconds is None else match.time_began_at + seconds, called])


def earliest(times: Iterable[int | None]) -> int | None:
    """Return the earliest of some times, or None if there is none."""
    return min(filter(None, times), default=None)


def claims_due_at(match: Match) -> int | None:
    """Return when the group must be told the new claims at the latest, in seconds since 1970, or None."""
    return match.unposted_since + TELL_AFTER if match.unposted_claims and match.practice is None else None


def callable_from(room: Room, match: Match) -> int | None:
    """Return when the clock can first be called for on the open question, in seconds since 1970.

    Return None if the question has a deadline already: that of a meeting, of the group's clock, of empty
    seats, or of an earlier call.
    """
    return None if deadline(room, match) is not None else match.opened_at + OPEN


def call_after_restart(before: Room, after: Room, now: int) -> ClockCall | None:
    """Return the call for the clock on a question whose time starts again (see ``time_restarts``), or None.

    If an admin sets the clock or switches it off, a call ends. If a new player takes a seat that must still
    answer, the notice starts again. A player who left and came back gets no more time.
    """
    was, match = before.playing, after.playing
    assert was is not None
    assert match is not None
    if before.settings.clock != after.settings.clock:
        return None
    came = [seat for seat in waiting_on(match.game) if was.players[seat].id != match.players[seat].id]
    return replace(match.clock_call, at=now) if match.clock_call and came else match.clock_call


def time_restarts(before: Room, after: Room) -> bool:
    """Return True if the time for the open question starts again. The same question is open in both rooms.

    It does if the clock's setting changed, or if ``people_who_moved`` names somebody. A meeting's time starts
    again only if its own setting changed.
    """
    was, now = before.playing, after.playing
    question = None if now is None else now.game.question
    if was is None or now is None or question is None:
        return False
    if question.meeting:
        return before.settings.meeting != after.settings.meeting
    return before.settings.clock != after.settings.clock or bool(people_who_moved(was, now))


def people_who_moved(was: Match, now: Match) -> tuple[UserId, ...]:
    """Return the user ids of people who just left or took a seat that must still answer.

    Each person counts once a question, and not if they come back to their own seat. Otherwise the clock might
    never run out.
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

    There is none in a meeting, or if only empty seats still have to answer.
    """
    question = match.game.question
    if at is None or question is None or question.meeting or match.reminders >= len(REMINDERS):
        return None
    # There is none after a call either, because the call reminded everybody.
    if match.has_clock_call and CLOCKS[room.settings.clock] is None:
        return None
    if {*match.present, *match.computer_seats}.isdisjoint(waiting_on(match.game)):
        return None
    return match.time_began_at + int((at - match.time_began_at) * REMINDERS[match.reminders])


# --- silence ------------------------------------------------------------------------------------------------
# Delete what the President and the Chancellor write in the group while they legislate, and what the dead
# write. This works only if the bot may delete messages and receives them at all. Everybody may still answer
# the bot and give it commands without an argument. Source: the rules of the game as played on the web (the
# ruleset ``online``). The group's setting can switch this on or off for all rulesets.

#: The questions during which the President and the Chancellor must be quiet.
LEGISLATION = frozenset({"discard", "enact", "select", "veto", "sealed-veto"})


def handle_chatter(room: Room, incoming: Chatter | Command, context: Context) -> Outcome:
    """Delete a new or edited message in the group if its author must be quiet now.

    If the bot may not delete it, tell the group, once a game. Raises LookupNeeded.
    """
    match = room.playing
    if match is None or not must_be_quiet(room, incoming, context):
        return Outcome(room)
    if not match.told_cannot_silence and require(context.may_delete, Lookup.MAY_DELETE) is False:
        room = replace(room, match=replace(match, told_cannot_silence=True))
        return Outcome(room, (to_group(words_of(room).html("silence.cannot")),))
    return Outcome(room, delete=Delete(room.chat, incoming.message))


def must_be_quiet(room: Room, incoming: Chatter | Command, context: Context) -> bool:
    """Return True if the author of a message in the group must be quiet now.

    Any person may write in the name of a channel. So while anybody must be quiet, all channels must be,
    except the one that the group is linked to. Raises LookupNeeded if that one is not known.
    """
    match = room.playing
    if match is None or not silent(room, match.game.setup.ruleset):
        return False
    if not incoming.channel:
        seat = match.seat_of(incoming.person.id)
        return incoming.person.id in match.silent_leavers or (
            seat is not None and _seat_must_be_quiet(match, seat)
        )
    anybody = bool(match.silent_leavers) or any(_seat_must_be_quiet(match, seat) for seat in match.people)
    return anybody and require(context.linked, Lookup.LINKED) != incoming.channel


def note_silent_leaver(match: Match, seat: Seat) -> Match:
    """Note that the person who leaves a dead seat must stay silent. A living seat changes nothing."""
    user = match.people.get(seat)
    dead = not match.view(None).table.alive[seat]
    return match if user is None or not dead else replace(match, silent_leavers=(*match.silent_leavers, user))


def silent(room: Room, ruleset_id: str) -> bool:
    """Return True if games of a ruleset are played in silence in this group."""
    if room.settings.silence == "ruleset":
        return ruleset(ruleset_id).silent
    return room.settings.silence == "on"


def _seat_must_be_quiet(match: Match, seat: Seat) -> bool:
    """Return True if a seat is dead or legislating."""
    table = match.view(None).table
    if not table.alive[seat]:
        return True
    question = question_for(match.game, None)
    legislating = question is not None and question.step in LEGISLATION
    return legislating and seat in (table.president, table.chancellor)


def may_not_claim(room: Room, match: Match, seat: Seat) -> bool:
    """Return True if a seat may not make or change claims now.

    The dead never may: they are told to say nothing. In silent games claims count as talk.
    """
    dead = not match.view(None).table.alive[seat]
    return dead or (silent(room, match.game.setup.ruleset) and _seat_must_be_quiet(match, seat))
