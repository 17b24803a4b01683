"""Draw the seats around the table (numbers, offices, marks, shown roles), and the whole picture."""

from functools import cache
from itertools import pairwise
from math import atan2, cos, degrees, hypot, pi, sin

from bot.display.pictures.centre import WIDTH, beam, centre, ground, table_top
from bot.display.pictures.palette import Palette
from bot.display.pictures.scene import Scene, SeatPicture
from bot.display.pictures.svg import (
    ICONS,
    Point,
    at,
    box,
    circle,
    disc,
    group,
    icon,
    num,
    number,
    path,
    picture,
    polar,
    polygon,
    star,
)
from bot.display.pictures.tracks import tile, track, track_height

_STEPS = 1440


@cache
def places(count: int, centre: Point, across: float, down: float) -> tuple[tuple[Point, float], ...]:
    """Return points evenly spaced along an ellipse, clockwise from its top, each with its angle outwards.

    ``across`` and ``down`` are the ellipse's half axes in pixels, angles are in degrees.
    """
    curve = [
        (centre[0] + across * sin(2 * pi * i / _STEPS), centre[1] - down * cos(2 * pi * i / _STEPS))
        for i in range(_STEPS + 1)
    ]
    lengths = [0.0]
    for (x1, y1), (x2, y2) in pairwise(curve):
        lengths.append(lengths[-1] + hypot(x2 - x1, y2 - y1))
    found, step = [], 0
    for seat in range(count):
        while lengths[step] < lengths[-1] * seat / count:
            step += 1
        turn = 2 * pi * step / _STEPS
        # The outward direction of an ellipse is not the direction from its centre.
        normal = (-cos(turn) * across, sin(turn) * down)
        # On whole pixels equal seats have equal bytes, which makes the PNG smaller.
        x, y = curve[step]
        found.append(((float(round(x)), float(round(y))), degrees(atan2(*normal))))
    return tuple(found)


def radius(count: int) -> float:
    """Return a seat's radius at a table of this size."""
    return 62 if count <= 7 else 56 if count <= 10 else 49


def seat(palette: Palette, scene: Scene, index: int, place: Point, outwards: float) -> str:
    """Draw one seat with everything on and around it."""
    who, size = scene.seats[index], radius(len(scene.seats))
    over = scene.winners is not None
    return group(
        _hand(palette, who, place, outwards, size),
        _token(palette, who, index, place, size, over),
        _envelope(palette, who, place, outwards, size) if over else "",
        "" if over else _office(palette, who, scene.in_office, place, outwards, size),
        *_badges(palette, who, place, outwards, size, over),
        class_="seat" if who.alive else "seat dead",
    )


def _token(palette: Palette, who: SeatPicture, index: int, place: Point, size: float, over: bool) -> str:
    x, y = place
    if not who.alive:
        return _stone(palette, index, place, size)
    held = who.office is not None and not over
    ring = palette.gold if held else palette.seat_edge
    fill, ink = (palette.dead, palette.dead_ink) if who.out else (palette.seat, palette.seat_ink)
    return (
        circle(place, size + 5, fill=palette.ground)
        + disc(place, size, fill, ring, 9 if held else 5)
        + number(index + 1, x, y, size * 0.86, ink, 16)
    )


def _stone(palette: Palette, index: int, place: Point, size: float) -> str:
    x, y = place
    half, foot = size * 0.76, size * 0.92
    stone = (
        f"M{num(x - half)} {num(y + foot)}V{num(y - foot + half)}"
        f"a{num(half)} {num(half)} 0 0 1 {num(2 * half)} 0V{num(y + foot)}Z"
    )
    arms, head = size * 0.16, y - size * 0.8
    cross = (
        f"M{num(x)} {num(head)}v{num(size * 0.4)}M{num(x - arms)} {num(head + size * 0.12)}h{num(2 * arms)}"
    )
    return (
        path(stone, fill=palette.dead, stroke=palette.dead_ink, stroke_width=4)
        + path(cross, stroke=palette.dead_ink, stroke_width=size * 0.1)
        + number(index + 1, x, y + size * 0.18, size * 0.74, palette.dead_ink, 16)
        + path(f"M{num(x - size)} {num(y + foot)}h{num(2 * size)}", stroke=palette.dead_ink, stroke_width=7)
    )


def _office(
    palette: Palette, who: SeatPicture, in_office: bool, place: Point, outwards: float, size: float
) -> str:
    """Draw a medal in front of the seat: the President's a seal, the Chancellor's a square.

    Candidates have a hollow one.
    """
    if who.office is None:
        return ""
    middle = polar(place, -(size + 17), outwards)
    fill, ink = (palette.gold, palette.gold_ink) if in_office else (palette.table, palette.gold)
    if who.office == "president":
        shape = star(middle, 16, 43, 37)
    else:
        shape = box(middle[0] - 34, middle[1] - 34, 68, 68)
    edge, border, dashes = (palette.gold_ink, 3, None) if in_office else (palette.gold, 4, "10 6")
    round_ = {"stroke_linejoin": "round", "stroke_dasharray": dashes}
    medal = path(shape, fill=fill, stroke=edge, stroke_width=border, **round_)
    sign = icon("hat" if who.office == "president" else "scroll", *middle, 46, ink, fill)
    return group(medal, sign, class_=who.office if in_office else f"{who.office} candidate")


