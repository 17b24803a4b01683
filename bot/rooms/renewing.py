"""When a ruleset's next version is offered: lobbies and boards go on with it, games stay with theirs."""

from dataclasses import replace

from bot.rooms.model import Lobby, Room
from bot.rooms.own_board import OwnBoard
from engine import OFFERED, Illegal, Setup
from engine import renewed as by_new_rules


def renewed(room: Room) -> Room:
    """Return the room with its lobby and boards updated to the rulesets offered now.

    A board keeps its changes. If it can no longer be played, it says so like any other board.
    """
    boards = tuple(own.renewed() for own in room.boards)
    lobby = None if room.lobby is None else _lobby(room.lobby)
    return room if (boards, lobby) == (room.boards, room.lobby) else replace(room, boards=boards, lobby=lobby)


def next_setup(setup: Setup, own: OwnBoard | None) -> tuple[Setup, OwnBoard | None]:
    """Return what is offered after a game of this setup, on this board of the group's own.

    It is the same, by the rules of today; where they are not offered any more, the first that are.
    """
    try:
        setup = by_new_rules(replace(setup, players=0, board=None))
    except Illegal:
        return first_setup(), None
    own = None if own is None else own.renewed()
    return setup, own


def first_setup() -> Setup:
    """Return what a lobby begins with where nothing was played yet."""
    return Setup(OFFERED[0].id, 0)


def _lobby(lobby: Lobby) -> Lobby:
    setup, own = next_setup(lobby.setup, lobby.own)
    if setup.ruleset == lobby.setup.ruleset:
        return lobby
    return replace(lobby, setup=setup, own=own)
