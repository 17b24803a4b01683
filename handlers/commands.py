"""What the bot registers with Telegram: its commands per kind of chat, its profile, the updates it wants.

Data only. Telegram completes commands while people type and shows the profile before the first message.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

ALLOWED_UPDATES = ("message", "callback_query", "my_chat_member")
"""What Telegram delivers. `my_chat_member` tells of blocks, of being thrown out and of being invited back."""

GROUP = (
    ("newgame", "Open a lobby"),
    ("join", "Take a seat"),
    ("leave", "Give up your seat"),
    ("start", "Start the game"),
    ("cancel", "Close the lobby or end the game"),
    ("status", "Who must act now"),
    ("board", "The board"),
    ("history", "Governments, votes and claims so far"),
    ("players", "Who sits where"),
    ("role", "Your own role, shown to you alone"),
    ("stats", "The best players here"),
    ("help", "How this works"),
)
"""(command, what it does) in the order in which Telegram lists them in groups."""

PRIVATE = (
    ("start", "Let the bot write to you"),
    ("role", "Your roles in the games you play"),
    ("games", "The games you are in"),
    ("language", "The language I speak with you"),
    ("stats", "How your games went"),
    ("forget", "Delete what I know about you"),
    ("help", "How this works"),
)
"""The same for private chats."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The texts around the bot in one language.

    `description` (at most 512 characters) stands in the empty private chat, `about` (at most 120) on the
    profile.
    """

    description: str
    about: str


@dataclass(frozen=True, slots=True)
class Registration:
    """Everything registered for one language."""

    group: tuple[tuple[str, str], ...]
    private: tuple[tuple[str, str], ...]
    profile: Profile


LANGUAGES: Mapping[str, Registration] = {
    "": Registration(
        group=GROUP,
        private=PRIVATE,
        profile=Profile(
            description=(
                "Secret Hitler for five to ten players, in your group. Add me to it and send /newgame there; "
                "roles, votes and hands reach each player here, in private.\n\n"
                "A non-commercial adaptation of the game by Mike Boxleiter, Tommy Maranges, Max Temkin and "
                "Mac Schubert (CC BY-NC-SA 4.0)."
            ),
            about="Secret Hitler in your group chat: add me, then /newgame.",
        ),
    ),
}
"""Two-letter language code → its texts; the empty code serves everybody else."""
