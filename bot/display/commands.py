"""Everything registered with Telegram: commands by kind of chat, the profile, the kinds of updates.

Telegram completes commands while people type, and shows the profile before the first message. The texts are
in the catalogues (``command.…``, ``profile.…``).
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.display.words import DEFAULT_LANGUAGE, Words, languages
from engine.frozen import frozen

#: The payload of /start in links that only open a chat with the bot, or add it to a group.
GREETING = "hello"

#: The kinds of updates that Telegram delivers. ``my_chat_member``: the bot was blocked, removed or invited.
#: ``chat_member``: other people came or left. Only admins get these.
ALLOWED_UPDATES = ("message", "edited_message", "callback_query", "my_chat_member", "chat_member")

#: The commands in groups, in the order in which Telegram lists them.
GROUP = (
    *("newgame", "join", "leave", "start", "cancel", "nextgame", "schedule"),
    *("status", "remind", "board", "history", "votes", "players", "suspect", "guess"),
    *("rules", "stats", "sub", "unseat", "settings", "timezone", "forget", "help"),
)
#: In a group, these commands only lead to the private chat. Telegram does not list them there.
ONLY_PRIVATE = ("role", "games")
#: The commands in private chats, in the order in which Telegram lists them.
PRIVATE = (
    *("start", "practice", "role", "games", "language", "advice", "confirm", "stats", "forget"),
    *("rules", "help"),
)


@frozen
class Profile:
    """The texts of the bot's profile in one language.

    ``description`` (at most 512 characters) is shown in the empty private chat, ``about`` (at most 120) on
    the profile.
    """

    description: str
    about: str


@frozen
class Registration:
    """Everything registered for one language: pairs of command and description, and the profile."""

    group: tuple[tuple[str, str], ...]
    private: tuple[tuple[str, str], ...]
    profile: Profile


def registrations() -> Mapping[str, Registration]:
    """Return the texts by two-letter language code. The empty code serves all other languages."""
    every = {"": DEFAULT_LANGUAGE} | {code.partition("_")[0]: code for code in languages()}
    texts = {}
    for code, language in every.items():
        words = Words(language)
        texts[code] = Registration(
            group=tuple((name, words.plain(f"command.{name}")) for name in GROUP),
            private=tuple((name, words.plain(f"command.private.{name}")) for name in PRIVATE),
            profile=Profile(words.plain("profile.description"), words.plain("profile.about")),
        )
    return texts
