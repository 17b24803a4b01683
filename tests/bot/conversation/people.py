"""People, their group and the hour: the values that the tests' rooms are made of."""

from bot.conversation.incoming import Person
from bot.rooms.model import Player
from bot.rooms.names import ChatId, UserId
from bot.rooms.sealing import Beacon

CHAT = ChatId(-1001234567890)
#: The default time of everything, in seconds since 1970.
NOW = 1_900_000_000
SEED = "5e" * 32
BEACON = Beacon("c0ffee", genesis=NOW - 3000, period=3, addresses=("https://beacon.example",))
NAMES = ("Ada", "Ben", "Cleo", "Dirk", "Edda", "Fynn", "Gwen", "Hans", "Ines", "Jan", "Kaja", "Lars", "Mona")


def person(number: int, language: str = "en") -> Person:
    """Return the person of this number, who has the seat of this number if there is one."""
    return Person(UserId(100 + number), NAMES[number], language)


def player(number: int, language: str = "en") -> Player:
    return Player(UserId(100 + number), NAMES[number], language)


def robot(name: str = "Robot") -> Player:
    """Return a player without a person, who gets nothing and taps nothing."""
    return Player(None, name, "en")
