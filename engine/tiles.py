"""Policy tiles, named by short strings: a kind and, after a colon, the power that the tile carries.

``"liberal"``, ``"anti-communist"``, ``"article-48:propaganda"``. A tile that the viewer may not know is
``UNKNOWN``. So piles of unknown tiles still have the right length.
"""

from engine.board import PARTIES, Party
from engine.frozen import frozen

UNKNOWN = "?"

#: The number of tiles that a President draws.
HAND = 3


@frozen
class TileKind:
    """A kind of tile."""

    name: str
    #: The track that it goes on when enacted. None if it leaves the game instead, and its holder uses its
    #: power.
    track: Party | None
    #: True if its own power takes another tile off a track.
    takes_off: bool = False
    #: True if the slot that it covers gives no power.
    powerless: bool = False


#: All kinds by name, in the order in which a hand is shown: first the parties' tiles, then those that
#: rulesets add (``Ruleset.kinds``).
KINDS: dict[str, TileKind] = {party: TileKind(party, party) for party in PARTIES}


def learn(new: TileKind) -> None:
    """Add a ruleset's kind of tile to ``KINDS``. Raises ValueError if another kind has its name."""
    if KINDS.setdefault(new.name, new) != new:
        raise ValueError(f"two kinds of tiles are called {new.name!r}")


def kind(tile: str) -> str:
    """Return the kind of a tile, without its power."""
    return tile.partition(":")[0]


def power(tile: str) -> str | None:
    """Return the power that a tile carries, if any."""
    return tile.partition(":")[2] or None


def track(tile: str) -> Party | None:
    """Return the track that a tile goes on when enacted, or None if it leaves the game instead."""
    known = KINDS.get(kind(tile))
    return None if known is None else known.track


def ordinary(tile: str) -> bool:
    """Return True if a tile is no card, and takes no other tile off a track. Such tiles stay in the game."""
    known = KINDS.get(kind(tile))
    return known is None or (known.track is not None and not known.takes_off)


def powerless(tile: str) -> bool:
    """Return True if the slot that a tile covers gives no power."""
    known = KINDS.get(kind(tile))
    return known is not None and known.powerless


def card(kind: str) -> bool:
    """Return True if tiles of this kind are cards: they go on no track, and their holder uses their power."""
    return kind in KINDS and KINDS[kind].track is None


def laid_out(tiles: tuple[str, ...]) -> tuple[str, ...]:
    """Return a hand sorted by kind, so that it does not reveal the order of the pile."""
    order = {name: rank for rank, name in enumerate(KINDS)}
    return tuple(sorted(tiles, key=lambda tile: (order.get(kind(tile), len(order)), tile)))


def without(tiles: tuple[str, ...], tile: str) -> tuple[str, ...]:
    """Return the tiles without one that has this name.

    If the viewer does not know which one that is, leave out an unknown tile, or else the last one.
    """
    if tile not in tiles:
        tile = UNKNOWN
    if tile not in tiles:
        return tiles[:-1]
    index = tiles.index(tile)
    return tiles[:index] + tiles[index + 1 :]
