"""Links for newcomers, which open rules or practice in private, or add the bot to a group; and /help.

A lobby's button uses a link that names the rules and the group. Anybody can write such a link. It opens only
rules, and leads only members to the group. Only members may see a group's rules, so the code that loads the
group must check that.
"""

import re

from markupsafe import Markup
from telegram.helpers import create_deep_linked_url

from bot.display.buttons import Button
from bot.display.commands import GREETING, GROUP, PRIVATE
from bot.display.words import DEFAULT_THEME, THEMES, Words
from bot.rooms.model import Room
from bot.rooms.names import RoomName, from_short
from engine import OFFERED, Setup
from engine.frozen import frozen

#: The payload of a link that explains how to play: this word, a ruleset by its place among those offered
#: (from 1), a theme by its index, the room. Payloads may have letters, digits, ``_`` and ``-``.
_LINK = re.compile(r"play_([0-9]{1,3})_([0-9])_(-[0-9a-z]{1,11}(?:_[0-9a-z]{1,7})?)")
#: The payload of a link that opens a room's rules: this word, and the room.
_RULES = re.compile(r"rules_(-[0-9a-z]{1,11}(?:_[0-9a-z]{1,7})?)")
#: The payload of a link that opens practice: this word, and perhaps a ruleset and a theme, but no room.
_PRACTICE = re.compile(r"practice(?:_([0-9]{1,3})_([0-9]))?")
#: The number in the button ``fair`` that leads to how to play.
HOW_TO = 2
#: The same, but the message with the button stays, because it is still needed, and another one is posted.
HOW_TO_BESIDE = 4


@frozen
class Guide:
    """The ruleset and theme that somebody wants to see or practise.

    ``which`` is the ruleset's place among those offered, counted from 1.
    """

    which: int = 1
    theme: str = DEFAULT_THEME
    #: The group from which they come.
    room: RoomName | None = None


def guide_payload(room: Room, setup: Setup) -> str:
    """Return the payload of a link that explains how to play by a room's rules."""
    return f"play_{_rules_and_theme(room, setup)}_{_written(room.name)}"


def practice_payload(room: Room, setup: Setup) -> str:
    """Return the payload of a link that opens practice by a room's rules."""
    return f"practice_{_rules_and_theme(room, setup)}"


def _rules_and_theme(room: Room, setup: Setup) -> str:
    """Return the part of a payload that names a ruleset and a theme."""
    places = {rules.id: place for place, rules in enumerate(OFFERED, start=1)}
    theme = THEMES.index(room.settings.theme) if room.settings.theme in THEMES else 0
    return f"{places.get(setup.ruleset, 1)}_{theme}"


def guide_of(text: str) -> Guide | None:
    """Read the payload of a link that explains how to play; None if it is another link."""
    found = _LINK.fullmatch(text)
    room = None if found is None else _read(found[3])
    if found is None or room is None:
        return None
    which, theme = int(found[1]), int(found[2])
    known = 0 < which <= len(OFFERED)
    return Guide(which if known else 1, THEMES[theme] if theme < len(THEMES) else DEFAULT_THEME, room)


def practice_of(text: str) -> Guide | None:
    """Read the payload of a link that opens practice; None if it is another link.

    ``which`` is 0, and ``theme`` empty, if the link does not say.
    """
    found = _PRACTICE.fullmatch(text)
    if found is None:
        return None
    which, theme = int(found[1] or 0), int(found[2] or len(THEMES))
    return Guide(which if which <= len(OFFERED) else 0, THEMES[theme] if theme < len(THEMES) else "")


def rules_payload(where: RoomName) -> str:
    """Return the payload of a link that opens the pages of a room's rules."""
    return f"rules_{_written(where)}"


def room_of_rules(text: str) -> RoomName | None:
    """Return the room that a payload of ``rules_payload`` names; None for another payload."""
    found = _RULES.fullmatch(text)
    return None if found is None else _read(found[1])


def _written(room: RoomName) -> str:
    return room.short.replace(".", "_")


def _read(written: str) -> RoomName | None:
    try:
        return from_short(written.replace("_", "."))
    except ValueError:
        return None


def add_button(words: Words, username: str) -> Button:
    """Return the button that adds the bot to a group, by Telegram's own link."""
    return Button(words.plain("button.add"), url=create_deep_linked_url(username, GREETING, group=True))


# --- help ---------------------------------------------------------------------------------------------------
# /help: a few sentences, then the commands that they do not mention.

#: Commands that are not listed, because the reader has used them already.
_KNOWN = ("help", "start")


def help_text(words: Words, *, private: bool) -> Markup:
    """Say what the bot is, and list its commands in private or in groups."""
    text = words.html("help.private" if private else "help.group")
    prefix = "command.private." if private else "command."
    lines = [
        words.html("help.line", command=command, what=words.html(f"{prefix}{command}"))
        for command in (PRIVATE if private else GROUP)
        if command not in _KNOWN and f"/{command}" not in text
    ]
    return Markup("\n").join([text, "", *lines])
