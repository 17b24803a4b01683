"""Refuse what must wait between the seal and the deal."""

from bot.conversation.incoming import Command, DeepLink, Incoming, Tap
from bot.conversation.outcome import Outcome, Post, Private, Toast
from bot.conversation.posting import to_group, words_of
from bot.display.buttons import Verb
from bot.display.words import Words, closest
from bot.rooms.model import Room

#: The names of the message with the seal, and of its forward, which nobody can edit.
SEAL, FORWARD = "seal", "seal-forward"
#: Taps that must wait until the game is dealt.
BARRED_TAPS: frozenset[Verb] = frozenset(
    {
        *("join", "leave", "start", "setup", "host", "remove", "computers"),
        *("rematch", "set", "board", "role", "unseat"),
    }
)
BARRED_COMMANDS = frozenset(
    {"newgame", "join", "leave", "start", "cancel", "status", "remind", "sub", "settings", "unseat"}
)


def bars(incoming: Incoming) -> bool:
    """Return True if an update must wait until the room's sealed game is dealt."""
    match incoming:
        case Tap(verb=verb):
            return verb in BARRED_TAPS
        case Command(name=name):
            return name in BARRED_COMMANDS
    return isinstance(incoming, DeepLink)


def refuse(room: Room, incoming: Tap | Command | DeepLink) -> Outcome:
    """Say that this must wait for the deal. Nothing changes."""
    if isinstance(incoming, Command):
        return Outcome(room, (to_group(words_of(room).html("start.frozen")),))
    words = Words(closest(incoming.person.language))
    if isinstance(incoming, DeepLink):
        return Outcome(room, (Post(Private(incoming.person.id), words.html("start.frozen")),))
    sealed, own = room.sealed, False
    if sealed is not None and incoming.verb == "role":
        own = sealed.is_seated(incoming.person.id) and incoming.args[0] == sealed.number
    why = "start.frozen.role" if own else "start.frozen"
    return Outcome(room, toast=Toast(words.plain(why), alert=True))
