"""When computers decide, and when they act.

They decide in a separate write, after the act before theirs was answered and announced. A secret choice, such
as a ballot, is made at once. A public one is held back until a second that was fixed when the question
opened, or when a computer took over a seat. That second is the same for every role and hand, so nobody can
tell how long the mind took.

At a practice table nobody watches. Computers act at once, one after another, until the person is asked. They
decide after the person, so that they hear what the person claims.
"""

from dataclasses import replace

from bot.conversation.game.answering import answer_question
from bot.conversation.game.clock import answer_by_clock
from bot.conversation.game.practising import (
    all_have_picked,
    begin_message,
    person_decides_first,
    person_in,
)
from bot.conversation.outcome import Context, Outcome
from bot.rooms.model import Match, Room
from engine import Reply

#: Seconds from the opening of a question to a computer's public answer.
PAUSE = 5


def undecided(match: Match) -> tuple[int, ...]:
    """Return the computers that are asked, and have neither answered nor decided."""
    return tuple([seat for seat in _asked(match) if seat not in match.computer_choices])


def thinks(room: Room) -> bool:
    """Return True if a computer must decide something here, or a meeting at a practice table must close."""
    match = room.playing
    if room.bot_removed or match is None:
        return False
    if not room.private:
        return bool(undecided(match))
    return all_have_picked(match) or (bool(undecided(match)) and not person_decides_first(match))


def acts_at(match: Match) -> int | None:
    """Return when computers act in public, in seconds since 1970; None if they have nothing to do.

    The time is set before they decide. Otherwise a late wake-up would show that they think.
    """
    question, asked = match.game.question, _asked(match)
    if question is None or not asked or (match.practice is not None and person_decides_first(match)):
        return None
    seen = question.meeting or len(asked) == question.answers.count(None)
    return _since(match) + PAUSE if seen or any(seat in match.computer_choices for seat in asked) else None


def overdue(room: Room, now: float) -> bool:
    """Return whether computers decided so late that what they do is due already."""
    match = None if room.bot_removed else room.playing
    at = None if match is None or thinks(room) else acts_at(match)
    return at is not None and at <= now


def due(match: Match) -> int | None:
    """Return the time by which computers must have decided and acted, in seconds since 1970, or None."""
    waits = match.practice is not None and person_decides_first(match)
    return _since(match) + PAUSE if _asked(match) and not waits else None


def think(room: Room, context: Context) -> Outcome:
    """Let computers decide. A decision that others see, or that closes the question, is held back."""
    after = Outcome(room)
    while context.mind is not None and thinks(after.room):
        match = after.room.match
        assert match is not None
        if room.private and all_have_picked(match):
            after = _closed(after, match, context)
            continue
        seat = undecided(match)[0]
        choice = context.mind.choice(match, seat, room.settings.strength)
        if choice is None:
            break
        question = match.game.question
        assert question is not None, "a computer is asked"
        if not room.private and (question.meeting or question.answers.count(None) == 1):
            kept = replace(match, computer_choices={**match.computer_choices, seat: choice})
            after = replace(after, room=replace(after.room, match=kept))
        else:
            after = _done(after, Reply(seat, question.number, choice), context)
    return after


def act(room: Room, match: Match, context: Context) -> Outcome:
    """Let computers do what they have decided, if it is time. In a meeting everybody there sees it."""
    after, at = Outcome(room), acts_at(match)
    if at is None or at > context.now:
        return after
    for seat in _asked(match):
        assert after.room.match is not None
        if seat in match.computer_choices and after.room.match.game.asked == match.game.asked:
            reply = Reply(seat, match.game.asked, match.computer_choices[seat])
            after = _done(after, reply, context)
    return after


def _since(match: Match) -> int:
    """Return when the pause began: when the question opened, or a computer took a place after that."""
    return max(match.opened_at, match.stood_in_at)


def _closed(before: Outcome, match: Match, context: Context) -> Outcome:
    """Close a meeting at a practice table, once everybody has picked."""
    assert match.game.question is not None
    if person_in(match) in match.game.question.seats:
        match = begin_message(match)
    after = answer_by_clock(replace(before.room, match=match), match, context)
    return replace(after, effects=(*before.effects, *after.effects))


def _asked(match: Match) -> tuple[int, ...]:
    """Return the computers that are asked and have not answered."""
    question = match.game.question
    if question is None or not match.computer_seats:
        return ()
    given = zip(question.seats, question.answers, strict=True)
    return tuple([seat for seat, answer in given if answer is None and seat in match.computer_seats])


def _done(before: Outcome, reply: Reply, context: Context) -> Outcome:
    """Return the outcome with one more answer added."""
    after = answer_question(before.room, reply, context)
    return replace(after, effects=(*before.effects, *after.effects))
