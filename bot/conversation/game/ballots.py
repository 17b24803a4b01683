"""Ballots: how many have voted, and the setting of where they are cast."""

from dataclasses import replace

from bot.conversation.game.announce import (
    asked_in_group,
    edit_of_post,
    prompt_name,
    prompt_post,
    telling_seat,
)
from bot.conversation.limits import is_quiet
from bot.conversation.outcome import Context, Edit, Effects, Outcome, Post
from bot.display.words import Html
from bot.rooms.model import Match, Room
from engine import question_for, waiting_on

#: Seconds for which a ballot must have been open before the group is told how many have voted.
COUNT_AFTER = 15


def count_votes(outcome: Outcome, context: Context) -> Outcome:
    """Add to the outcome of a vote how many have voted, at most once a ballot.

    Never who, or in which order. It comes with a vote after which most have voted, and not where only
    computers are missing or the bot wrote much to the group lately.
    """
    room, match = outcome.room, outcome.room.playing
    question = None if match is None else match.game.question
    if match is None or question is None or question.step != "ballot" or room.private:
        return outcome
    missing = waiting_on(match.game)
    told = match.counted is not None and match.counted[0] == question.number
    early = context.now < match.opened_at + COUNT_AFTER
    if told or early or match.in_person.keys().isdisjoint(missing) or not is_quiet(room, context):
        return outcome
    done = len(question.seats) - len(missing)
    if done <= len(missing):
        return outcome
    match = replace(match, counted=(question.number, done))
    room = replace(room, match=match)
    # While many games wait, the count would come after the result, and take the place of somebody's prompt.
    told_now = replace(edit_of_post(room, match), spare=True)
    return replace(outcome, room=room, effects=(*outcome.effects, told_now))


def asked_elsewhere(before: Room, room: Room) -> Effects:
    """Move the open question to its new place, so that everybody has its buttons in one place only."""
    match = room.playing
    question = None if match is None else question_for(match.game, None)
    if match is None or question is None:
        return ()
    in_group = asked_in_group(room, question)
    if in_group == asked_in_group(before, question):
        return ()
    moved = _withdrawn if in_group else _asked
    return (edit_of_post(room, match), *(moved(room, match, seat) for seat in question.seats))


def _asked(room: Room, match: Match, seat: int) -> Post:
    question = question_for(match.game, seat)
    assert question is not None
    return prompt_post(room, match, seat, question)


def _withdrawn(room: Room, match: Match, seat: int) -> Edit:
    """Return a prompt without its buttons. If the seat must still vote, it says where they are now."""
    prompt = _asked(room, match, seat)
    lines = [prompt.text]
    if seat in waiting_on(match.game):
        lines.append(telling_seat(room, match, seat).html("clock.reminder.group"))
    return Edit(prompt.to, prompt_name(seat), Html("\n".join(lines)))
