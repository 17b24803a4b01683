"""Rooms as JSON. A schema number identifies the format; rooms with older numbers are migrated when read."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic_core import from_json

from bot.rooms.model import Room
from bot.rooms.own_board import OwnBoard
from bot.rooms.stored import NewerSchema as NewerSchema
from engine import KNOWN, OFFERED, Illegal, Setup, fold
from engine import renewed as by_new_rules

# --- renewing -----------------------------------------------------------------------------------------------
# Move lobbies and boards to the version of their ruleset that is offered now. Games that have begun keep
# theirs.


def renewed(room: Room) -> Room:
    """Return the room with its lobby and boards updated to the rulesets offered now.

    A board keeps its changes. If it can no longer be played, its ``reasons`` say why, as for any other board.
    """
    boards = tuple([own.renewed() for own in room.boards])
    lobby = room.lobby
    if lobby is not None:
        setup, own = next_setup(lobby.setup, lobby.own)
        if setup.ruleset != lobby.setup.ruleset:
            lobby = replace(lobby, setup=setup, own=own)
    return room if (boards, lobby) == (room.boards, room.lobby) else replace(room, boards=boards, lobby=lobby)


def next_setup(setup: Setup, own: OwnBoard | None) -> tuple[Setup, OwnBoard | None]:
    """Return the setup and own board to offer after a game with these.

    The setup has the same ruleset, in the version offered now, and the same options. Its number of players
    and its board are not set (0 and None). If the ruleset is no longer offered, return the setup of a chat's
    first lobby, and no own board.
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


# --- codec --------------------------------------------------------------------------------------------------

#: The schema that this code writes.
SCHEMA: Final = 1

_ROOM = TypeAdapter(Room)


#: By schema number, a function that converts a room of this schema to the next one. From the first release on
#: we keep all of them, each with a stored fixture.
MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def encode(room: Room) -> bytes:
    """Return a room as JSON, in the schema ``SCHEMA``."""
    return _ROOM.dump_json(room)


def decode(body: bytes, schema: int) -> Room:
    """Decode a room from JSON with this schema number.

    Raises NewerSchema for anything that only newer code knows: a schema number, a kind of fact, or the
    ruleset of a lobby, a sealed game or a running game. Raises ValueError for a malformed body.
    """
    if schema > SCHEMA:
        raise NewerSchema(schema)
    stored = from_json(body)
    for number in range(schema, SCHEMA):
        stored = MIGRATIONS[number](stored)
    room = _ROOM.validate_python(stored)
    playing = None if room.match is None or room.match.over else room.match.game
    known = {rules.id for rules in KNOWN}
    for begun in (room.lobby, room.sealed, playing):
        if begun is not None and begun.setup.ruleset not in known:
            # A new ruleset does not change the schema number, but this code cannot play it.
            raise NewerSchema(begun.setup.ruleset)
    if room.boards or room.lobby is not None:
        room = renewed(room)
    if room.match is None:
        return room
    table = fold([event.fact for event in room.match.log])
    return replace(room, match=replace(room.match, game=replace(room.match.game, table=table)))
