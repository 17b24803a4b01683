"""Policy tiles. Each party's have an outline, a pattern and a symbol of their own, not only a colour."""

from bot.display.expansion import Face
from bot.display.expansions import SHOWN
from bot.display.pictures.icons import icon
from bot.display.pictures.palette import Palette, Party
from bot.display.pictures.svg import box, disc, mix, num, path
from engine import tiles as names


def outline(colour: str, x: float, y: float, width: float, height: float, corner: float) -> str:
    """Path data of a tile: round corners for Liberals, cut ones for Fascists, notched ones for Communists."""
    c = num(corner)
    right, down = num(width - 2 * corner), num(height - 2 * corner)
    start = f"M{num(x + corner)} {num(y)}h{right}"
    if colour == "fascist":
        return f"{start}l{c} {c}v{down}l-{c} {c}h-{right}l-{c} -{c}v-{down}Z"
    sweep = "0" if colour == "communist" else "1"
    arc = f"a{c} {c} 0 0 {sweep} "
    return f"{start}{arc}{c} {c}v{down}{arc}-{c} {c}h-{right}{arc}-{c} -{c}v-{down}{arc}{c} -{c}Z"


def plate(
    colour: str,
    x: float,
    y: float,
    width: float,
    height: float,
    corner: float,
    fill: str,
    edge: str,
    border: float,
) -> str:
    """Draw a tile's shape with a border inside its outline."""
    inside = outline(colour, x + border, y + border, width - 2 * border, height - 2 * border, corner * 0.9)
    return path(outline(colour, x, y, width, height, corner), fill=edge) + path(inside, fill=fill)


def pattern(colour: str, x: float, y: float, width: float, height: float) -> str:
    """Path data of shapes in a rectangle: level bars, upright bars, or squares, by party."""
    if colour == "liberal":
        gap = height / 9
        return "".join(box(x, y + row * 2 * gap + gap * 0.2, width, gap * 0.6) for row in range(5))
    if colour == "communist":
        step = width / 4
        rows = int(height // step)
        top = y + (height - (rows - 1) * step) / 2
        spots = [(x + (c + 0.5) * step, top + row * step) for row in range(rows) for c in range(4)]
        return "".join(box(a - 3, b - 3, 6, 6) for a, b in spots)
    gap = width / 9
    return "".join(box(x + bar * 2 * gap + gap * 0.2, y, gap * 0.6, height) for bar in range(5))


def tile(
    palette: Palette, colour: str, x: float, y: float, width: float, height: float, symbol: str | None = None
) -> str:
    """Draw an ordinary tile of a party, with its symbol or another one."""
    party = palette.parties[colour]
    return _card(party, colour, x, y, width, height) + icon(
        symbol or party.icon, x + width / 2, y + height / 2, width * 0.66, party.ink, party.tile
    )


def any_tile(palette: Palette, name: str, x: float, y: float, width: float, height: float) -> str:
    """Draw a tile on a track, by its name. One that carries a power has its icon in a corner."""
    kind, power = names.kind(name), names.power(name)
    colour = names.KINDS[kind].track or ""
    if face := SHOWN.faces.get(kind):
        return special(palette, colour, face, x, y, width, height)
    laid = tile(palette, colour, x, y, width, height)
    if power is None:
        return laid
    party, size = palette.parties[colour], width * 0.21
    spot = (x + width * 0.81, y + height - width * 0.19)
    return (
        laid
        + disc(spot, size, palette.sheet, party.tile, 3)
        + icon(f"power/{power}", *spot, size * 1.2, palette.sheet_ink, palette.sheet)
    )


def special(
    palette: Palette, colour: str, face: Face, x: float, y: float, width: float, height: float
) -> str:
    """Draw a special tile on a party's track: with its own icon, or one against another party."""
    party = palette.parties[colour]
    card = _card(party, colour, x, y, width, height)
    middle = (x + width / 2, y + height / 2)
    if face.icon is not None:
        card += icon(face.icon, *middle, width * 0.74, party.ink, party.tile)
    if face.against is None:
        return card
    radius = width * 0.42
    slant = radius * 0.707
    other = palette.parties.get(face.against, party)
    bar = f"M{num(middle[0] - slant)} {num(middle[1] + slant)}l{num(2 * slant)} {num(-2 * slant)}"
    # The symbol of the track that it takes from, crossed out, on a disc of that party's colour.
    return (
        card
        + disc(middle, radius + 3, other.tile, party.ink, 7)
        + icon(other.icon, *middle, width * 0.58, other.ink, other.tile)
        + path(bar, stroke=other.tile, stroke_width=15)
        + path(bar, stroke=party.ink, stroke_width=7)
    )


def _card(party: Party, colour: str, x: float, y: float, width: float, height: float) -> str:
    inset = width * 0.06
    frame = (x + inset, y + inset, width - 2 * inset, height - 2 * inset)
    area = (x + 2.2 * inset, y + 2.2 * inset, width - 4.4 * inset, height - 4.4 * inset)
    return (
        plate(colour, x, y, width, height, width * 0.15, party.tile, party.edge, width * 0.025)
        + plate(colour, *frame, width * 0.12, party.tile, mix(party.tile, party.ink, 0.75), width * 0.022)
        + path(pattern(colour, *area), fill=mix(party.tile, party.ink, 0.2))
    )
