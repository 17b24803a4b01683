"""Draw the tracks: a panel each, with slots, their powers, and the tiles on them."""

from bot.display.expansion_parts import Face
from bot.display.expansions import SHOWN
from bot.display.pictures.palette import Palette, Party
from bot.display.pictures.scene import Track
from bot.display.pictures.svg import box, disc, group, icon, mix, num, path, star
from engine import tiles as names

# --- tiles --------------------------------------------------------------------------------------------------
# Policy tiles. The tiles of each party have their own outline, pattern and symbol, not only a colour.


#: A rectangle: left and top edge, width and height.
Area = tuple[float, float, float, float]


def inset(area: Area, by: float) -> Area:
    """Return the area without a margin on all sides."""
    x, y, width, height = area
    return x + by, y + by, width - 2 * by, height - 2 * by


def outline(colour: str, area: Area, corner: float) -> str:
    """Return the path data of a tile. Corners are round (Liberal), cut (Fascist) or notched (Communist)."""
    x, y, width, height = area
    c = num(corner)
    right, down = num(width - 2 * corner), num(height - 2 * corner)
    start = f"M{num(x + corner)} {num(y)}h{right}"
    if colour == "fascist":
        return f"{start}l{c} {c}v{down}l-{c} {c}h-{right}l-{c} -{c}v-{down}Z"
    sweep = "0" if colour == "communist" else "1"
    arc = f"a{c} {c} 0 0 {sweep} "
    return f"{start}{arc}{c} {c}v{down}{arc}-{c} {c}h-{right}{arc}-{c} -{c}v-{down}{arc}{c} -{c}Z"


def plate(colour: str, area: Area, corner: float, fill: str, edge: str, border: float) -> str:
    """Draw a tile's shape, with a border inside its outline."""
    inside = outline(colour, inset(area, border), corner * 0.9)
    return path(outline(colour, area, corner), fill=edge) + path(inside, fill=fill)


def pattern(colour: str, area: Area) -> str:
    """Return the path data of a party's pattern in a rectangle: level bars, upright bars, or squares."""
    x, y, width, height = area
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


def tile(palette: Palette, colour: str, area: Area, symbol: str | None = None) -> str:
    """Draw an ordinary tile of a party, with the party's symbol or another one."""
    party, (x, y, width, height) = palette.parties[colour], area
    middle = (x + width / 2, y + height / 2)
    sign = icon(symbol or party.icon, *middle, width * 0.66, party.ink, party.tile)
    return _card(party, colour, area) + sign


def any_tile(palette: Palette, name: str, area: Area) -> str:
    """Draw a tile on a track, by its name. If it carries a power, the power's icon is in a corner."""
    kind, power = names.kind(name), names.power(name)
    colour = names.KINDS[kind].track or ""
    if face := SHOWN.faces.get(kind):
        return special(palette, colour, face, area)
    laid = tile(palette, colour, area)
    if power is None:
        return laid
    x, y, width, height = area
    party, size = palette.parties[colour], width * 0.21
    spot = (x + width * 0.81, y + height - width * 0.19)
    return (
        laid
        + disc(spot, size, palette.sheet, party.tile, 3)
        + icon(f"power/{power}", *spot, size * 1.2, palette.sheet_ink, palette.sheet)
    )


def special(palette: Palette, colour: str, face: Face, area: Area) -> str:
    """Draw a special tile on a party's track, which has its own icon, or is against another party."""
    party, (x, y, width, height) = palette.parties[colour], area
    card = _card(party, colour, area)
    middle = (x + width / 2, y + height / 2)
    if face.icon is not None:
        card += icon(face.icon, *middle, width * 0.74, party.ink, party.tile)
    if face.against is None:
        return card
    radius = width * 0.42
    slant = radius * 0.707
    other = palette.parties.get(face.against, party)
    bar = f"M{num(middle[0] - slant)} {num(middle[1] + slant)}l{num(2 * slant)} {num(-2 * slant)}"
    # The other party's symbol, crossed out, on a disc of that party's colour.
    return (
        card
        + disc(middle, radius + 3, other.tile, party.ink, 7)
        + icon(other.icon, *middle, width * 0.58, other.ink, other.tile)
        + path(bar, stroke=other.tile, stroke_width=15)
        + path(bar, stroke=party.ink, stroke_width=7)
    )


def _card(party: Party, colour: str, area: Area) -> str:
    width = area[2]
    frame, inside = inset(area, width * 0.06), inset(area, 2.2 * (width * 0.06))
    return (
        plate(colour, area, width * 0.15, party.tile, party.edge, width * 0.025)
        + plate(colour, frame, width * 0.12, party.tile, mix(party.tile, party.ink, 0.75), width * 0.022)
        + path(pattern(colour, inside), fill=mix(party.tile, party.ink, 0.2))
    )


# --- tracks -------------------------------------------------------------------------------------------------

#: Heights in pixels of a canvas 1080 wide.
_BARE, _WITH_BAND = 176.0, 200.0
_LEFT, _RIGHT, _HEAD, _PAD = 34.0, 1046.0, 138.0, 22.0
_SLOT_HEIGHT, _WIDEST, _GAP = 142.0, 116.0, 26.0


