"""The target of a deep link: ``https://t.me/<bot>?start=<argument>``, which comes as a /start."""

from dataclasses import dataclass

from bot.conversation.game.endings import DECIDED, FILM, PROOF
from bot.conversation.incoming import Command
from bot.display.guide import room_of_rules
from bot.rooms.names import RoomName, of_signed_game, of_signed_payload, own_key


@dataclass(frozen=True, slots=True)
class ToLobby:
    """A seat in the lobby of this number."""

    room: RoomName
    number: int
    #: True if the link was made for the person who follows it.
    own: bool = False


@dataclass(frozen=True, slots=True)
class ToProof:
    """The page with the proof of the game of this number."""

    room: RoomName
    number: int


@dataclass(frozen=True, slots=True)
class ToRules:
    """The rules of what is played in a room."""

    room: RoomName


@dataclass(frozen=True, slots=True)
class ToFinished:
    """A link to a finished game, to watch it again or to read what decided it."""

    room: RoomName
    number: int
    #: The time of its end, in seconds since 1970.
    ended: int
    decided: bool = False


def destination(said: Command, key: bytes) -> ToLobby | ToProof | ToRules | ToFinished | None:
    """Return where a command's link leads; None: it came by no such link, or by a forged one.

    ``key`` signs links to lobbies and proofs. Anybody may write a link to rules.
    """
    if said.name != "start":
        return None
    if (room := room_of_rules(said.argument)) is not None:
        return ToRules(room)
    for prefix in (FILM, DECIDED):
        if said.argument.startswith(prefix):
            game = of_signed_game(said.argument.removeprefix(prefix), key)
            return None if game is None else ToFinished(*game, decided=prefix == DECIDED)
    found = of_signed_payload(said.argument.removeprefix(PROOF), key)
    if found is None:
        own = of_signed_payload(said.argument, own_key(key, said.person.id))
        return None if own is None else ToLobby(*own, own=True)
    return ToProof(*found) if said.argument.startswith(PROOF) else ToLobby(*found)
