"""How long a lobby stays open that nobody touches."""

from bot.rooms.model import Lobby

#: A lobby that nobody touches for so many seconds closes itself.
LIFETIME = 3600


def expires(lobby: Lobby) -> int:
    """When a lobby closes if nobody touches it, in seconds since 1970."""
    return lobby.touched + LIFETIME
