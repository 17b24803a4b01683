"""A person's own room, in which they practise: the values of its buttons, and its commands."""

from dataclasses import replace

from bot.conversation.incoming import Command, Practise, Tap
from bot.conversation.outcome import Erase, Outcome
from bot.display.guide import Guide, practice_of
from bot.records.own_record import Profile
from bot.rooms.model import Room
from bot.rooms.names import UserId

#: The values of practice buttons: open a table, end the game, go on with it.
OPEN, END, GO_ON = 0, 1, 2
#: Commands that a practice game answers, the last one also when it is over.
ASKED = ("board", "votes", "players", "status", "leave", "cancel", "history")


def erase(room: Room) -> Outcome:
    """Erase a person's own room."""
    bare = Room(room.chat)
    erased = Erase(everything=True, people=(UserId(room.chat),))
    return Outcome(room) if room == bare else Outcome(bare, erase=erased)


def answers(room: Room, name: str) -> bool:
    """Return True if a command is about the practice game in this room."""
    return room.private and name in (ASKED if room.playing is not None else ASKED[-1:] if room.match else ())


def practice_request(incoming: Command | Tap) -> Guide | None:
    """Return the rules by which somebody asks to practise; None if they ask for something else."""
    if isinstance(incoming, Tap):
        return Guide(which=0, theme="") if incoming.verb == "practice" and incoming.args[0] == OPEN else None
    if incoming.name == "practice":
        return Guide(which=0, theme="")
    return practice_of(incoming.argument) if incoming.name == "start" else None


def to_practise_update(incoming: Command | Tap, request: Guide, language: str, profile: Profile) -> Practise:
    """Turn a person's request to practise into an update for their own room."""
    person = replace(incoming.person, language=language)
    newcomer = not profile.counts
    return Practise(person, request.which, request.theme, newcomer=newcomer, confirms=profile.confirms)
