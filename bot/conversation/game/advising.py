"""What would a good player do? Answered from what whoever asks may know, and nothing else."""

from bot.conversation.game.practising import message_edit
from bot.conversation.game.tellings import telling_seat
from bot.conversation.incoming import Tap
from bot.conversation.outcome import Known, Outcome, Toast
from bot.display.advice import hint_text
from bot.display.words import Words, closest
from bot.rooms.model import Room
from engine import question_for


def advise_tap(room: Room, said: Tap, known: Known) -> Outcome:
    """The prompt says what a seasoned player in this seat would choose, and why."""
    number, question_number = said.args
    match = room.playing
    seat = None if match is None else match.seat_of(said.person.id)
    words = Words(closest(said.person.language), room.settings.theme)
    if match is None or match.number != number or seat is None:
        return Outcome(room, toast=Toast(words.plain("illegal.over")))
    question = question_for(match.game, seat)
    if question is None or question.number != question_number:
        return Outcome(room, toast=Toast(words.plain("illegal.closed")))
    # As in ``computers.mind``: no other start of a process should pay for it.
    import ai

    choice, reasons = ai.advise(match.view(seat), match.claims, question)
    hint = hint_text(telling_seat(room, match, seat), question, choice, reasons)
    return Outcome(room, (message_edit(room, match, seat, question, hint),), Toast())
