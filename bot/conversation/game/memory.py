"""A seat's memory: the record of a prompt that the clock answered, and all that it has seen."""

from collections.abc import Sequence

from bot.conversation.game.announce import covered, record_edit, telling_seat
from bot.conversation.game.claim_buttons import claim_rows
from bot.conversation.outcome import Effects, Post
from bot.display.history import compact, known_texts
from bot.display.lines import remembered
from bot.display.prompts import hand_seen
from bot.display.whispers import whisper
from bot.display.words import Html
from bot.rooms.model import Match, Room
from engine import Event, question_for
from engine.facts import CandidacyPassed, ClockAnswered, Discarded
from engine.steps.sealed_veto import Selected


def learned(room: Room, match: Match, seat: int) -> tuple[Post, ...]:
    """Return everything a seat alone learned since the deal, round by round, covered, for its private chat.

    It is no part of the role card: the card's length would tell how much there is.
    """
    telling, number = compact(telling_seat(room, match, seat)), 0
    mine = []
    for event in match.log:
        number += isinstance(event.fact, CandidacyPassed)
        if event.to is not None and seat in event.to:
            text = whisper(telling, event.fact) or remembered(telling, event.fact)
            mine += [(number, text)] if text else []
    return tuple(covered(room, match, seat, text) for text in known_texts(telling, mine))


def announce_missed(room: Room, match: Match, seat: int, events: Sequence[Event]) -> Effects:
    """Turn a prompt that showed a hand into the record of what the clock did with it.

    ``room`` is the room now, ``match`` the match when the seat was asked, ``events`` the result of the
    clock's answer.
    """
    assert room.match is not None
    question, telling = question_for(match.game, seat), telling_seat(room, room.match, seat)
    if question is None or not (hand := hand_seen(telling, question)):
        return ()
    of_clock = (
        event.fact
        for event in events
        if isinstance(event.fact, ClockAnswered)
        or (isinstance(event.fact, Discarded | Selected) and event.fact.seat == seat)
    )
    told = [*hand, *(text for fact in of_clock if (text := remembered(telling, fact)))]
    rows = () if room.playing is None else claim_rows(room, match, seat, question, len(match.log))
    return record_edit(room, match, seat, Html("\n".join(told)), rows)
