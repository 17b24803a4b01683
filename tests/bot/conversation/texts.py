"""The bot's own words, and its texts as people read them."""

from typing import Any

from bot.display.words import Words
from sandbox.telegram.html import parse


def words(key: str, theme: str = "weimar", **values: Any) -> str:
    """Return the English text of a key, as HTML."""
    return str(Words("en", theme).html(key, **values))


def plain(key: str, **values: Any) -> str:
    """The same as plain text, for toasts and buttons."""
    return Words("en").plain(key, **values)


def read(text: str) -> str:
    """Return a text as people read it: without tags, marks around names, and no-break spaces."""
    return parse(text)[0].replace("\u2068", "").replace("\u2069", "").replace("\u00a0", " ")
