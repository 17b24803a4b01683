"""Keys of the table's items."""

from __future__ import annotations

#: The sort key of a room's own item, and the start of the partition keys of everything kept for it.
ROOM = "room"
ROOM_PREFIX = "room#"
USER = "user"
GAME_PREFIX = "game#"
#: The one partition of the index ``due``. A bot sends 30 a second at most, so one is enough.
DUE_BUCKET = "due"


def user_key(user: int) -> str:
    """Partition key of a user."""
    return f"user#{user}"


def game_reference(room: str, game: str) -> str:
    """Return the name of a finished game in a person's item: its room's key and its id."""
    return f"{room}|{game}"


def parse_game_reference(reference: str) -> tuple[str, str]:
    """(key of the room, id of the game)."""
    room, _, game = reference.partition("|")
    return room, game
