"""Keys of the table's items."""

from __future__ import annotations

#: The sort key of a room's own item.
ROOM = "room"
#: The start of the partition key of a room and of everything stored for it.
ROOM_PREFIX = "room#"
USER = "user"
GAME_PREFIX = "game#"
#: The only partition of the index ``due``. A bot sends at most 30 messages a second, so one is enough.
DUE_BUCKET = "due"


def user_key(user: int) -> str:
    """Return a user's partition key."""
    return f"user#{user}"


def game_reference(room: str, game: str) -> str:
    """Return the text by which a person's items refer to a finished game: its room's key and its id."""
    return f"{room}|{game}"


def parse_game_reference(reference: str) -> tuple[str, str]:
    """Return the room's key and the game's id."""
    room, _, game = reference.partition("|")
    return room, game
