"""From what was said to who answers it: one table for taps, one for commands in a group."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from handlers.conversation import anonymous, fading, limits, outside, person, reaching, waking
from handlers.conversation.game import (
    answering,
    claims,
    clock,
    computers,
    endings,
    info,
    seats,
    silence,
    status,
    tidying,
    watching,
)
from handlers.conversation.group import boards, forgetting, rules, settings, statistics
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
    Think,
    Untouched,
    Wake,
)
from handlers.conversation.lobby import calling_off, computer_seats, joining, lobby, sealing, starting
from handlers.conversation.outcome import Known, Outcome, Toast
from handlers.conversation.posting import to_group, words_of
from handlers.conversation.rights import is_admin
from handlers.display.words import Words, closest
from handlers.rooms.model import Room

Answerer = Callable[[Room, Any, Known], Outcome]


def settings_command(room: Room, said: Command, known: Known) -> Outcome:
    """/settings: alone it shows them, and words behind it may be about the group's boards."""
    return (boards.boards_command if boards.about_boards(said) else settings.show)(room, said, known)


TAPS: dict[str, Answerer] = {
    "join": joining.join_tap,
    "leave": joining.leave_tap,
    "start": starting.start_tap,
    "beacon": sealing.beacon_tap,
    "setup": lobby.set_up,
    "host": lobby.hand_over,
    "remove": lobby.remove,
    "computers": computer_seats.set_tap,
    "rematch": starting.rematch,
    "answer": answering.answer_tap,
    "claim": claims.claim_tap,
    "watch": watching.watch_tap,
    "clock": clock.clock_tap,
    "cancel": calling_off.cancel_tap,
    "sit": seats.sit,
    "replace": seats.replace_tap,
    "role": info.role_tap,
    "set": settings.set_tap,
    "board": boards.board_tap,
    "rules": rules.rules_tap,
    "howto": rules.how_to_tap,
    "erase": forgetting.forget_tap,
    "proof": endings.proof_tap,
}

COMMANDS: dict[str, Answerer] = {
    "newgame": lobby.new_game,
    "join": joining.join_command,
    "leave": joining.leave_command,
    "start": starting.start_command,
    "cancel": calling_off.cancel,
    "nextgame": joining.next_game,
    "status": status.status,
    "remind": status.remind,
    "board": info.board,
    "history": info.history,
    "votes": info.votes,
    "players": info.players,
    "sub": seats.sub,
    "settings": settings_command,
    "forget": forgetting.forget,
    "stats": statistics.leaderboard,
    "rules": rules.show,
    "help": info.help_in_group,
}


def respond(room: Room, said: Said, known: Known) -> Outcome:
    """The outcome of what was said in (or about) a room. Raises Needs for what the edge must find out."""
    if isinstance(said, Untouched):
        return fading.fade(room, known)
    said = person.as_seated(room, said)
    if isinstance(said, Membership) and not said.inside:
        return outside.left(room)
    if not room.out:
        outcome = clock.in_time(room, _answered(room, said, known), known)
        return tidying.after(room, status.with_way(outcome, known))
    if not outside.is_back(said, known):
        return outside.waiting(room, said, known)
    came = outside.back(room, known)
    if isinstance(said, Membership):
        return came
    answered = respond(came.room, said, known)
    return replace(answered, effects=(*came.effects, *answered.effects))


def _answered(room: Room, said: Said, known: Known) -> Outcome:
    match said:
        case Tap(verb="again"):
            return again(room, said, known)
        case Command() if said.argument and silence.hushed(room, said.person):
            # What stands behind a command is read by all: it is taken away, and the command with it.
            return silence.chatter(room, said, known)
        case Command() if anonymous.is_anonymous(said):
            return anonymous.ask_again(room, said, known)
        case Tap() | Command() | Follow() if sealing.bars(room, said):
            counted = limits.counted(room, known) if isinstance(said, Command) else room
            return Outcome(room) if counted is None else sealing.frozen(counted, said)
        case Tap(verb=verb) if verb in TAPS:
            return TAPS[verb](room, said, known)
        case Command(name=name) if name in COMMANDS:
            return within_limits(room, said, known)
        case Chatter():
            return silence.chatter(room, said, known)
        case Follow():
            return joining.follow_link(room, said, known)
        case Reached():
            return reaching.reached(room, said, known)
        case Chose():
            return person.chose(room, said)
        case Forgotten():
            return person.forgotten(room, said)
        case Membership():
            return reaching.membership(room)
        case Wake():
            return waking.wake(room, known)
        case Think():
            return computers.think(room, known)
    return Outcome(room)


def within_limits(room: Room, said: Command, known: Known) -> Outcome:
    """The answer to a command; where there were too many lately, what it changes, or that it is too much."""
    answer = COMMANDS[said.name]
    within = limits.counted(room, known)
    if within is not None:
        return answer(within, said, known)
    if said.name in limits.NEEDED and (outcome := answer(room, said, known)).room != room:
        return outcome
    return _enough(room, known)


def _enough(room: Room, known: Known) -> Outcome:
    """The group hears once a minute that it asks too much."""
    warned = limits.warned(room, known)
    return Outcome(room) if warned is None else Outcome(warned, (to_group(words_of(room).html("throttled")),))


def again(room: Room, said: Tap, known: Known) -> Outcome:
    """A command that was given anonymously, given again by a tap."""
    words = Words(closest(said.person.language))
    meant = anonymous.meant(room, said)
    if meant is None:
        return Outcome(room, toast=Toast(words.plain("illegal.closed")))
    cancels = isinstance(meant, Command) and meant.name == "cancel"
    if cancels and calling_off.refuses(room, said, known):
        # As a command it would be refused in the group, which is not for whoever taps.
        return Outcome(room, toast=Toast(words.plain("only-host"), alert=True))
    if isinstance(meant, Command) and meant.name == "forget" and not is_admin(known):
        return Outcome(room, toast=Toast(words.plain("only-admin"), alert=True))
    return anonymous.settled(room, respond(room, meant, known))