def _hand(palette: Palette, who: SeatPicture, place: Point, outwards: float, size: float) -> str:
    middle = polar(place, -(size + 25), outwards)
    line: dict[str, str | float] = {"stroke": palette.back_edge, "stroke_width": 4}
    cards = []
    for card in range(who.hand):
        turn = outwards + 90 + (card - (who.hand - 1) / 2) * 24
        cards.append(path(box(-19, 14, 38, 50), transform=at(*middle, turn), fill=palette.back, **line))
    return group(*cards, class_="hand") if cards else ""


def _envelope(palette: Palette, who: SeatPicture, place: Point, outwards: float, size: float) -> str:
    """At the end of a game, draw the seat's party tile, with the party's symbol or Hitler's."""
    if who.party not in palette.parties:
        return ""
    x, y = polar(place, -(size + 26), outwards)
    leader = palette.hitler if who.role == "hitler" else None
    width, height = (62.0, 74.0) if size > 50 else (54.0, 64.0)
    plate = circle((x, y), height * 0.66, fill=palette.gold) if leader else ""
    shown = tile(palette, who.party or "", (x - width / 2, y - height / 2, width, height), leader)
    return group(plate, shown, class_=f"envelope {who.role}")


def _badges(
    palette: Palette, who: SeatPicture, place: Point, outwards: float, size: float, over: bool
) -> list[str]:
    signs = _signs(palette, who, over)
    drawn = []
    for order, (name, fill, ink, count) in enumerate(signs):
        turn = outwards + (order - (len(signs) - 1) / 2) * (2700 / size)
        spot = polar(place, size + (1 if who.alive else 7), turn)
        sign = icon(name, *spot, 38 if count else 27, ink, fill)
        digits = number(count, *spot, 24, ink, 19) if count else ""
        drawn.append(group(disc(spot, 24, fill, palette.ground, 4), sign, digits, class_=f"badge {name}"))
    return drawn


def _signs(palette: Palette, who: SeatPicture, over: bool) -> list[tuple[str, str, str, int]]:
    """Return a seat's badges: an icon, its ground and ink, and a number (0 for none)."""
    white = palette.badge_ink
    signs = [("robot", palette.known, white, 0)] if who.computer else []
    if who.role and f"role/{who.role}" in ICONS:
        signs.append((f"role/{who.role}", palette.known, white, 0))
    if over:
        return signs
    if party := palette.parties.get(who.party or ""):
        sign = palette.hitler if who.role == "hitler" else party.icon
        signs.append((sign, party.tile, party.ink, 0))
    if who.confirmed:
        signs.append(("check", palette.good, white, 0))
    if who.investigated:
        signs.append(("power/investigate", palette.known, white, 0))
    if who.out:
        signs.append((f"pause/{min(who.out, 2)}", palette.bar, white, 0))
    elif who.limited and who.office != "president":
        signs.append(("barred", palette.bar, white, 0))
    return [*signs, *((name, palette.threat, white, left) for name, left in who.marks)]


# --- drawing ------------------------------------------------------------------------------------------------
# The whole picture, a pure function from a scene to SVG: the table above, the tracks below.

_TOP, _SPACE, _FOOT = 40.0, 14.0, 46.0
#: Half the table's width; half its height, by the fewest seats that need this height.
_ACROSS = 424.0
_DOWN = {1: 228.0, 8: 234.0, 11: 252.0}


def draw(scene: Scene, palette: Palette) -> str:
    """Draw a scene, 1080 wide, as SVG without any text."""
    count = len(scene.seats)
    down = _DOWN[max(least for least in _DOWN if least <= count)]
    reach = radius(count) + 24
    middle = (WIDTH / 2, _TOP + reach + down)
    first = middle[1] + down + reach + 14
    tops = [first]
    for lane in scene.tracks:
        tops.append(tops[-1] + track_height(lane) + _SPACE)
    height = tops.pop() - _SPACE + _FOOT
    around = places(count, middle, _ACROSS, down)
    widest = max(len(lane.slots) for lane in scene.tracks)
    presides = [
        place for who, (place, _) in zip(scene.seats, around, strict=True) if who.office == "president"
    ]
    return picture(
        WIDTH,
        height,
        ground(palette, height, middle, first - 7),
        table_top(palette, middle, _ACROSS - 8, down - 8),
        beam(palette, middle, presides[0]) if presides and scene.winners is None else "",
        _order(palette, count, middle, down),
        centre(palette, scene, middle),
        *[seat(palette, scene, index, *spot) for index, spot in enumerate(around)],
        *[track(palette, lane, top, widest) for lane, top in zip(scene.tracks, tops, strict=True)],
    )


def _order(palette: Palette, count: int, middle: Point, down: float) -> str:
    """Draw arrow heads along the rim, between the seats, because the candidacy moves on clockwise."""
    between = places(2 * count, middle, _ACROSS, down)[1::2]
    heads = []
    for spot, outwards in between:
        tip = polar(spot, 11, outwards + 90)
        tail = polar(spot, -7, outwards + 90)
        heads.append(polygon([tip, polar(tail, 9, outwards), polar(tail, -9, outwards)]))
    return path("".join(heads), fill=palette.rim_edge)
