"""The setting of ballots changes while a question is open: its buttons move along."""

from bot.conversation.game.announce import (
    asked_in_group,
    edit_of_post,
    prompt_name,
    prompt_post,
    telling_seat,
)
from bot.conversation.outcome import Edit, Effects, Post
from bot.display.words import Html
from bot.rooms.model import Match, Room
from engine import question_for, waiting_on


def asked_elsewhere(before: Room, room: Room) -> Effects:
    """What follows for the open question, so that who is asked has its buttons in one place, the new one."""
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
    """A prompt without its buttons, which says where they are to whom the game still waits for."""
    prompt = _asked(room, match, seat)
    lines = [prompt.text]
    if seat in waiting_on(match.game):
        lines.append(telling_seat(room, match, seat).html("clock.reminder.group"))
    return Edit(prompt.to, prompt_name(seat), Html("\n".join(lines)))
