"""Keys of the table's items."""

from __future__ import annotations

#: The sort key of a room's own item, and how the partition key of all that is kept of it begins.
ROOM = "room"
ROOM_PREFIX = "room#"
USER = "user"
GAME_PREFIX = "game#"
#: The one partition of the index ``due``: 30 sends a second bound a bot, so one is enough.
DUE_BUCKET = "due"


def user_key(user: int) -> str:
    """Partition key of a user."""
    return f"user#{user}"


def game_reference(room: str, game: str) -> str:
    """How a person's item names a finished game: by the key of its room and its id."""
    return f"{room}|{game}"


def parse_game_reference(reference: str) -> tuple[str, str]:
    """(key of the room, id of the game)."""
    room, _, game = reference.partition("|")
    return room, game
