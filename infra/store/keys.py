"""Keys of the table's items."""

from __future__ import annotations

#: The sort key of a room's own item, and how the partition key of all that is kept of it begins.
ROOM = "room"
ROOM_PREFIX = "room#"
USER = "user"
GAME_PREFIX = "game#"
#: The one partition of the index ``due``: 30 sends a second bound a bot, so one is enough.
DUE_BUCKET = "due"


def room_key(chat: int, topic: int | None = None) -> str:
    """Partition key of the room of a chat or of one of its forum topics."""
    return f"{ROOM_PREFIX}{chat}" if topic is None else f"{ROOM_PREFIX}{chat}#{topic}"


def parse_room_key(key: str) -> tuple[int, int | None]:
    """(chat, topic) of a room's key. Raises ``ValueError`` for anything else."""
    chat, _, topic = key.removeprefix(ROOM_PREFIX).partition("#")
    if not key.startswith(ROOM_PREFIX) or not chat:
        raise ValueError("not a room's key")
    return int(chat), int(topic) if topic else None


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
