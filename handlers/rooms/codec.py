"""Rooms as JSON. The schema number says which shape it is; older ones are migrated when read."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, Final

from pydantic_core import from_json, to_json

from handlers.rooms.model import Room
from handlers.rooms.shapes import reader
from handlers.rooms.stored import with_table, write_game, write_log

#: The shape that this code writes.
SCHEMA: Final = 2


def _unreached(stored: dict[str, Any]) -> dict[str, Any]:
    """2: a game notes whom the bot cannot write to; before, nobody was noted."""
    match = stored.get("match")
    return stored if match is None else {**stored, "match": {**match, "unreached": []}}


#: By schema number, how such a room becomes one of the next number.
MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _unreached}


class NewerSchema(Exception):
    """The room was written by newer code, which must be the one to touch it."""


def encode(room: Room) -> bytes:
    """A room as JSON, in the shape of ``SCHEMA``."""
    stored = _fields(room)
    if room.match is not None:
        own = {"game": write_game(room.match.game), "log": write_log(room.match.log)}
        stored["match"] = _fields(room.match) | own
    return to_json(stored)


def decode(body: bytes, schema: int) -> Room:
    """The room of JSON of this schema number.

    Raises NewerSchema for a number that this code does not know, ValueError for anything torn.
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
    return replace(room, match=replace(match, game=with_table(match.game, match.log)))


def _fields(value: Any) -> dict[str, Any]:
    """A dataclass's fields; those that are dataclasses themselves become objects in JSON."""
    return {field.name: getattr(value, field.name) for field in fields(value)}
