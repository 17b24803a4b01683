"""Signs in texts: an emoji for what the board's picture draws as an icon."""

from collections.abc import Mapping

from bot.display.words import Words
from bot.rooms.model import Note

#: By theme, the icon of each party. The board's picture draws it, texts have its sign.
PARTY_ICONS = {
    "weimar": {"liberal": "dove", "fascist": "skull", "communist": "hammers"},
    "cold-war": {"liberal": "torch", "fascist": "star", "communist": "bomb"},
}
#: By icon, its sign. The catalogues have those of the powers.
SIGNS = {
    "dove": "🕊",
    "skull": "💀",
    "hammers": "⚒",
    "torch": "🗽",
    "star": "⭐",
    "bomb": "💣",
    "anarchy": "Ⓐ",
    "pause/2": "⏸",
    "burst": "💥",
    "palm": "✋",
}
#: The sign of each private note. None looks like a tile's sign, which may follow a name in a claim.
NOTES: Mapping[Note, str] = {"trust": "💙", "suspect": "🔺", "unsure": "❓"}


def party_sign(words: Words, party: str) -> str:
    """Return a party's sign in this theme."""
    return SIGNS[PARTY_ICONS[words.theme][party]]
