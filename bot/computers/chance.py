"""The chance by which a computer decides: a stream of its own, and never the game's."""

from bot.rooms.model import Match
from engine import Chance


def seat_chance(match: Match, seat: int, about: int | str) -> Chance:
    """The chance of one seat's decision about something: a question by its number, or what it says.

    Neither roles nor decks follow from it, and it takes nothing from what they follow from.
    """
    return match.game.chance.apart(f"ai/{seat}/{about}")


def shared_chance(match: Match, question: int) -> Chance:
    """Return the stream that all computers asked a question share.

    Through it their ballots move together, as people's do. It follows from the game's key, so nobody knows it
    beforehand.
    """
    return match.game.chance.apart(f"ai/shared/{question}")
