"""The chance by which a computer decides: a stream of its own, and never the game's."""

import hashlib
import hmac

from bot.rooms.model import Match
from engine import Chance


def seat_chance(match: Match, seat: int, about: int | str) -> Chance:
    """The chance of one seat's decision about something: a question by its number, or what it says.

    Neither roles nor decks follow from it, and it takes nothing from what they follow from.
    """
    return _stream(match, f"{seat}/{about}")


def shared_chance(match: Match, question: int) -> Chance:
    """The chance that all computers asked a question share: their ballots move together, as people's do.

    It follows from the game's key, so nobody knows it beforehand.
    """
    return _stream(match, f"shared/{question}")


def _stream(match: Match, label: str) -> Chance:
    key = bytes.fromhex(match.game.chance.key)
    return Chance(hmac.digest(key, f"ai/{label}".encode(), hashlib.sha256).hex())
