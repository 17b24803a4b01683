"""The randomness for a computer's decisions: a separate stream from the game's."""

from bot.rooms.model import Match
from engine import Chance


def seat_chance(match: Match, seat: int, about: int | str) -> Chance:
    """Return the chance for one seat's decision on a subject: a question's number, or the claim it makes.

    It is independent of roles and decks: neither side can be derived from the other.
    """
    return match.game.chance.apart(f"ai/{seat}/{about}")


def shared_chance(match: Match, question: int) -> Chance:
    """Return the stream that all computers asked a question share.

    Through it their ballots move together, as people's do. It follows from the game's key, so nobody knows it
    beforehand.
    """
    return match.game.chance.apart(f"ai/shared/{question}")
