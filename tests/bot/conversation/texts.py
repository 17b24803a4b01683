"""The bot's own words, and its texts as people read them."""

from collections.abc import Sequence
from typing import Any

from bot.display.telling import Telling
from bot.display.words import Words
from bot.rooms.model import Player
from bot.rooms.names import UserId
from engine import Seat
from sandbox.telegram.html import parse
from tests.engine.builders import Play


def telling(play: Play, names: Sequence[str] = (), seat: Seat | None = None) -> Telling:
    """Return a game as the group, or a seat, is told of it. By default players are P0, P1 and so on."""
    called = names or [f"P{number}" for number in range(play.setup.players)]
    players = (Player(UserId(number), called[number], "en") for number in range(play.setup.players))
    return Telling(play.view(seat), tuple(players), Words())


def words(key: str, theme: str = "weimar", **values: Any) -> str:
    """Return the English text of a key, as HTML."""
    return str(Words("en", theme).html(key, **values))


def plain(key: str, **values: Any) -> str:
    """The same as plain text, for toasts and buttons."""
    return Words("en").plain(key, **values)


def read(text: str) -> str:
    """Return a text as people read it: without tags, marks around names, and no-break spaces."""
    return parse(text)[0].replace("\u2068", "").replace("\u2069", "").replace("\u00a0", " ")
