"""The chance by which a computer decides: a stream of its own, and never the game's."""

import hashlib
import hmac

from bot.rooms.model import Match
from engine import Chance


def seat_chance(match: Match, seat: int, about: int | str) -> Chance:
    """The chance of one seat's decision about something: a question by its number, or what it says.

    Neither roles nor decks follow from it, and it takes nothing from what they follow from.
    """
    key = bytes.fromhex(match.game.chance.key)
    return Chance(hmac.digest(key, f"ai/{seat}/{about}".encode(), hashlib.sha256).hex())
