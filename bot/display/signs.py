"""Signs in texts, and the icons of the parties. The catalogues have the signs of tiles and powers."""

from collections.abc import Mapping

from bot.rooms.model import Note

#: By theme, the icon of each party in the board's picture.
PARTY_ICONS = {
    "weimar": {"liberal": "dove", "fascist": "skull", "communist": "hammers"},
    "cold-war": {"liberal": "torch", "fascist": "star", "communist": "bomb"},
}
#: By icon, its sign.
SIGNS = {"anarchy": "Ⓐ", "burst": "💥", "palm": "✋"}
#: The sign of each private note. None looks like a tile's sign, which may follow a name in a claim.
NOTES: Mapping[Note, str] = {"trust": "💙", "suspect": "🔺", "unsure": "❓"}
