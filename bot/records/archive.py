"""A finished game as it is archived: by seats, without any person's name or id.

The user ids are stored next to it (see ``infra.store.archives``), so that a person can be forgotten.
"""

from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from bot.records.ratings import Result, result_of
from bot.rooms.model import Match, Room
from bot.rooms.names import RoomName
from bot.rooms.sealing import Proof
from bot.rooms.stored import read_log, write_log
from engine import Event, Seat
from engine.claim import Claim
from engine.frozen import frozen

#: The schema that this code writes.
SCHEMA: Final = 1


@frozen
class Archived:
    """The content of an archive."""

    #: All events; the setup is in the first one.
    log: tuple[Event, ...]
    result: Result
    #: The seats that computers had from the start: such a game is not rated.
    computers: tuple[Seat, ...] = ()
    #: The seats that a computer played at the end in place of somebody who left.
    stand_ins: tuple[Seat, ...] = ()
    #: The names of computers that played from the start, by seat.
    names: Mapping[Seat, str] = field(default_factory=dict)


@frozen
class ReplayableGame:
    """Everything in an archive, to look at the game move by move."""

    number: int
    proof: Proof
    log: tuple[Event, ...]
    claims: tuple[Claim, ...]


def archive_key(room: Room) -> str:
    """Return the key for a room's archives and leaderboard.

    It is the room's first key, even if the group's id has changed since.
    """
    return RoomName(room.chat if room.origin is None else room.origin, room.topic).key


def encode_archive(match: Match) -> bytes:
    """Return a finished match as JSON: number, proof, events, claims, result; the seats of computers, if any.

    Raises ValueError if the game is not over.
    """
    stored: dict[str, Any] = {
        "schema": SCHEMA,
        "game": match.number,
        "proof": asdict(match.proof),
        "log": write_log(match.log),
        "claims": [asdict(claim) for claim in match.claims],
        "result": asdict(result_of(match.log)),
    }
    stand_ins = [seat for seat in match.computer_seats if seat not in match.computers_from_start]
    seats = {"computers": match.computers_from_start, "stand_ins": stand_ins}
    stored |= {played: which for played, which in seats.items() if which}
    if names := {seat: match.players[seat].name for seat in match.computers_from_start}:
        stored["names"] = names  # a computer's name is not personal
    return to_json(stored)


def decode_archive(body: bytes) -> Archived:
    """Read an archive's body. The result is computed from the events again.

    Raises NewerSchema for facts that this code does not know, ValueError or KeyError for damaged data.
    """
    stored = from_json(body)
    log = read_log(stored["log"])
    computers, stand_ins = (tuple(stored.get(played, ())) for played in ("computers", "stand_ins"))
    names = {Seat(int(seat)): name for seat, name in stored.get("names", {}).items()}
    return Archived(log, result_of(log), computers, stand_ins, names)


def decode_replayable(body: bytes) -> ReplayableGame:
    """Return everything in an archive's body. Raises like ``decode_archive``."""
    stored = from_json(body)
    return ReplayableGame(
        stored["game"],
        TypeAdapter(Proof).validate_python(stored["proof"]),
        decode_archive(body).log,
        tuple(TypeAdapter(list[Claim]).validate_python(stored["claims"])),
    )
