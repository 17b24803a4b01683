"""Links for newcomers: they open the rules of a game in private, or add the bot to a group.

A lobby's button uses such a link, which names the rules and the group. Anybody can write one: it opens only
rules, and leads only members to the group. Only members may see a group's rules, so the code that loads the
group must check that.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from telegram.helpers import create_deep_linked_url

from bot.display.buttons import Button
from bot.display.commands import GREETING, GROUP, PRIVATE
from bot.display.words import DEFAULT_THEME, THEMES, Html, Words
from bot.rooms.model import Room
from bot.rooms.names import RoomName, from_short
from engine import OFFERED, Setup

#: A link's content: this word, a ruleset by its index among those offered (from 1), a theme by its index, the
#: room. Payloads take letters, digits, ``_`` and ``-``.
_LINK = re.compile(r"play_([0-9]{1,3})_([0-9])_(-[0-9a-z]{1,11}(?:_[0-9a-z]{1,7})?)")
#: The content of a link that opens a room's rules: this word, and the room.
_RULES = re.compile(r"rules_(-[0-9a-z]{1,11}(?:_[0-9a-z]{1,7})?)")
#: The content of a link that opens practice, with an optional ruleset and theme but without a room.
_PRACTICE = re.compile(r"practice(?:_([0-9]{1,3})_([0-9]))?")
#: The number in the button ``fair`` that leads to how to play.
HOW_TO = 2
#: The same if the message with the button is still needed: it stays, and another one is posted.
HOW_TO_BESIDE = 4


@dataclass(frozen=True, slots=True)
class Guide:
    """The ruleset that somebody wants to see, by its place among those offered, and a theme."""

    which: int = 1
    theme: str = DEFAULT_THEME
    #: The group from which they come.
    room: RoomName | None = None


def guide_payload(room: Room, setup: Setup) -> str:
    """Return the link's payload for what is played in a room."""
    where = RoomName(room.chat, room.topic).short.replace(".", "_")
    return f"play_{_what(room, setup)}_{where}"


def practice_payload(room: Room, setup: Setup) -> str:
    """Return the link's payload that opens practice by a room's rules."""
    return f"practice_{_what(room, setup)}"


def _what(room: Room, setup: Setup) -> str:
    """Return a ruleset and a theme, as links name them."""
    places = {rules.id: place for place, rules in enumerate(OFFERED, start=1)}
    theme = THEMES.index(room.settings.theme) if room.settings.theme in THEMES else 0
    return f"{places.get(setup.ruleset, 1)}_{theme}"


def guide_of(text: str) -> Guide | None:
    """Read what a link's payload asks for; None if it is no such link."""
    found = _LINK.fullmatch(text)
    if found is None:
        return None
    which, theme = int(found[1]), int(found[2])
    try:
        room = from_short(found[3].replace("_", "."))
    except ValueError:
        return None
    known = 0 < which <= len(OFFERED)
    return Guide(which if known else 1, THEMES[theme] if theme < len(THEMES) else DEFAULT_THEME, room)


def practice_of(text: str) -> Guide | None:
    """Read what a link's payload wants to practise; None if it is no such link.

    ``which`` is 0 if the link does not say.
    """
    found = _PRACTICE.fullmatch(text)
    if found is None:
        return None
    which, theme = int(found[1] or 0), int(found[2] or len(THEMES))
    return Guide(which if which <= len(OFFERED) else 0, THEMES[theme] if theme < len(THEMES) else "")


def rules_payload(where: RoomName) -> str:
    """Return the link's payload for the pages of a room's rules."""
    return f"rules_{where.short.replace('.', '_')}"


def room_of_rules(text: str) -> RoomName | None:
    """Return the room named by such a payload, or None if it is not one."""
    found = _RULES.fullmatch(text)
    try:
        return None if found is None else from_short(found[1].replace("_", "."))
    except ValueError:
        return None


def add_button(words: Words, username: str) -> Button:
    """Telegram's own way to take the bot into a group."""
    return Button(words.plain("button.add"), url=create_deep_linked_url(username, GREETING, group=True))


# --- help ---------------------------------------------------------------------------------------------------
# /help: a few sentences, then every command that these have not named.

#: Commands that the reader has used already.
_KNOWN = ("help", "start")


def group_help(words: Words) -> Html:
    """Say what the bot is, and list its commands in groups."""
    return _with_commands(words, words.html("help.group"), GROUP, "command.")


def private_help(words: Words) -> Html:
    """Say what the bot is, and list its commands in private."""
    return _with_commands(words, words.html("help.private"), PRIVATE, "command.private.")


def _with_commands(words: Words, text: Html, commands: Sequence[str], prefix: str) -> Html:
    lines = [
        words.html("help.line", command=command, what=words.html(f"{prefix}{command}"))
        for command in commands
        if command not in _KNOWN and f"/{command}" not in text
    ]
    return Html("\n".join([text, "", *lines]))
