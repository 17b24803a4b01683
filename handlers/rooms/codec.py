"""Rooms as JSON. The schema number says which shape it is; older ones are migrated when read."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from handlers.rooms.model import Room
from handlers.rooms.stored import with_table

#: The shape that this code writes.
SCHEMA: Final = 1

#: By schema number, how such a room becomes one of the next number.
MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


class NewerSchema(Exception):
    """The room was written by newer code, which must be the one to touch it."""


@cache
def _rooms() -> TypeAdapter[Room]:
    return TypeAdapter(Room)


def encode(room: Room) -> bytes:
    """A room as JSON, in the shape of ``SCHEMA``."""
    return to_json(_rooms().dump_python(room))


def decode(body: bytes, schema: int) -> Room:
    """The room of JSON of this schema number.

    Raises NewerSchema for a number that this code does not know, ValueError for anything torn.
    """
    if schema > SCHEMA:
        raise NewerSchema(schema)
    stored = from_json(body)
    for number in range(schema, SCHEMA):
        stored = MIGRATIONS[number](stored)
    room = _rooms().validate_python(stored)
    if room.match is None:
        return room
    match = room.match
    return replace(room, match=replace(match, game=with_table(match.game, match.log)))
