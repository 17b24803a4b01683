"""Signs in texts: an emoji for what the board's picture draws as an icon."""

from bot.display.words import Words

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


def party_sign(words: Words, party: str) -> str:
    """Return a party's sign in this theme."""
    return SIGNS[PARTY_ICONS[words.theme][party]]
