"""The tracks: a panel each, with slots, their powers, and the tiles on them."""

from bot.display.pictures.icons import icon
from bot.display.pictures.palette import Palette, Party
from bot.display.pictures.scene import Track
from bot.display.pictures.svg import box, disc, group, mix, num, path, star
from bot.display.pictures.tiles import any_tile, outline, plate
from engine import tiles as names

#: Heights in pixels of a canvas 1080 wide.
_BARE, _WITH_BAND = 176.0, 200.0
_LEFT, _RIGHT, _HEAD, _PAD = 34.0, 1046.0, 138.0, 22.0
_SLOT_HEIGHT, _WIDEST, _GAP = 142.0, 116.0, 26.0


def track(palette: Palette, lane: Track, y: float, widest: int) -> str:
    """Draw a panel with its top at ``y``; ``widest`` is the number of slots of the longest track."""
    party, height = palette.parties[lane.colour], track_height(lane)
    width, gap = _measures(widest)
    length = _HEAD + len(lane.slots) * (width + gap) - gap + _PAD
    left = (_LEFT + _RIGHT - length) / 2
    first, top = left + _HEAD, y + (_BARE - _SLOT_HEIGHT) / 2 - 1
    places = [first + index * (width + gap) for index in range(len(lane.slots))]
    return group(
        plate(lane.colour, left, y, length, height, 26, party.panel, party.edge, 4),
        _emblem(palette, party, left + _HEAD / 2 + 2, y + height / 2),
        *[_slot(palette, lane, index, x, top, width) for index, x in enumerate(places)],
        _zone(palette, party, lane, places, width, top + _SLOT_HEIGHT),
        class_=f"track {lane.colour}",
    )


def track_height(lane: Track) -> float:
    """Return a panel's height, which is larger if something is printed below the slots."""
    return _BARE if lane.zone is None and lane.veto is None else _WITH_BAND


def _measures(widest: int) -> tuple[float, float]:
    room = _RIGHT - _LEFT - _HEAD - _PAD
    gap = _GAP if widest <= 6 else _GAP / 2
    return min(_WIDEST, (room + gap) / widest - gap), gap


def _emblem(palette: Palette, party: Party, x: float, y: float) -> str:
    return (
        path(star((x, y), 16, 50, 45), fill=party.tile)
        + disc((x, y), 41, party.tile, party.ink, 2.5)
        + icon(party.icon, x, y, 54, party.ink, party.tile)
    )


def _slot(palette: Palette, lane: Track, index: int, x: float, y: float, width: float) -> str:
    party = palette.parties[lane.colour]
    if index < len(lane.tiles):
        name = lane.tiles[index]
        laid = _tile(palette, lane.colour, name, x, y, width)
        return group(laid, class_=f"tile {names.kind(name)}")
    following = index == len(lane.tiles)
    edge = party.edge if following else mix(party.panel, party.edge, 0.45)
    border = 5 if following else 3
    place = plate(lane.colour, x, y, width, _SLOT_HEIGHT, width * 0.15, party.slot, edge, border)
    middle = (x + width / 2, y + _SLOT_HEIGHT / 2)
    if index == len(lane.slots) - 1:
        return group(place, _goal(party, middle, width), class_="slot goal")
    power = lane.slots[index]
    if power is None:
        faint = mix(party.slot, party.print, 0.28)
        return group(place, icon(party.icon, *middle, width * 0.4, faint, party.slot), class_="slot")
    spent = index < lane.covered
    ink = mix(party.slot, party.print, 0.4) if spent else party.print
    sign = icon(f"power/{power}", *middle, width * 0.6, ink, party.slot)
    if spent:
        half = width * 0.3
        sign += path(
            f"M{num(middle[0] - half)} {num(middle[1] + half)}l{num(2 * half)} {num(-2 * half)}",
            stroke=party.print,
            stroke_width=6,
            stroke_linecap="round",
        )
    return group(place, sign, class_=f"slot {power}{' spent' if spent else ''}")


def _goal(party: Party, middle: tuple[float, float], width: float) -> str:
    """Draw the reward of a full track: the party's symbol in a laurel wreath."""
    x, y = middle
    wreath = mix(party.slot, party.print, 0.5)
    return icon("laurel", x, y + 4, width * 0.8, wreath, party.slot) + icon(
        party.icon, x, y - 6, width * 0.46, party.print, party.slot
    )


def _tile(palette: Palette, colour: str, name: str, x: float, y: float, width: float) -> str:
    party = palette.parties[colour]
    shade = mix(party.panel, party.edge, 0.4)
    shadow = path(outline(colour, x + 4, y + 6, width, _SLOT_HEIGHT, width * 0.15), fill=shade)
    return shadow + any_tile(palette, name, x, y, width, _SLOT_HEIGHT)


def _zone(palette: Palette, party: Party, lane: Track, places: list[float], width: float, y: float) -> str:
    """Draw a band below the slots of Hitler's zone, solid once it has begun; and the veto."""
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
