"""Draw the middle of the table (piles, tracker, calendar; at the end, who won) and the ground around it."""

from bot.display.expansion_parts import HITLER
from bot.display.expansions import SHOWN
from bot.display.pictures.palette import Palette
from bot.display.pictures.scene import Scene
from bot.display.pictures.svg import (
    Point,
    at,
    box,
    disc,
    el,
    group,
    icon,
    num,
    number,
    path,
    polar,
    polygon,
    star,
)

_CARD = (84.0, 112.0)
_ASIDE = 166.0


def centre(palette: Palette, scene: Scene, middle: Point) -> str:
    """Draw everything in the middle of the table."""
    x, y = middle
    if scene.winners is not None:
        return _winners(palette, scene.winners, (x, y - 34)) + _won_by(palette, scene, (x, y + 70))
    return group(
        _draw_pile(palette, scene.pile, (x - _ASIDE, y)),
        _discard_pile(palette, scene.discards, (x + _ASIDE, y)),
        _tracker(palette, scene, (x, y + (58 if scene.month else 0))),
        _calendar(palette, scene, (x, y - 32)),
    )


def _back(palette: Palette, x: float, y: float, turn: float = 0) -> str:
    width, height = _CARD
    return path(
        box(-width / 2, -height / 2, width, height),
        transform=at(x, y, turn),
        fill=palette.back,
        stroke=palette.back_edge,
        stroke_width=5,
        stroke_linejoin="round",
    )


def _empty(palette: Palette, x: float, y: float) -> str:
    width, height = _CARD
    card = box(x - width / 2, y - height / 2, width, height)
    return path(card, fill="none", stroke=palette.rim_edge, stroke_width=4, stroke_dasharray="10 8")


def _draw_pile(palette: Palette, count: int, spot: Point) -> str:
    """Draw a neat stack with an arrow up, because players draw from it. More tiles make it higher."""
    x, y = spot
    if not count:
        return group(_empty(palette, x, y), number(0, x, y, 46, palette.rim_edge), class_="pile")
    height = min(count, 3)
    stack = "".join(_back(palette, x + 6 * (height - 1 - i), y + 6 * (height - 1 - i)) for i in range(height))
    arrow = path("M0 -44L16 -26L-16 -26Z", transform=at(x, y), fill=palette.back_ink)
    return group(stack, arrow, number(count, x, y + 14, 52, palette.back_ink), class_="pile")


def _discard_pile(palette: Palette, count: int, spot: Point) -> str:
    """Draw an untidy heap with an arrow down, because players throw tiles on it."""
    x, y = spot
    if not count:
        return group(_empty(palette, x, y), number(0, x, y, 46, palette.rim_edge), class_="discards")
    heap = [_back(palette, x, y, turn) for turn in (-14, 11, -3)[-min(count, 3) :]]
    arrow = path("M0 44L16 26L-16 26Z", transform=at(x, y, -3), fill=palette.back_ink)
    digits = group(number(count, 0, -14, 52, palette.back_ink), transform=at(x, y, -3))
    return group(*heap, arrow, digits, class_="discards")


def _tracker(palette: Palette, scene: Scene, spot: Point) -> str:
    x, y = spot
    step = min(68.0, 214 / scene.chaos)
    first = x - step * (scene.chaos - 1) / 2
    rail = path(box(first, y - 2.5, step * (scene.chaos - 1), 5), fill=palette.rim_edge)
    places = [
        _step(palette, (first + index * step, y), step * 0.4, index < scene.tracker, index == scene.chaos - 1)
        for index in range(scene.chaos)
    ]
    return group(rail, *places, class_="tracker")


