"""Signs in texts. The signs of tiles and powers are in the catalogues."""

from collections.abc import Mapping

from bot.rooms.model import Note

#: The signs for some icons, by the icon's name.
SIGNS = {"anarchy": "Ⓐ", "burst": "💥", "palm": "✋"}
#: The sign of each private note. They do not look like tiles' signs, which may follow a name in a claim.
NOTES: Mapping[Note, str] = {"trust": "💙", "suspect": "🔺", "unsure": "❓"}
