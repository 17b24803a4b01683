"""Admins who write anonymously: Telegram does not say who they are until they tap a button.

So a command that depends on who gives it is answered by a button that gives it again.
"""

from dataclasses import replace

from bot.conversation.incoming import Command, Tap
from bot.conversation.outcome import Context, Edit, Outcome
from bot.conversation.posting import name_of, to_group, words_of
from bot.conversation.recipients import GROUP
from bot.display.buttons import Button, data
from bot.rooms.model import Room

#: The commands that depend on the person who gives them. A button names one by its index: add at the end
#: only.
COMMANDS = ("newgame", "join", "leave", "start", "cancel", "nextgame", "sub", "forget")
#: The name of the message with the button.
MESSAGE = "again"


def is_anonymous(said: Command) -> bool:
    """Return whether a command must be given again, by somebody with a name."""
    return said.anonymous and said.name in COMMANDS


def ask_again(room: Room, said: Command, context: Context) -> Outcome:
    """Offer the button. It works as long as no other lobby has been opened since."""
    words = words_of(room)
    room = replace(room, title=said.title or room.title)
    command = data(name_of(room), "again", COMMANDS.index(said.name), room.games)
    button = Button(words.plain("button.again", command=f"/{said.name}"), command)
    return Outcome(room, (to_group(words.html("anonymous"), ((button,),), MESSAGE),))


def meant(room: Room, said: Tap) -> Command | Tap | None:
    """Return the meaning of a tap on the button: the lobby's own tap if there is one for it, or the command.

    None for a button of an earlier lobby.
    """
    index, games = said.args
    if not 0 <= index < len(COMMANDS) or games != room.games:
        return None
    name = COMMANDS[index]
    if room.lobby is not None and name in ("join", "leave", "start"):
        return replace(said, verb=name, args=(room.lobby.number,))
    return Command(said.person, said.room, name)


def settled(before: Room, outcome: Outcome) -> Outcome:
    """Return the outcome of such a tap. If it did something, the button goes."""
    if outcome.room == before:
        return outcome
    gone = Edit(GROUP, MESSAGE, words_of(outcome.room).html("anonymous.done"))
    return replace(outcome, effects=(*outcome.effects, gone))