def _step(palette: Palette, spot: Point, size: float, failed: bool, last: bool) -> str:
    if not last:
        fill, edge = (palette.gold, palette.gold) if failed else (palette.table, palette.rim_edge)
        sign = icon("cross", *spot, size * 1.2, palette.gold_ink, palette.gold) if failed else ""
        place = disc(spot, size + 2, fill, edge, 4) + sign
    else:
        fill, ink = (palette.threat, palette.badge_ink) if failed else (palette.table, palette.gold)
        edge = star(spot, 10, size * 1.35, size * 0.95)
        place = path(edge, fill=fill, stroke=palette.gold, stroke_width=4, stroke_linejoin="round")
        place += icon("burst", *spot, size * 1.1, ink, fill)
    return group(place, class_="step failed" if failed else "step")


def _calendar(palette: Palette, scene: Scene, spot: Point) -> str:
    if scene.month is None:
        return ""
    x, y = spot
    fill, ink = (palette.threat, palette.badge_ink) if scene.blindfold else (palette.sheet, palette.sheet_ink)
    page = path(box(x - 42, y - 42, 84, 84), fill=fill, stroke=palette.sheet_ink, stroke_width=4)
    head = path(box(x - 42, y - 42, 84, 22), fill=palette.sheet_ink)
    rings = path(box(x - 25, y - 54, 7, 22) + box(x + 18, y - 54, 7, 22), fill=palette.rim_edge)
    eye = icon("blind", x + 83, y, 54, palette.gold, palette.table) if scene.blindfold else ""
    digits = number(scene.month, x, y + 11, 42, ink)
    return group(page, head, rings, digits, eye, class_="calendar blind" if scene.blindfold else "calendar")


def _winners(palette: Palette, winners: tuple[str, ...], middle: Point) -> str:
    shown = [party for party in winners if party in palette.parties]
    parts = []
    for order, name in enumerate(shown):
        x, y = middle[0] + (order - (len(shown) - 1) / 2) * 172, middle[1]
        party = palette.parties[name]
        wreath = icon("laurel", x, y + 7, 158, palette.gold, palette.table)
        seal = path(star((x, y), 24, 55, 50), fill=party.tile, stroke=party.ink, stroke_width=4)
        sign = icon(party.icon, x, y, 66, party.ink, party.tile)
        parts.append(group(wreath, seal, sign, class_=f"winner {name}"))
    return "".join(parts)


def _won_by(palette: Palette, scene: Scene, spot: Point) -> str:
    """Draw how they won: the icons of that ending, or the tiles of a full track in a row."""
    x, y = spot
    full = next((lane for lane in scene.tracks if scene.reason == f"{lane.colour}-track"), None)
    names = SHOWN.endings.get(scene.reason or "", ())
    step = 24.0 if full else 60.0
    count = len(full.slots) if full else len(names)
    if not count:
        return ""
    first, wide = x - step * (count - 1) / 2, step * count + 16
    plate = path(box(x - wide / 2, y - 27, wide, 54), fill=palette.sheet, stroke=palette.gold, stroke_width=4)
    signs = []
    for place in range(count):
        left = first + step * place
        if full is None:
            name = palette.hitler if names[place] == HITLER else names[place]
            signs.append(icon(name, left, y, 44, palette.sheet_ink, palette.sheet))
        else:
            party = palette.parties[full.colour]
            tile = box(left - 9, y - 16, 18, 32)
            signs.append(path(tile, fill=party.tile, stroke=party.ink, stroke_width=3))
    return group(plate, *signs, class_=f"won-by {scene.reason}")


# --- ornaments ----------------------------------------------------------------------------------------------
# The two themes differ not only in colours, but also in the ground, its frame, and the table top.

WIDTH = 1080.0


def ground(palette: Palette, height: float, middle: Point, horizon: float) -> str:
    """Draw the ground of the picture with its ornaments.

    ``middle``: of the table; ``horizon``: where the tracks begin, in pixels from the top.
    """
    sheet = path(box(0, 0, WIDTH, height), fill=palette.ground)
    return sheet + (_deco if palette.name == "weimar" else _chart)(palette, height, middle, horizon)


