"""Begin a game: tell everybody their role, and the group who is first."""

from dataclasses import replace

from bot.conversation.game.announce import announce, announce_start
from bot.conversation.outcome import Outcome
from bot.rooms.model import Match, Room


def begun(room: Room, match: Match) -> Outcome:
    """Return the room with this game, just dealt, in place of its lobby or seal."""
    room = replace(room, lobby=None, sealed=None, match=match, pictures=True)
    roles = announce_start(room, match)
    room, told = announce(room, match.log)
    return Outcome(room, (*roles, *told))
