"""A game's clock reminds players, then answers for them. Players can call for it.

The present time comes from the ``Context``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from markupsafe import Markup

from bot.computers import with_claims
from bot.conversation.game import seats
from bot.conversation.game.announce import announce, asked_in_group, group_keyboard, prompt_post
from bot.conversation.game.deadlines import (
    ANY_MEMBER_AFTER,
    callable_from,
    deadline,
    may_not_claim,
    next_reminder,
)
from bot.conversation.game.tidying import announce_missed, notice
from bot.conversation.incoming import Person, Tap
from bot.conversation.outcome import ClearButtons, Context, Effects, Outcome, Post, Toast, ToSeat
from bot.conversation.posting import group_link, prompt_name, telling_for_group, telling_for_seat
from bot.conversation.rights import membership_refusal, plays_or_leads, refusal_key
from bot.display.prompts import moment
from bot.display.words import Words, bold, closest
from bot.display.words import name as shown_name
from bot.rooms.model import ClockCall, Match, Room
from engine import Seat, question_for, time_out, waiting_on


def tick(room: Room, match: Match, context: Context) -> Outcome:
    """Answer the open question for the seats that have not, or remind them, if either is due."""
    at = deadline(room, match)
    reminder = next_reminder(room, match, at)
    if at is not None and at <= context.now:
        return answer_by_clock(room, match, context)
    if at is not None and reminder is not None and reminder <= context.now:
        return _remind(room, match, at)
    return Outcome(room)


def clock_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Let a player or an admin call for the clock. It never answers at once, or cuts a meeting short."""
    number, question = incoming.args
    match = room.playing
    words = Words(closest(incoming.person.language), room.settings.theme)
    open_question = None if match is None else match.game.question
    if match is None or open_question is None or (match.number, open_question.number) != (number, question):
        return Outcome(room, toast=Toast(words.plain("illegal.closed")))
    if open_question.meeting:
        return Outcome(room, toast=Toast(words.plain("clock.not-a-meeting"), alert=True))
    # Any member of the group may get an abandoned game moving again.
    left_lying = context.now >= match.opened_at + ANY_MEMBER_AFTER
    if not plays_or_leads(match, incoming.person, context) and not (
        left_lying and membership_refusal(room, incoming, context) is None
    ):
        return Outcome(room, toast=Toast(words.plain(refusal_key("only-players", context)), alert=True))
    at = callable_from(room, match)
    if at is None:
        why = "clock.called.before" if match.has_clock_call else "clock.runs"
        return Outcome(room, toast=Toast(words.plain(why), alert=True))
    if context.now < at:
        why = words.plain("clock.too-early", seconds=at - context.now)
        return Outcome(room, toast=Toast(why, alert=True))
    return _called(room, match, incoming.person, context, Toast(words.plain("clock.called.toast")))


def _called(room: Room, match: Match, person: Person, context: Context, toast: Toast) -> Outcome:
    """Tell the group who called for the clock, who must answer, and until when. Remind those players."""
    match = replace(match, clock_call=ClockCall(match.game.asked, context.now))
    room = replace(room, match=match)
    telling, until = telling_for_group(room, match), deadline(room, match)
    assert until is not None, "a call has its notice"
    seat = match.seat_of(person.id)
    who = bold(shown_name(person.name)) if seat is None else telling.seat(seat)
    told = _notice(room, match, waiting_on(match.game), until, [telling.html("clock.called", who=who)])
    return replace(told, effects=(*told.effects, *_reminders(room, match)), toast=toast)


def _notice(
    room: Room, match: Match, missing: Iterable[Seat], until: int, above: Sequence[Markup] = ()
) -> Outcome:
    """Name those who must act in the group, with their deadline, below the lines ``above``.

    If a ballot is open, add that a vote that is not cast in time counts as Nein.
    """
    telling, question = telling_for_group(room, match), match.game.question
    named = telling.html("status.missing", seats=telling.seats(missing))
    lines = [*above, telling.html("waiting.until", waiting=named, until=moment(telling.words, until))]
    if question is not None and question.step == "ballot":
        lines.append(telling.html("clock.called.ballots", nein=telling.html("option.nein")))
    return notice(room, match, Markup("\n").join(lines), group_keyboard(room, match))


def answer_by_clock(room: Room, match: Match, context: Context) -> Outcome:
    """Let the clock answer the open question for the seats that have not."""
    missing = waiting_on(match.game)
    game, events = time_out(match.game)
    missed = {**match.missed, **{seat: match.missed.get(seat, 0) + 1 for seat in missing}}
    played = replace(match.advance(game, events, context.now), missed=missed)
    if played.computer_seats:
        quiet = partial(may_not_claim, room, played)
        played = with_claims(played, events, room.settings.strength, context.now, quiet)
    room = replace(room, match=played)
    kept = [effect for seat in missing for effect in announce_missed(room, match, seat, events)]
    room, told = announce(room, events)
    assert room.match is not None, "the game is still here"
    offers = seats.offer_replacement(room, room.match, missing)
    room, asleep = seats.fall_asleep(room, room.match, missing, context)
    return Outcome(room, (*kept, *told, *offers, *asleep))


def _remind(room: Room, match: Match, until: int) -> Outcome:
    """Remind in private each seat that the game publicly waits for.

    The second time, name them in the group instead, as /status does.
    """
    first, match = not match.reminders, replace(match, reminders=match.reminders + 1)
    if not first:
        return _notice(room, match, _reminded(match), until)
    return Outcome(replace(room, match=match), _reminders(room, match))


def _reminders(room: Room, match: Match) -> Effects:
    """Remind in private each seat that the game publicly waits for.

    A player who cleared the chat has lost the prompt. So it comes again with its buttons, and the earlier one
    loses them.
    """
    told: list[Post | ClearButtons] = []
    in_group = asked_in_group(room, match.game.question)
    for seat in _reminded(match):
        telling, question = telling_for_seat(room, match, seat), question_for(match.game, seat)
        if in_group or question is None:
            text = Markup("{}\n{}").format(group_link(room), telling.html("clock.reminder.group"))
            told.append(Post(ToSeat(seat), text))
            continue
        why = "clock.reminder.called" if match.has_clock_call else "clock.reminder.again"
        prompt = prompt_post(room, match, seat, question)
        told.append(ClearButtons(ToSeat(seat), prompt_name(seat)))
        told.append(replace(prompt, text=Markup("{}\n{}").format(telling.html(why), prompt.text)))
    return tuple(told)


def _reminded(match: Match) -> list[Seat]:
    """Return the seats that the game publicly waits for, and whose people have not left."""
    return [seat for seat in waiting_on(match.game) if seat in match.present]
