"""Policy tiles, named by short strings: a kind and, behind a colon, the power that the tile carries.

``"liberal"``, ``"anti-communist"``, ``"article-48:propaganda"``. A tile that the viewer may not
know is ``UNKNOWN``; piles of unknown tiles still have the right length.
"""

from dataclasses import dataclass

UNKNOWN = "?"

#: So many tiles a President draws: a hand.
HAND = 3


@dataclass(frozen=True, slots=True)
class TileKind:
    """A kind of tile."""

    name: str
    #: The track on which it lies once it is enacted; None: its holder uses its power, and it leaves the game.
    track: str | None
    #: Whether it takes another tile off a track, as its own power.
    takes_off: bool = False
    #: Whether the slot that it covers gives no power.
    powerless: bool = False


#: Every kind of tile by name, in the order in which a hand is laid out, which says nothing about the pile's.
#: A ruleset brings its own along (``Ruleset.kinds``).
KINDS: dict[str, TileKind] = {party: TileKind(party, party) for party in ("liberal", "fascist", "communist")}


def learn(new: TileKind) -> None:
    """Know a ruleset's kind of tile from now on. Raises ValueError where another one has its name."""
    if KINDS.setdefault(new.name, new) != new:
        raise ValueError(f"two kinds of tiles are called {new.name!r}")


def kind(tile: str) -> str:
    """The kind of a tile, without its power."""
    return tile.partition(":")[0]


def power(tile: str) -> str | None:
    """The power that a tile carries, if any."""
    return tile.partition(":")[2] or None


def track(tile: str) -> str | None:
    """The track on which a tile lies when it is enacted, or None when it leaves the game instead."""
    known = KINDS.get(kind(tile))
    return None if known is None else known.track


def ordinary(tile: str) -> bool:
    """True if a tile only ever goes onto a track or round: no card, and none that takes others off."""
    known = KINDS.get(kind(tile))
    return known is None or (known.track is not None and not known.takes_off)


def powerless(tile: str) -> bool:
    """Return whether the slot that it covers gives no power."""
    known = KINDS.get(kind(tile))
    return known is not None and known.powerless


def card(kind: str) -> bool:
    """Return whether a kind of tile lies on no track: its holder uses the power that each of them carries."""
    return kind in KINDS and KINDS[kind].track is None


def laid_out(tiles: tuple[str, ...]) -> tuple[str, ...]:
    """A hand in the order in which it is shown, so that the order never tells how the pile lay."""
    order = list(KINDS)
    return tuple(sorted(tiles, key=lambda tile: (_rank(order, kind(tile)), tile)))


def _rank(order: list[str], name: str) -> int:
    return order.index(name) if name in order else len(order)


def without(tiles: tuple[str, ...], tile: str) -> tuple[str, ...]:
    """The tiles less one; a viewer who does not know which one loses any of the unknown ones."""
    if tile not in tiles:
        tile = UNKNOWN
    if tile not in tiles:
        return tiles[:-1]
    index = tiles.index(tile)
    return tiles[:index] + tiles[index + 1 :]
