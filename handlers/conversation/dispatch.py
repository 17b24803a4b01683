"""From what was said to who answers it: one table for taps, one for commands in a group."""

from collections.abc import Callable
from typing import Any

from handlers.conversation import info, lobby, play
from handlers.conversation.incoming import Command, Follow, Said, Tap, Wake
from handlers.conversation.outcome import Known, Outcome
from handlers.rooms.model import Room

Answerer = Callable[[Room, Any, Known], Outcome]

TAPS: dict[str, Answerer] = {
    "join": lobby.join_tap,
    "leave": lobby.leave_tap,
    "shake": lobby.shake,
    "start": lobby.start_tap,
    "answer": play.answer_tap,
}

COMMANDS: dict[str, Answerer] = {
    "newgame": lobby.new_game,
    "join": lobby.join_command,
    "leave": lobby.leave_command,
    "start": lobby.start_command,
    "cancel": lobby.cancel,
    "status": info.status,
    "board": info.board,
    "players": info.players,
    "help": info.help_in_group,
}


def respond(room: Room, said: Said, known: Known) -> Outcome:
    """The outcome of what was said in (or about) a room. Raises Unknown for what the edge must find out."""
    match said:
        case Tap(verb=verb) if verb in TAPS:
            return TAPS[verb](room, said, known)
        case Command(name=name) if name in COMMANDS:
            return COMMANDS[name](room, said, known)
        case Follow():
            return lobby.follow_link(room, said, known)
        case Wake():
            return wake(room, known)
    return Outcome(room)


def wake(room: Room, known: Known) -> Outcome:
    """What the clock does in a room: a lobby that nobody touched closes."""
    due_at = due(room)
    if room.lobby is not None and due_at is not None and due_at <= known.now:
        return lobby.close_lobby(room, "lobby.expired")
    return Outcome(room)


def due(room: Room) -> int | None:
    """When the clock has something to do in this room, in seconds since 1970, or None."""
    return None if room.lobby is None else room.lobby.touched + lobby.LIFETIME
