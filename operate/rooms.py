"""Show what rooms do and wait for, without names, roles, hands, ballots or recipients of secret messages."""

from __future__ import annotations

from collections import Counter
from typing import Any

from bot.rooms.codec import NewerSchema, decode
from bot.rooms.model import Match, Room
from bot.rooms.names import from_key
from engine import question_for, waiting_on
from infra.store.items import RoomItem
from operate.output import moment


def read(item: RoomItem) -> Room | None:
    """Return an item's room, or None if newer code wrote it or if it is damaged."""
    try:
        return decode(item.body, item.schema)
    except (NewerSchema, ValueError, KeyError):
        return None


def in_short(item: RoomItem) -> dict[str, Any]:
    """Return a room as a row."""
    room = read(item)
    return {
        "room": item.key,
        "does": "cannot be read" if room is None else _does(room),
        "since": None if room is None else moment(_since(room)),
        "unsent": len(item.outbox),
        "unsent since": moment(item.remembered.waiting_since),
        "due": moment(item.due),
    }


def in_detail(item: RoomItem, now: float) -> dict[str, Any]:
    """Return what a room waits for and since when.

    Three things would show more than the group knows, and are left out: the version (each secret answer
    raises it), the size, and unsent messages to single people. Only the times ``unsent since``, ``due`` and
    ``sender until`` may still come from such a message.
    """
    room = read(item)
    chat = from_key(item.key).chat
    ours = [entry for entry in item.outbox.values() if entry.chat == chat]
    match = None if room is None else room.playing
    lease = item.lease
    return {
        **in_short(item),
        "schema": item.schema,
        "waits for": None if match is None else _waits(match),
        "ruleset": None if match is None else match.game.setup.ruleset,
        "clock": None if room is None else room.settings.clock,
        "unsent": len(ours),
        "unsent calls": dict(Counter(entry.method for entry in ours)),
        "Telegram makes the group wait": item.remembered.pauses.get(chat, 0) > now,
        "sender until": None if lease is None or lease.until < now else moment(lease.until),
    }


def _does(room: Room) -> str:
    if room.muted_now is not None:
        return "the bot may not write in the group"
    if room.bot_removed:
        return "the bot is not in the group"
    if room.sealed is not None:
        return f"game {room.sealed.number} is sealed"
    if room.lobby is not None:
        return f"a lobby of {len(room.lobby.players)}"
    if (match := room.match) is None:
        return "nothing yet"
    if match.over:
        return f"game {match.number} is over"
    return f"game {match.number}, round {match.round}"


def _since(room: Room) -> float | None:
    if room.sealed is not None:
        return room.sealed.at
    if room.lobby is not None:
        return room.lobby.touched
    return None if room.match is None else room.match.opened_at or room.match.time_began_at


def _waits(match: Match) -> str:
    """Return what a match waits for, if the whole group may know it. Some questions are completely secret."""
    question = question_for(match.game, None)
    if question is None:
        return "something that the group is not told of"
    seats = ", ".join(str(seat + 1) for seat in waiting_on(match.game))
    return f"{question.step}, of seats {seats}" if seats else question.step