def _deco(palette: Palette, height: float, middle: Point, horizon: float) -> str:
    """Draw rays of a rising sun behind the table, and a stepped double frame."""
    rays = []
    for angle in range(-7, 353, 30):
        # Rays begin below the table's edge and end where the tracks begin, so that little is drawn in vain.
        corners = ((230, angle), (900, angle), (900, angle + 14), (230, angle + 14))
        rays.append(polygon(_above([polar(middle, far, turn) for far, turn in corners], horizon)))
    return (
        path("".join(rays), fill=palette.faint)
        + stepped(palette, 12, WIDTH, height, 13, 6)
        + stepped(palette, 21, WIDTH, height, 10, 2)
    )


def _above(corners: list[Point], level: float) -> list[Point]:
    kept = []
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if y1 <= level:
            kept.append((x1, y1))
        if (y1 <= level) != (y2 <= level):
            kept.append((x1 + (x2 - x1) * (level - y1) / (y2 - y1), level))
    return kept


def stepped(palette: Palette, inset: float, width: float, height: float, step: float, line: float) -> str:
    """Draw a frame with two steps in each corner, for a picture of this size."""
    across, down = width - 2 * inset - 4 * step, height - 2 * inset - 4 * step
    s, m = num(step), f"-{num(step)}"
    frame = f"M{num(inset + 2 * step)} {num(inset)}h{num(across)}v{s}h{s}v{s}h{s}v{num(down)}h{m}v{s}h{m}v{s}"
    frame += f"h{num(-across)}v{m}h{m}v{m}h{m}v{num(-down)}h{s}v{m}h{s}Z"
    return path(frame, fill="none", stroke=palette.frame, stroke_width=line)


def _chart(palette: Palette, height: float, middle: Point, horizon: float) -> str:
    """Draw the grid of a chart, and the corners of a screen."""
    grid = "".join(box(x, 0, 3, height) for x in range(89, int(WIDTH), 150))
    grid += "".join(box(0, y, WIDTH, 3) for y in range(89, int(height), 150))
    right, bottom = num(WIDTH - 14), num(height - 14)
    corners = (
        f"M14 74V14H74M{num(WIDTH - 74)} 14H{right}V74M{right} {num(height - 74)}V{bottom}H{num(WIDTH - 74)}"
    )
    corners += f"M74 {bottom}H14V{num(height - 74)}"
    return path(grid, fill=palette.faint) + path(corners, fill="none", stroke=palette.frame, stroke_width=6)


def table_top(palette: Palette, middle: Point, across: float, down: float) -> str:
    """Draw the table, an ellipse with these half axes in pixels."""
    rings = ((18, palette.rim_edge), (14, palette.rim), (0, palette.table))
    top = "".join(_oval(middle, across + wider, down + wider, fill=fill) for wider, fill in rings)
    if palette.name == "weimar":
        return top
    x, y = middle
    line, plain = palette.table_line, palette.table
    circles = ((0.66, line), (0.655, plain), (0.34, line), (0.333, plain))
    inner = "".join(_oval(middle, across * part, down * part, fill=fill) for part, fill in circles)
    cross = f"M{num(x - across)} {num(y)}h{num(2 * across)}M{num(x)} {num(y - down)}v{num(2 * down)}"
    return top + inner + path(cross, stroke=line, stroke_width=3)


def beam(palette: Palette, middle: Point, towards: Point) -> str:
    """Draw the light of a lamp, or a radar's sweep, from the middle towards the seat whose turn it is."""
    x, y = middle
    across, up = towards[0] - x, towards[1] - y
    length = (across**2 + up**2) ** 0.5
    side = (-up / length * 46, across / length * 46)
    left, right = (towards[0] + side[0], towards[1] + side[1]), (towards[0] - side[0], towards[1] - side[1])
    return path(polygon([middle, left, right]), fill=palette.light, fill_opacity=0.28)


def _oval(middle: Point, across: float, down: float, **attributes: str | float | None) -> str:
    return el("ellipse", cx=middle[0], cy=middle[1], rx=across, ry=down, **attributes)