def track(palette: Palette, lane: Track, y: float, widest: int) -> str:
    """Draw a panel with its top at ``y``; ``widest`` is the number of slots of the longest track."""
    party, height = palette.parties[lane.colour], track_height(lane)
    gap = _GAP if widest <= 6 else _GAP / 2
    width = min(_WIDEST, (_RIGHT - _LEFT - _HEAD - _PAD + gap) / widest - gap)
    length = _HEAD + len(lane.slots) * (width + gap) - gap + _PAD
    left = (_LEFT + _RIGHT - length) / 2
    middle = (left + _HEAD / 2 + 2, y + height / 2)
    emblem = path(star(middle, 16, 50, 45), fill=party.tile) + disc(middle, 41, party.tile, party.ink, 2.5)
    emblem += icon(party.icon, *middle, 54, party.ink, party.tile)
    first, top = left + _HEAD, y + (_BARE - _SLOT_HEIGHT) / 2 - 1
    places = [first + index * (width + gap) for index in range(len(lane.slots))]
    return group(
        plate(lane.colour, (left, y, length, height), 26, party.panel, party.edge, 4),
        emblem,
        *[_slot(palette, lane, index, x, top, width) for index, x in enumerate(places)],
        _zone(palette, party, lane, places, width, top + _SLOT_HEIGHT),
        class_=f"track {lane.colour}",
    )


def track_height(lane: Track) -> float:
    """Return a panel's height. It is larger if something is printed below the slots."""
    return _BARE if lane.zone is None and lane.veto is None else _WITH_BAND


def _slot(palette: Palette, lane: Track, index: int, x: float, y: float, width: float) -> str:
    party = palette.parties[lane.colour]
    if index < len(lane.tiles):
        name, shade = lane.tiles[index], mix(party.panel, party.edge, 0.4)
        shadow = path(outline(lane.colour, (x + 4, y + 6, width, _SLOT_HEIGHT), width * 0.15), fill=shade)
        laid = any_tile(palette, name, (x, y, width, _SLOT_HEIGHT))
        return group(shadow, laid, class_=f"tile {names.kind(name)}")
    following = index == len(lane.tiles)
    edge = party.edge if following else mix(party.panel, party.edge, 0.45)
    border = 5 if following else 3
    place = plate(lane.colour, (x, y, width, _SLOT_HEIGHT), width * 0.15, party.slot, edge, border)
    middle = (x + width / 2, y + _SLOT_HEIGHT / 2)
    if index == len(lane.slots) - 1:
        wreath = mix(party.slot, party.print, 0.5)
        goal = icon("laurel", middle[0], middle[1] + 4, width * 0.8, wreath, party.slot)
        goal += icon(party.icon, middle[0], middle[1] - 6, width * 0.46, party.print, party.slot)
        return group(place, goal, class_="slot goal")
    power = lane.slots[index]
    if power is None:
        faint = mix(party.slot, party.print, 0.28)
        return group(place, icon(party.icon, *middle, width * 0.4, faint, party.slot), class_="slot")
    spent = index < lane.covered
    ink = mix(party.slot, party.print, 0.4) if spent else party.print
    sign = icon(f"power/{power}", *middle, width * 0.6, ink, party.slot)
    if spent:
        half = width * 0.3
        bar = f"M{num(middle[0] - half)} {num(middle[1] + half)}l{num(2 * half)} {num(-2 * half)}"
        sign += path(bar, stroke=party.print, stroke_width=6, stroke_linecap="round")
    return group(place, sign, class_=f"slot {power}{' spent' if spent else ''}")


def _zone(palette: Palette, party: Party, lane: Track, places: list[float], width: float, y: float) -> str:
    """Draw a band below the slots of Hitler's zone, which is solid once the zone has begun, and the veto."""
    out = ""
    if lane.zone is not None and lane.zone <= len(lane.slots):
        left, right = places[lane.zone - 1], places[-1] + width
        on = len(lane.tiles) >= lane.zone
        fill, ink = (party.tile, party.ink) if on else (party.slot, party.print)
        out += group(
            path(box(left, y + 10, right - left, 16), fill=party.edge),
            path(box(left + 3, y + 13, right - left - 6, 10), fill=fill),
            _stud(palette.hitler, left + width / 2, y + 18, ink, fill, party.edge),
            class_="zone on" if on else "zone",
        )
    if lane.veto is not None and lane.veto <= len(lane.slots):
        spot = places[lane.veto - 1] + width / 2
        ink, fill = (palette.gold_ink, palette.gold) if lane.unlocked else (party.print, party.slot)
        stud = _stud("palm", spot, y + 18, ink, fill, party.edge)
        out += group(stud, class_="veto on" if lane.unlocked else "veto")
    return out


def _stud(name: str, x: float, y: float, ink: str, fill: str, edge: str) -> str:
    return disc((x, y), 27, fill, edge, 3) + icon(name, x, y, 36, ink, fill)
