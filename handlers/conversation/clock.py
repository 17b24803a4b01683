"""Time: deadlines, reminders, meetings, lobbies that nobody touches. Nothing here reads a real clock."""

from dataclasses import replace

from engine import question_for, time_out, waiting_on
from handlers.conversation import lobby, seats
from handlers.conversation.announce import (
    announce,
    asked_in_group,
    edit_of_post,
    group_keyboard,
    telling_group,
    telling_seat,
)
from handlers.conversation.incoming import Tap
from handlers.conversation.outcome import Known, Outcome, Post, Toast
from handlers.conversation.places import group_link, to_group
from handlers.conversation.rights import may_lead
from handlers.conversation.timing import deadline, next_reminder, starts_anew
from handlers.display.prompts import moment
from handlers.display.words import Html, Words, closest
from handlers.rooms.model import Match, Room


def wake(room: Room, known: Known) -> Outcome:
    """What the clock does now: close a lobby, answer a question for the missing, remind people."""
    if room.lobby is not None and lobby.expires(room.lobby) <= known.now:
        return lobby.close_lobby(room, "lobby.expired")
    match = room.playing
    if match is None:
        return Outcome(room)
    at = deadline(room, match)
    reminder = next_reminder(room, match)
    if at is not None and at <= known.now:
        return answered_by_clock(room, match, known)
    if at is not None and reminder is not None and reminder <= known.now:
        return _remind(room, match, at)
    return Outcome(room)


def in_time(before: Room, outcome: Outcome, known: Known) -> Outcome:
    """The outcome, in which a question that stays open has the time that is due to it, and the group's post
    says until when."""
    room = outcome.room
    was, now = before.playing, room.playing
    if was is None or now is None or (was.number, was.game.asked) != (now.number, now.game.asked):
        return outcome
    if starts_anew(before, room):
        now = replace(now, asked_at=known.now, reminders=0)
        room = replace(room, match=now)
    at = deadline(room, now)
    # What is over already is answered before anybody could read of it.
    stale = at != deadline(before, was) and (at is None or at > known.now)
    effects = (*outcome.effects, edit_of_post(room, now)) if stale else outcome.effects
    return replace(outcome, room=room, effects=effects)


def due(room: Room) -> int | None:
    """When the clock has something to do in this room, in seconds since 1970, or None."""
    times = (None if room.lobby is None else lobby.expires(room.lobby), next_in_game(room), _ended(room))
    return min((at for at in times if at is not None), default=None)


def _ended(room: Room) -> int | None:
    """When the room's game ended, as long as its end is not recorded; or None."""
    return None if room.match is None or not room.match.unrecorded else room.match.asked_at


def next_in_game(room: Room) -> int | None:
    """When the clock has something to do in the game that is going on, or None."""
    if room.playing is None:
        return None
    times = (next_reminder(room, room.playing), deadline(room, room.playing))
    return min((at for at in times if at is not None), default=None)


def clock_tap(room: Room, said: Tap, known: Known) -> Outcome:
    """The host or an admin lets the clock answer at once. A meeting is never cut short."""
    number, question = said.args
    match = room.playing
    words = Words(closest(said.person.language), room.settings.theme)
    open_question = None if match is None else match.game.question
    if match is None or open_question is None or (match.number, open_question.number) != (number, question):
        return Outcome(room, toast=Toast(words.plain("illegal.closed")))
    if open_question.meeting:
        return Outcome(room, toast=Toast(words.plain("clock.not-a-meeting"), alert=True))
    if not may_lead(match.host, said.person, known):
        return Outcome(room, toast=Toast(words.plain("only-host"), alert=True))
    return replace(answered_by_clock(room, match, known), toast=Toast(words.plain("clock.done")))


def answered_by_clock(room: Room, match: Match, known: Known) -> Outcome:
    """The clock answers the open question for those who have not."""
    missing = waiting_on(match.game)
    game, events = time_out(match.game)
    missed = {**match.missed, **{seat: match.missed.get(seat, 0) + 1 for seat in missing}}
    played = replace(
        match, game=game, log=(*match.log, *events), asked_at=known.now, reminders=0, missed=missed
    )
    room, told = announce(replace(room, match=played), events)
    return Outcome(room, (*told, *seats.offer_replacement(room, played, missing)))


def _remind(room: Room, match: Match, until: int) -> Outcome:
    """Each seat that the game publicly waits for is reminded, in private; the next time all are named in the
    group, as /status names them."""
    missing = [seat for seat in waiting_on(match.game) if seat not in match.away]
    reminded = replace(room, match=replace(match, reminders=match.reminders + 1))
    if match.reminders:
        telling = telling_group(room, match)
        named = telling.html("status.missing", seats=telling.seats(missing))
        text = telling.html("waiting.until", waiting=named, until=moment(until))
        return Outcome(reminded, (to_group(room, text, group_keyboard(room, match)),))
    posts = []
    # Where the buttons lie: under the prompt above, or under the group's message.
    in_group = asked_in_group(room, question_for(match.game, None))
    where = "clock.reminder.group" if in_group else "clock.reminder"
    for seat in missing:
        telling = telling_seat(room, match, seat)
        text = Html(f"{group_link(room)}\n{telling.html(where)}")
        posts.append(Post(match.players[seat].id, text))
    return Outcome(reminded, tuple(posts))
