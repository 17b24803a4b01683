"""Signs in texts, and the parties' icons. The signs of tiles and powers are in the catalogues."""

from collections.abc import Mapping

from bot.rooms.model import Note

#: By theme, the icon of each party in the board's picture.
PARTY_ICONS = {
    "weimar": {"liberal": "dove", "fascist": "skull", "communist": "hammers"},
    "cold-war": {"liberal": "torch", "fascist": "star", "communist": "bomb"},
}
#: The signs for some icons, by the icon's name.
SIGNS = {"anarchy": "Ⓐ", "burst": "💥", "palm": "✋"}
#: The sign of each private note. They do not look like tiles' signs, which may follow a name in a claim.
NOTES: Mapping[Note, str] = {"trust": "💙", "suspect": "🔺", "unsure": "❓"}
