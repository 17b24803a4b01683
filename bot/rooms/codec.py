"""Rooms as JSON. The schema number says which shape it is; older ones are migrated when read."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic_core import from_json

from bot.rooms.class_names import at_of_view, by_id
from bot.rooms.model import Room
from bot.rooms.renewing import renewed
from bot.rooms.sealing import OLD
from bot.rooms.stored import NewerSchema as NewerSchema
from bot.rooms.stored import with_table
from engine import Illegal, ruleset

#: The shape that this code writes.
SCHEMA: Final = 10

_ROOM = TypeAdapter(Room)


def _unreached(stored: dict[str, Any]) -> dict[str, Any]:
    """2: a game notes whom the bot cannot write to; before, nobody was noted."""
    match = stored.get("match")
    return stored if match is None else {**stored, "match": {**match, "unreached": []}}


def _former(stored: dict[str, Any]) -> dict[str, Any]:
    """3: a game notes who had a seat before; of those that run, nobody knows."""
    match = stored.get("match")
    return stored if match is None else {**stored, "match": {**match, "former": {}}}


def _without_shakes(stored: dict[str, Any]) -> dict[str, Any]:
    """4: a deal is sealed at the start and follows from a beacon.

    A game that runs keeps its cards, but the scheme by which they could be proven is gone; a lobby's seed was
    never used.
    """
    lobby, match = stored.get("lobby"), stored.get("match")
    if lobby is not None:
        lobby = {name: value for name, value in lobby.items() if name not in ("seed", "shakes")}
    if match is not None:
        proof = {"seed": match["seed"], "doubt": OLD}
        kept = {name: value for name, value in match.items() if name not in ("seed", "shakes")}
        match = {**kept, "proof": proof}
    return {**stored, "lobby": lobby, "match": match}


def _ids(stored: dict[str, Any]) -> dict[str, Any]:
    """5: facts are stored by ids of their own, and a claim notes how much of the game the group had seen.

    Who is no person has no id, where it was 0.

    A game notes since when its question is open, and who called for the clock; a room, that the bot is out of
    the group.
    """
    stored = {**stored, "out": False}
    match, lobby = stored.get("match"), stored.get("lobby")
    if lobby is not None:
        stored = {**stored, "lobby": {**lobby, "host": lobby["host"] or None}}
    if match is None:
        return stored
    players = [{**player, "id": player["id"] or None} for player in match["players"]]
    people = {"host": match["host"] or None, "players": players}
    match = {**match, "opened_at": match["asked_at"], "called": None}
    claims = at_of_view(match.get("claims", ()), match["log"])
    return {**stored, "match": {**match, **people, "log": by_id(match["log"]), "claims": claims}}


def _remembered(stored: dict[str, Any]) -> dict[str, Any]:
    """6: a game notes which questions were ballots, and what the group was told beside its own post.

    Of what was before, nothing is known.
    """
    match = stored.get("match")
    noted = {"named_at": 0, "noticed": False, "voted": []}
    return stored if match is None else {**stored, "match": {**match, **noted}}


def _with_open_cards(stored: dict[str, Any]) -> dict[str, Any]:
    """7: a group sets whether the dead may see all cards, and a game notes which do; before, none."""
    stored = {**stored, "settings": {**stored["settings"], "open_cards": "off"}}
    match = stored.get("match")
    return stored if match is None else {**stored, "match": {**match, "watching": []}}


def _computers(stored: dict[str, Any]) -> dict[str, Any]:
    """8: computers have seats. Before, none had; older code would take their seats for empty ones."""
    return stored


def _stand_ins(stored: dict[str, Any]) -> dict[str, Any]:
    """9: a computer plays for who leaves a game; older code would ask them as well.

    Where somebody left before, it stays the clock that answers.
    """
    stored = {**stored, "settings": {**stored["settings"], "stand_in": "on"}}
    match = stored.get("match")
    return stored if match is None else {**stored, "match": {**match, "stood_in_at": 0}}


def _practice(stored: dict[str, Any]) -> dict[str, Any]:
    """10: a person's own chat is a room as well. Before, none was; older code would rate such games."""
    return stored


#: By schema number, how such a room becomes one of the next number.
MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {
    1: _unreached,
    2: _former,
    3: _without_shakes,
    4: _ids,
    5: _remembered,
    6: _with_open_cards,
    7: _computers,
    8: _stand_ins,
    9: _practice,
}


def encode(room: Room) -> bytes:
    """A room as JSON, in the shape of ``SCHEMA``."""
    return _ROOM.dump_json(room)


def decode(body: bytes, schema: int) -> Room:
    """The room of JSON of this schema number.

    Raises NewerSchema for what newer code wrote: a number, a kind of fact, or in a lobby or a game that
    is going on a ruleset, that this code does not know. Raises ValueError for anything torn.
    """
    if schema > SCHEMA:
        raise NewerSchema(schema)
    stored = from_json(body)
    for number in range(schema, SCHEMA):
        stored = MIGRATIONS[number](stored)
    room = _ROOM.validate_python(stored)
    playing = None if room.match is None or room.match.over else room.match.game
    for begun in (room.lobby, room.sealed, playing):
        if begun is not None:
            _check_rules(begun.setup.ruleset)
    room = renewed(room)
    if room.match is None:
        return room
    match = room.match
    return replace(room, match=replace(match, game=with_table(match.game, match.log)))


def _check_rules(ruleset_id: str) -> None:
    # Rules are added without a new number: whoever lacks them could only refuse every answer.
    try:
        ruleset(ruleset_id)
    except Illegal:
        raise NewerSchema(ruleset_id) from None
