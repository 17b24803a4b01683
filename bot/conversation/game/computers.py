"""Let computers decide and act.

They decide in a separate write, after the act before theirs was answered and announced. A secret choice, such
as a ballot, counts at once. A public one is held back until a time that is fixed when the question opens, or
when a computer takes over a seat. This time is the same for every role and hand, so nobody can tell how long
the computer thought.

At a practice table nobody watches the others. Computers act at once, one after another, until the person is
asked. They decide after the person, so that they hear what the person claims.
"""

from dataclasses import replace

from bot.conversation.game.answering import answer_question
from bot.conversation.game.clock import answer_by_clock
from bot.conversation.game.practising import all_have_picked, begin_message, person_decides_first, person_in
from bot.conversation.outcome import Context, Outcome
from bot.rooms.model import Match, Room
from engine import Reply, Seat

#: Seconds from the opening of a question to a computer's public answer.
PAUSE = 5


def undecided(match: Match) -> tuple[Seat, ...]:
    """Return the seats of computers that are asked, and have neither answered nor decided."""
    return tuple([seat for seat in _asked(match) if seat not in match.computer_choices])


def thinks(room: Room) -> bool:
    """Return True if a computer must decide something here, or a meeting at a practice table must close."""
    match = room.playing
    if room.bot_removed or match is None or not match.computer_seats:
        return False
    if not room.private:
        return bool(undecided(match))
    return all_have_picked(match) or (bool(undecided(match)) and not person_decides_first(match))


def acts_at(match: Match) -> int | None:
    """Return when computers act in public, in seconds since 1970; None if they have nothing to do.

    In a meeting, or if only computers still have to answer, the time is set before they decide. So a late
    wake-up does not show how long they thought.
    """
    question, asked = match.game.question, _asked(match)
    if question is None or not asked or (match.practice is not None and person_decides_first(match)):
        return None
    seen = question.meeting or len(asked) == question.answers.count(None)
    return _since(match) + PAUSE if seen or any(seat in match.computer_choices for seat in asked) else None


def overdue(room: Room, now: float) -> bool:
    """Return True if computers decided so late that their acts are due already."""
    match = None if room.bot_removed else room.playing
    at = None if match is None or thinks(room) else acts_at(match)
    return at is not None and at <= now


def due(match: Match) -> int | None:
    """Return by when computers must have decided and acted, in seconds since 1970, or None."""
    waits = match.practice is not None and person_decides_first(match)
    return _since(match) + PAUSE if _asked(match) and not waits else None


def think(room: Room, context: Context) -> Outcome:
    """Let computers decide. Hold back a decision that others see or that closes the question."""
    after = Outcome(room)
    while context.mind is not None and thinks(after.room):
        match = after.room.match
        assert match is not None
        if room.private and all_have_picked(match):
            after = _close_meeting(after, match, context)
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
            after = _with_answer(after, Reply(seat, question.number, choice), context)
    return after


def act(room: Room, match: Match, context: Context) -> Outcome:
    """If it is time, give the answers that computers have decided on."""
    after, at = Outcome(room), acts_at(match)
    if at is None or at > context.now:
        return after
    for seat in _asked(match):
        assert after.room.match is not None
        if seat in match.computer_choices and after.room.match.game.asked == match.game.asked:
            reply = Reply(seat, match.game.asked, match.computer_choices[seat])
            after = _with_answer(after, reply, context)
    return after


def _since(match: Match) -> int:
    """Return when the pause began: when the question opened, or when a computer took a seat after that."""
    return max(match.opened_at, match.stood_in_at)


def _close_meeting(before: Outcome, match: Match, context: Context) -> Outcome:
    assert match.game.question is not None
    if person_in(match) in match.game.question.seats:
        match = begin_message(match)
    after = answer_by_clock(replace(before.room, match=match), match, context)
    return replace(after, effects=(*before.effects, *after.effects))


def _asked(match: Match) -> tuple[Seat, ...]:
    """Return the seats of computers that are asked and have not answered."""
    question = match.game.question
    if question is None:
        return ()
    given = zip(question.seats, question.answers, strict=True)
    return tuple([seat for seat, answer in given if answer is None and seat in match.computer_seats])


def _with_answer(before: Outcome, reply: Reply, context: Context) -> Outcome:
    """Return the outcome with one more answer added."""
    after = answer_question(before.room, reply, context)
    return replace(after, effects=(*before.effects, *after.effects))
