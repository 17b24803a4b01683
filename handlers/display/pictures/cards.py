"""Pictures for the private chat: a role card, and a hand of policies. Only for whoever may know them."""

from collections.abc import Sequence

from engine.tiles import UNKNOWN
from handlers.display.pictures.icons import ICONS, icon
from handlers.display.pictures.ornaments import stepped
from handlers.display.pictures.palette import Palette
from handlers.display.pictures.svg import at, box, disc, el, path, star
from handlers.display.pictures.tiles import any_tile, plate

#: Pixels; a hand is lower than a role card.
_WIDTH, _HEIGHT, _LOW = 720.0, 480.0, 340.0
_TILE = (190.0, 250.0)


def role_card(palette: Palette, role: str, party: str) -> str:
    """An envelope's cards as SVG: the party membership, and before it the role.

    Raises KeyError for a party that the look does not have.
    """
    look = palette.parties[party]
    leader = role == "hitler"
    symbol = palette.hitler if leader else look.icon
    secret = f"role/{role}"
    seal = path(star((246, 240), 32, 158, 146), fill=palette.gold) if leader else ""
    face = (
        plate(party, 34, 34, 424, 412, 40, look.panel, look.edge, 6)
        + seal
        + disc((246, 240), 132, look.tile, look.edge, 6)
        + icon(symbol, 246, 240, 170, look.ink, look.tile)
    )
    badge = (
        disc((386, 372), 62, palette.known, palette.sheet, 8)
        + icon(secret, 386, 372, 74, palette.badge_ink, palette.known)
        if secret in ICONS
        else ""
    )
    return _sheet(palette, face + badge + any_tile(palette, party, 488, 115, *_TILE))


def hand(palette: Palette, tiles: Sequence[str]) -> str:
    """One to three tiles side by side as SVG, in the order given; unknown ones lie face down."""
    width, height = _TILE
    gap = 30.0
    left = (_WIDTH - len(tiles) * (width + gap) + gap) / 2
    top = (_LOW - height) / 2
    drawn = []
    for place, tile in enumerate(tiles):
        x = left + place * (width + gap)
        drawn.append(
            _back(palette, x, top) if tile == UNKNOWN else any_tile(palette, tile, x, top, width, height)
        )
    return _sheet(palette, "".join(drawn), _LOW)


def _back(palette: Palette, x: float, y: float) -> str:
    width, height = _TILE
    return (
        path(box(x, y, width, height), fill=palette.back_edge)
        + path(box(x + 9, y + 9, width - 18, height - 18), fill=palette.back)
        + path(
            star((0, 0), 8, 64, 34),
            transform=at(x + width / 2, y + height / 2),
            fill=palette.back_ink,
        )
    )


def _sheet(palette: Palette, drawn: str, height: float = _HEIGHT) -> str:
    frame = stepped(palette, 10, _WIDTH, height, 10, 5)
    return el(
        "svg",
        path(box(0, 0, _WIDTH, height), fill=palette.ground),
        frame,
        drawn,
        xmlns="http://www.w3.org/2000/svg",
        width=_WIDTH,
        height=height,
        viewBox=f"0 0 {_WIDTH:.0f} {height:.0f}",
    )
