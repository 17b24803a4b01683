"""Who answers what is tapped or asked in a room of one person, who practises there. Nothing else counts."""

from bot.conversation.game import advising, answering, claims, info
from bot.conversation.incoming import Command, Practise, Tap
from bot.conversation.lobby import computer_seats, lobby, practice
from bot.conversation.outcome import Answerer, Known, Outcome
from bot.rooms.model import Room

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


#: What is asked of a game there as in a group, and how one gets back to it or out of it (``own_room.ASKED``).
COMMANDS: dict[str, Answerer] = {
    "board": info.board,
    "history": info.history,
    "votes": info.votes,
    "players": info.players,
    "status": practice.status,
    "leave": practice.leave,
    "cancel": practice.leave,
}


def answered(room: Room, said: Tap | Practise | Command, known: Known) -> Outcome:
    """The outcome of a tap or a command there, or of the wish to practise."""
    match said:
        case Practise():
            return practice.open_table(room, said, known)
        case Command() if said.name in COMMANDS:
            return COMMANDS[said.name](room, said, known)
        case Tap() if said.verb in TAPS:
            return TAPS[said.verb](room, said, known)
    return Outcome(room)
