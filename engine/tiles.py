"""Policy tiles, named by short strings: a kind and, behind a colon, the power that the tile carries.

``"liberal"``, ``"anti-communist"``, ``"article-48:propaganda"``. A tile that the viewer may not
know is ``UNKNOWN``; piles of unknown tiles still have the right length.
"""

UNKNOWN = "?"

#: So many tiles a President draws: a hand.
HAND = 3

#: The order in which a hand is laid out. It says nothing about the order of the pile.
KINDS = (
    "liberal",
    "fascist",
    "communist",
    "anti-communist",
    "anti-fascist",
    "social-democratic",
    "article-48",
    "enabling-act",
    UNKNOWN,
)

#: The track on which a kind of tile lies; a kind that is missing here lies on none.
TRACK = {
    "liberal": "liberal",
    "fascist": "fascist",
    "communist": "communist",
    "anti-communist": "fascist",
    "anti-fascist": "communist",
    "social-democratic": "liberal",
}

#: Cards in the deck that lie on no track: their holder uses the power, and they leave the game.
EMERGENCY = ("article-48", "enabling-act")
#: Tiles that take another one off a track.
ANTI_POLICIES = ("anti-communist", "anti-fascist", "social-democratic")

_RANK = {kind: rank for rank, kind in enumerate(KINDS)}


def kind(tile: str) -> str:
    """The kind of a tile, without its power."""
    return tile.partition(":")[0]


def power(tile: str) -> str | None:
    """The power that a tile carries, if any."""
    return tile.partition(":")[2] or None


def track(tile: str) -> str | None:
    """The track on which a tile lies when it is enacted, or None when it leaves the game instead."""
    return TRACK.get(kind(tile))


def laid_out(tiles: tuple[str, ...]) -> tuple[str, ...]:
    """A hand in the order in which it is shown, so that the order never tells how the pile lay."""
    return tuple(sorted(tiles, key=lambda tile: (_RANK.get(kind(tile), len(KINDS)), tile)))


def without(tiles: tuple[str, ...], tile: str) -> tuple[str, ...]:
    """The tiles less one; a viewer who does not know which one loses any of the unknown ones."""
    if tile not in tiles:
        tile = UNKNOWN
    if tile not in tiles:
        return tiles[:-1]
    index = tiles.index(tile)
    return tiles[:index] + tiles[index + 1 :]
