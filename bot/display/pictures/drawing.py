"""The whole picture: the table above, the tracks below. A pure function from a scene to SVG."""

from bot.display.pictures.centre import centre
from bot.display.pictures.ornaments import WIDTH, beam, ground, table_top
from bot.display.pictures.palette import Palette
from bot.display.pictures.scene import Scene
from bot.display.pictures.seats import places, radius, seat
from bot.display.pictures.svg import Point, el, path, polar, polygon
from bot.display.pictures.tracks import track, track_height

_TOP, _SPACE, _FOOT = 40.0, 14.0, 46.0
#: Half the table's width, and half its height by the fewest seats that need it.
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
    return el(
        "svg",
        ground(palette, height, middle, first - 7),
        table_top(palette, middle, _ACROSS - 8, down - 8),
        _turn(palette, scene, middle, [place for place, _ in around]),
        _order(palette, count, middle, down),
        centre(palette, scene, middle),
        *[seat(palette, scene, index, *spot) for index, spot in enumerate(around)],
        *[track(palette, lane, top, widest) for lane, top in zip(scene.tracks, tops, strict=True)],
        xmlns="http://www.w3.org/2000/svg",
        width=WIDTH,
        height=height,
        viewBox=f"0 0 {WIDTH:.0f} {height:.0f}",
    )


def _turn(palette: Palette, scene: Scene, middle: Point, around: list[Point]) -> str:
    """Light on the seat whose turn it is to preside."""
    presides = [place for who, place in zip(scene.seats, around, strict=True) if who.office == "president"]
    return beam(palette, middle, presides[0]) if presides and scene.winners is None else ""


def _order(palette: Palette, count: int, middle: Point, down: float) -> str:
    """Arrow heads along the rim, between the seats: the candidacy moves on clockwise."""
    between = places(2 * count, middle, _ACROSS, down)[1::2]
    heads = []
    for spot, outwards in between:
        tip = polar(spot, 11, outwards + 90)
        tail = polar(spot, -7, outwards + 90)
        heads.append(polygon([tip, polar(tail, 9, outwards), polar(tail, -9, outwards)]))
    return path("".join(heads), fill=palette.rim_edge)
