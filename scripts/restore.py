"""Put one room back as it was at an earlier time, from a copy of the table (docs/operating.md).

Usage: python -m scripts.restore TABLE COPY ROOM           show the room in both tables
       python -m scripts.restore TABLE COPY ROOM --write   put the room back

ROOM is a key such as ``room#-1001234567890``, for a topic ``room#-1001234567890#42``, or the chat's number.
Region and credentials are found as the AWS command line finds them.
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
from infra.outbox.outbox_sender import WAITING_SINCE, WAKEUP_QUEUED_AT
from infra.store.archives import Archives
from infra.store.items import Change, Conflict, RoomItem
from infra.store.keys import ROOM_PREFIX
from infra.store.rooms import Clock, Rooms
from infra.store.table import DynamoTable, StoreError, dynamodb_client
from scripts.catalogues import compile_all

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

#: Names under which a room remembers wake-ups that are long past.
_OF_THEN = (WAKEUP_QUEUED_AT, WAITING_SINCE)
#: This many digits of an archive's id give the time of the game's end; the others are the match's number.
_TIME = 12


def put_back(rooms: Rooms, archives: Archives, then: RoomItem, now: RoomItem | None, at: float) -> str | None:
    """Write the room ``then`` in the place of ``now``. Returns why that failed, or None.

    Its clocks begin again at ``at`` (seconds since 1970), and open questions are asked again, as old buttons
    may be gone. A game that ended in between is in the statistics once, and its second end is not counted.
    Raises StoreError.
    """
    if then.moved_to or (now is not None and now.moved_to):
        return "The group is a supergroup with another id in one of the two: its room cannot be put back."
    if (was := _read(then)) is None:
        return "What stood there then cannot be read by this version of the code."
    room = _restart_clocks(was, archives, int(at))
    if now is not None and (current := _read(now)) is not None:
        # No number is given out twice: buttons of the undone games must stay dead.
        room = replace(room, games=max(room.games, current.games))
    standing = on_moved(room, ())
    effects = (*standing.effects, *_asked(standing.room))
    remembered = {name: value for name, value in then.remembered.items() if name not in _OF_THEN}
    change = Change(
        body=encode(standing.room),
        schema=SCHEMA,
        entries=[*then.outbox.values(), *outbox.entries(standing.room, effects)],
        remove=[] if now is None else list(now.outbox),
        remembered=remembered,
        due=at,
    )
    saved = rooms.create(then.key, change) if now is None else rooms.save(now, change)
    return "The room was written meanwhile: run it again." if isinstance(saved, Conflict) else None


def _restart_clocks(room: Room, archives: Archives, at: int) -> Room:
    """Return the room as if its lobby was last used, and its question asked, just now."""
    if room.lobby is not None:
        room = replace(room, lobby=replace(room.lobby, touched=at))
    if (match := room.playing) is None:
        return room
    own = archive_id(match)
    since = _ended_since(archives, archive_key(room), own[:_TIME])
    counted = any(game[_TIME:] == own[_TIME:] for game in since)
    return replace(
        room, match=replace(match, asked_at=at, opened_at=at, reminders=0, clock_call=None, archived=counted)
    )


def _ended_since(archives: Archives, key: str, earliest: str) -> Iterator[str]:
    """Yield the ids of a room's games from one id on, latest first."""
    before = None
    while page := archives.latest(key, before=before):
        for archive in page:
            if archive.game < earliest:
                return
            yield archive.game
        before = page[-1].game


def _asked(room: Room) -> list[Post]:
    """Return posts that ask the open question again, to every seat that it asks in private."""
    match = room.playing
    if match is None or asked_in_group(room, question_for(match.game, None)):
        return []
    asked = ((seat, question_for(match.game, seat)) for seat in range(len(match.players)))
    return [prompt_post(room, match, seat, question) for seat, question in asked if question is not None]


def _read(item: RoomItem) -> Room | None:
    """Return an item's room; None if it is torn, or newer than this code."""
    try:
        return decode(item.body, item.schema)
    except Exception:  # whatever is wrong with it, it is replaced
        return None


def described(item: RoomItem | None) -> str:
    """Describe a room in a line, without secrets."""
    if item is None:
        return "nothing"
    if item.moved_to:
        return f"version {item.version}, moved to {item.moved_to}"
    if (room := _read(item)) is None:
        return f"version {item.version}, not to be read"
    says = [f"version {item.version}", f"{room.games} lobbies so far"]
    if room.lobby is not None:
        says.append(f"a lobby of {len(room.lobby.players)}")
    if (match := room.match) is not None:
        state = "called off" if match.cancelled else "over" if match.over else "running"
        asked = datetime.fromtimestamp(match.asked_at, UTC)
        says.append(f"game {match.number} {state}, round {match.round}, last step {asked:%F %T} UTC")
    return ", ".join(says)


def main(
    arguments: Sequence[str], client: "DynamoDBClient | None" = None, clock: Clock = time.time
) -> int | str:
    """Run the command. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.restore", description="Put one room back as it was in a copy of the table."
    )
    parser.add_argument("table", help="the table that the bot uses (the stack's output TableName)")
    parser.add_argument("copy", help="the restored copy of that table")
    parser.add_argument("room", help="room#CHAT, room#CHAT#TOPIC or CHAT")
    parser.add_argument("--write", action="store_true", help="put the room back (default: only show it)")
    asked = parser.parse_args(arguments)
    compile_all()
    if not asked.room.startswith(ROOM_PREFIX):
        asked.room = ROOM_PREFIX + asked.room
    try:
        from_key(asked.room)
    except ValueError:
        return f"{asked.room} is no room: it looks like room#-1001234567890 or room#-1001234567890#42."
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
        print("It is back. Within three minutes the watchdog has the bot say where it stands.")
    return failure or 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
