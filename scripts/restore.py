"""Restore one room to an earlier state, from a restored copy of the table (docs/operating.md).

Usage: python -m scripts.restore TABLE COPY ROOM           show the room in both tables
       python -m scripts.restore TABLE COPY ROOM --write   restore the room

ROOM is a key such as ``room#-1001234567890``, for a topic ``room#-1001234567890#42``, or the chat's number.
The region and the credentials are those of the AWS command line.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bot.conversation.game.announce import asked_in_group, prompt_post
from bot.conversation.outcome import Post
from bot.conversation.reaching import on_moved
from bot.records.archive import archive_key
from bot.rooms.codec import SCHEMA, decode, encode
from bot.rooms.model import Room
from bot.rooms.names import from_key
from engine import question_for
from handlers.service import effects as outbox
from handlers.service.recording import archive_id
from infra.store.archives import Archives
from infra.store.items import Change, Conflict, RoomItem
from infra.store.rooms import Clock, Rooms
from infra.store.table import ROOM_PREFIX, DynamoTable, StoreError, dynamodb_client
from scripts.catalogues import compile_all

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

#: The number of digits of an archive's id that are the time of the game's end. The others are the match's
#: number.
_TIME = 12


def put_back(rooms: Rooms, archives: Archives, then: RoomItem, now: RoomItem | None, at: float) -> str | None:
    """Replace the room ``now`` with ``then``. Return the reason if that is impossible, else None.

    The room's clocks begin again at ``at`` (seconds since 1970). The bot asks the open question again, since
    old buttons may be gone. If the game ended in between, the statistics already include it, and its second
    end does not count. Raises StoreError.
    """
    if then.moved_to or (now is not None and now.moved_to):
        moved = "The group became a supergroup, and has another id in one of the tables."
        return f"{moved} It cannot be restored."
    if (was := _read(then)) is None:
        return "This version of the code cannot read the room in the copy."
    room = _restart_clocks(was, archives, int(at))
    if now is not None and (current := _read(now)) is not None:
        # Never reuse a game's number, or buttons of the undone games would work again.
        room = replace(room, lobby_count=max(room.lobby_count, current.lobby_count))
    standing = on_moved(room, ())
    effects = (*standing.effects, *_asked(standing.room))
    # The wake-up in the copy is long past.
    remembered = replace(then.remembered, next_wakeup_at=None, waiting_since=None)
    change = Change(
        body=encode(standing.room),
        schema=SCHEMA,
        entries=[*then.outbox.values(), *outbox.entries(standing.room, effects)],
        remove=[] if now is None else list(now.outbox),
        remembered=remembered.as_patch(),
        due=at,
    )
    saved = rooms.create(then.key, change) if now is None else rooms.save(now, change)
    return "The room changed meanwhile. Run the command again." if isinstance(saved, Conflict) else None


def _restart_clocks(room: Room, archives: Archives, at: int) -> Room:
    """Return the room as if its lobby had just been used and its question just been asked."""
    if room.lobby is not None:
        room = replace(room, lobby=replace(room.lobby, touched=at))
    if (match := room.playing) is None:
        return room
    own = archive_id(match)
    since = _ended_since(archives, archive_key(room), own[:_TIME])
    counted = any(game[_TIME:] == own[_TIME:] for game in since)
    match = replace(match, time_began_at=at, opened_at=at, reminders=0, clock_call=None, archived=counted)
    return replace(room, match=match)


def _ended_since(archives: Archives, key: str, earliest: str) -> Iterator[str]:
    """Yield the ids of a room's archived games from ``earliest`` on, latest first."""
    before = None
    while page := archives.latest(key, before=before):
        for archive in page:
            if archive.game < earliest:
                return
            yield archive.game
        before = page[-1].game


def _asked(room: Room) -> list[Post]:
    """Return posts that ask the open question again in private."""
    match = room.playing
    if match is None or asked_in_group(room, question_for(match.game, None)):
        return []
    asked = ((seat, question_for(match.game, seat)) for seat in match.seats)
    return [prompt_post(room, match, seat, question) for seat, question in asked if question is not None]


def _read(item: RoomItem) -> Room | None:
    """Return the room of an item, or None if it is damaged, or newer than this code."""
    try:
        return decode(item.body, item.schema)
    except Exception:  # whatever is wrong with the room, it can be replaced
        return None


def described(item: RoomItem | None) -> str:
    """Describe a room in one line, without secrets."""
    if item is None:
        return "nothing"
    if item.moved_to:
        return f"version {item.version}, moved to {item.moved_to}"
    if (room := _read(item)) is None:
        return f"version {item.version}, not to be read"
    says = [f"version {item.version}", f"{room.lobby_count} lobbies so far"]
    if room.lobby is not None:
        says.append(f"a lobby of {len(room.lobby.players)}")
    if (match := room.match) is not None:
        state = "called off" if match.cancelled else "over" if match.over else "running"
        asked = datetime.fromtimestamp(match.time_began_at, UTC)
        says.append(f"game {match.number} {state}, round {match.round}, last step {asked:%F %T} UTC")
    return ", ".join(says)


def main(
    arguments: Sequence[str], client: "DynamoDBClient | None" = None, clock: Clock = time.time
) -> int | str:
    """Run the command; return the exit status, or the text of an error."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.restore", description="Restore one room to its state in a copy of the table."
    )
    parser.add_argument("table", help="the table that the bot uses (the stack's output TableName)")
    parser.add_argument("copy", help="the restored copy of that table")
    parser.add_argument("room", help="room#CHAT, room#CHAT#TOPIC or CHAT")
    parser.add_argument("--write", action="store_true", help="restore the room (default: only show it)")
    asked = parser.parse_args(arguments)
    compile_all()
    if not asked.room.startswith(ROOM_PREFIX):
        asked.room = ROOM_PREFIX + asked.room
    try:
        from_key(asked.room)
    except ValueError:
        return f"{asked.room} is not a room. A room looks like room#-1001234567890 or room#-1001234567890#42."
    client = client or dynamodb_client()
    table = DynamoTable(client, asked.table)
    rooms = Rooms(table, clock)
    try:
        then = Rooms(DynamoTable(client, asked.copy), clock).load(asked.room)
        now = rooms.load(asked.room)
        print(f"then: {described(then)}\nnow:  {described(now)}")
        if then is None:
            return f"{asked.copy} has no such room."
        if not asked.write:
            print("Nothing was written (--write does).")
            return 0
        failure = put_back(rooms, Archives(table), then, now, clock())
    except StoreError as error:
        return str(error)
    if failure is None:
        print("The room is restored. Within three minutes the bot tells the group the state of the game.")
    return failure or 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
