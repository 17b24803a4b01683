"""Who answers what is tapped in a room of one person, who practises there. Nothing else counts there."""

from handlers.conversation.game import advising, answering, claims
from handlers.conversation.incoming import Practise, Tap
from handlers.conversation.lobby import computer_seats, lobby, practice
from handlers.conversation.outcome import Answerer, Known, Outcome
from handlers.rooms.model import Room

TAPS: dict[str, Answerer] = {
    "setup": lobby.set_up,
    "computers": computer_seats.set_tap,
    "start": practice.start_tap,
    "answer": answering.answer_tap,
    "claim": claims.claim_tap,
    "advise": advising.advise_tap,
    "rematch": practice.again,
    "practice": practice.practice_tap,
}


def answered(room: Room, said: Tap | Practise, known: Known) -> Outcome:
    """The outcome of a tap there, or of the wish to practise."""
    if isinstance(said, Practise):
        return practice.open_table(room, said, known)
    return TAPS[said.verb](room, said, known) if said.verb in TAPS else Outcome(room)
