"""Say when an untouched lobby closes."""

from bot.rooms.model import Lobby

#: Seconds after which an untouched lobby closes itself.
LIFETIME = 3600


def expires(lobby: Lobby) -> int:
    """Return when a lobby closes if nobody touches it, in seconds since 1970."""
    return lobby.touched + LIFETIME
