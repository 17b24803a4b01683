"""Update lobbies and boards to a ruleset's next version. Running games keep theirs."""

from dataclasses import replace

from bot.rooms.model import Lobby, Room
from bot.rooms.own_board import OwnBoard
from engine import OFFERED, Illegal, Setup
from engine import renewed as by_new_rules


def renewed(room: Room) -> Room:
    """Return the room with its lobby and boards updated to the rulesets offered now.

    A board keeps its changes. If it can no longer be played, it gives the reasons like any other board.
    """
    boards = tuple(own.renewed() for own in room.boards)
    lobby = None if room.lobby is None else _lobby(room.lobby)
    return room if (boards, lobby) == (room.boards, room.lobby) else replace(room, boards=boards, lobby=lobby)


def next_setup(setup: Setup, own: OwnBoard | None) -> tuple[Setup, OwnBoard | None]:
    """Return the setup and own board to offer after a game with these.

    They are the same in the version offered now. If none is offered, it is the first setup.
    """
    try:
        setup = by_new_rules(replace(setup, players=0, board=None))
    except Illegal:
        return first_setup(), None
    own = None if own is None else own.renewed()
    return setup, own


def first_setup() -> Setup:
    """Return the setup of a chat's first lobby."""
    return Setup(OFFERED[0].id, 0)


def _lobby(lobby: Lobby) -> Lobby:
    setup, own = next_setup(lobby.setup, lobby.own)
    if setup.ruleset == lobby.setup.ruleset:
        return lobby
    return replace(lobby, setup=setup, own=own)
