"""From what was said to who answers it: one table for taps, one for commands in a group."""

from collections.abc import Callable
from typing import Any

from handlers.conversation import (
    anonymous,
    boards,
    claims,
    clock,
    info,
    joining,
    limits,
    lobby,
    own,
    people,
    play,
    rules,
    seats,
    settings,
    silence,
    starting,
    statistics,
)
from handlers.conversation.incoming import (
    Chatter,
    Chose,
    Command,
    Follow,
    Forgotten,
    Membership,
    Reached,
    Said,
    Tap,
    Wake,
)
from handlers.conversation.outcome import Known, Outcome, Toast
from handlers.conversation.rights import may_lead
from handlers.display.words import Words, closest
from handlers.rooms.model import Room

Answerer = Callable[[Room, Any, Known], Outcome]


def settings_command(room: Room, said: Command, known: Known) -> Outcome:
    """/settings: alone it shows them, and words behind it may be about the group's boards."""
    return (boards.boards_command if boards.about_boards(said) else settings.show)(room, said, known)


TAPS: dict[str, Answerer] = {
    "join": joining.join_tap,
    "leave": joining.leave_tap,
    "shake": lobby.shake,
    "start": starting.start_tap,
    "setup": lobby.set_up,
    "host": lobby.hand_over,
    "remove": lobby.remove,
    "rematch": starting.rematch,
    "answer": play.answer_tap,
    "claim": claims.claim_tap,
    "clock": clock.clock_tap,
    "sit": seats.sit,
    "replace": seats.replace_tap,
    "role": info.role_tap,
    "set": settings.set_tap,
    "board": boards.board_tap,
    "rules": rules.rules_tap,
}

COMMANDS: dict[str, Answerer] = {
    "newgame": lobby.new_game,
    "join": joining.join_command,
    "leave": joining.leave_command,
    "start": starting.start_command,
    "cancel": starting.cancel,
    "nextgame": joining.next_game,
    "status": info.status,
    "board": info.board,
    "history": info.history,
    "players": info.players,
    "sub": seats.sub,
    "settings": settings_command,
    "stats": statistics.leaderboard,
    "rules": rules.show,
    "help": info.help_in_group,
}


def respond(room: Room, said: Said, known: Known) -> Outcome:
    """The outcome of what was said in (or about) a room. Raises Unknown for what the edge must find out."""
    return clock.in_time(room, _answered(room, own.as_seated(room, said), known), known)


def _answered(room: Room, said: Said, known: Known) -> Outcome:
    match said:
        case Tap(verb="again"):
            return again(room, said, known)
        case Command() if said.argument and silence.hushed(room, said.person):
            # What stands behind a command is read by all: it is taken away, and the command with it.
            return silence.chatter(room, said, known)
        case Command() if anonymous.is_anonymous(said):
            return anonymous.ask_again(room, said, known)
        case Tap(verb=verb) if verb in TAPS:
            return TAPS[verb](room, said, known)
        case Command(name=name) if name in COMMANDS:
            counted = limits.counted(room, known)
            return Outcome(room) if counted is None else COMMANDS[name](counted, said, known)
        case Chatter():
            return silence.chatter(room, said, known)
        case Follow():
            return joining.follow_link(room, said, known)
        case Reached():
            return people.reached(room, said, known)
        case Chose():
            return own.chose(room, said)
        case Forgotten():
            return own.forgotten(room, said)
        case Membership():
            return people.membership(room, said)
        case Wake():
            return clock.wake(room, known)
    return Outcome(room)


def again(room: Room, said: Tap, known: Known) -> Outcome:
    """A command that was given anonymously, given again by a tap."""
    words = Words(closest(said.person.language))
    meant = anonymous.meant(room, said)
    if meant is None:
        return Outcome(room, toast=Toast(words.plain("illegal.closed")))
    led = room.lobby or room.playing if isinstance(meant, Command) and meant.name == "cancel" else None
    if led is not None and not may_lead(led.host, said.person, known):
        # As a command it would be refused in the group, which is not for whoever taps.
        return Outcome(room, toast=Toast(words.plain("only-host"), alert=True))
    return anonymous.settled(room, respond(room, meant, known))
