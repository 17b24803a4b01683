"""Rooms as JSON. The schema number says which shape it is; older ones are migrated when read."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, Final

from pydantic_core import from_json, to_json

from engine import Illegal, ruleset
from handlers.rooms.model import Room
from handlers.rooms.shapes import reader
from handlers.rooms.stored import NewerSchema as NewerSchema
from handlers.rooms.stored import with_table, write_game, write_log

#: The shape that this code writes.
SCHEMA: Final = 3


def _unreached(stored: dict[str, Any]) -> dict[str, Any]:
    """2: a game notes whom the bot cannot write to; before, nobody was noted."""
    match = stored.get("match")
    return stored if match is None else {**stored, "match": {**match, "unreached": []}}


def _former(stored: dict[str, Any]) -> dict[str, Any]:
    """3: a game notes who had a seat before; of those that run, nobody knows."""
    match = stored.get("match")
    return stored if match is None else {**stored, "match": {**match, "former": {}}}


#: By schema number, how such a room becomes one of the next number.
MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _unreached, 2: _former}


def encode(room: Room) -> bytes:
    """A room as JSON, in the shape of ``SCHEMA``."""
    stored = _fields(room)
    if room.match is not None:
        own = {"game": write_game(room.match.game), "log": write_log(room.match.log)}
        stored["match"] = _fields(room.match) | own
    return to_json(stored)


def decode(body: bytes, schema: int) -> Room:
    """The room of JSON of this schema number.

    Raises NewerSchema for what newer code wrote: a number, a kind of fact, or in a game that is going on a
    ruleset, that this code does not know. Raises ValueError for anything torn.
    """
    if schema > SCHEMA:
        raise NewerSchema(schema)
    stored = from_json(body)
    for number in range(schema, SCHEMA):
        stored = MIGRATIONS[number](stored)
    room: Room = reader(Room)(stored)
    if room.match is None:
        return room
    match = room.match
    if not match.over:
        _check_rules(match.game.setup.ruleset)
    return replace(room, match=replace(match, game=with_table(match.game, match.log)))


def _check_rules(ruleset_id: str) -> None:
    # Rules are added without a new number: whoever lacks them could only refuse every answer.
    try:
        ruleset(ruleset_id)
    except Illegal:
        raise NewerSchema(ruleset_id) from None


def _fields(value: Any) -> dict[str, Any]:
    """A dataclass's fields; those that are dataclasses themselves become objects in JSON."""
    return {field.name: getattr(value, field.name) for field in fields(value)}
