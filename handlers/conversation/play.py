"""During a game: answers by button."""

from dataclasses import replace

from engine import Illegal, Reply, answer, question_for
from handlers.conversation.announce import announce, announce_answered, announce_picked
from handlers.conversation.incoming import Tap
from handlers.conversation.outcome import Known, Outcome, Toast
from handlers.display.prompts import label
from handlers.display.words import Words, closest
from handlers.rooms.model import Match, Room


def answer_tap(room: Room, said: Tap, known: Known) -> Outcome:
    """A tap on an option: counts only from the seat that is asked, and only while it is asked."""
    number, question_number, choice = said.args
    match = room.match
    seat = None if match is None else match.seat_of(said.person.id)
    words = Words(closest(said.person.language), room.settings.theme)
    if match is None or match.number != number or seat is None:
        return Outcome(room, toast=Toast(words.plain("toast.not-your-game")))
    if match.over:
        return Outcome(room, toast=Toast(words.plain("illegal.over")))
    words = Words(match.players[seat].language, room.settings.theme)
    question = question_for(match.game, seat)
    try:
        game, events = answer(match.game, Reply(seat, question_number, choice))
    except Illegal as illegal:
        return Outcome(room, toast=Toast(words.plain(f"illegal.{illegal.reason}")))
    assert question is not None
    played: Match = replace(match, game=game, log=(*match.log, *events))
    if events:
        played = replace(played, asked_at=known.now, reminders=0)
    # What is done in secret must not show in what the group learns of who is there.
    if seat in match.missed and not question.meeting:
        played = replace(played, missed={s: n for s, n in match.missed.items() if s != seat})
        if seat not in match.unreached:
            # Whoever misses something again is voted on anew.
            played = replace(played, against={s: v for s, v in match.against.items() if s != seat})
    room = replace(room, match=played)
    if question.meeting:
        recorded = announce_picked(room, played, seat)
    else:
        recorded = announce_answered(room, match, seat, question, choice)
    room, told = announce(room, events) if events else (room, ())
    option = question.options[question.seats.index(seat)][choice]
    chosen = label(words, match.players, option)
    toast = words.plain("toast.changeable" if question.changeable else "toast.answered", choice=chosen)
    return Outcome(room, (*recorded, *told), Toast(toast))
