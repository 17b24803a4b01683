"""The middle of the table: piles, election tracker, calendar; at the end, who won."""

from bot.display.expansion import HITLER
from bot.display.expansions import SHOWN
from bot.display.pictures.digits import number
from bot.display.pictures.icons import icon
from bot.display.pictures.palette import Palette
from bot.display.pictures.scene import Scene
from bot.display.pictures.svg import Point, at, box, disc, group, path, star

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
    return path(
        box(x - width / 2, y - height / 2, width, height),
        fill="none",
        stroke=palette.rim_edge,
        stroke_width=4,
        stroke_dasharray="10 8",
    )


def _draw_pile(palette: Palette, count: int, spot: Point) -> str:
    """Draw a neat stack, with an arrow up for drawing; more tiles make it higher."""
    x, y = spot
    if not count:
        return group(_empty(palette, x, y), number(0, x, y, 46, palette.rim_edge), class_="pile")
    height = min(count, 3)
    stack = "".join(_back(palette, x + 6 * (height - 1 - i), y + 6 * (height - 1 - i)) for i in range(height))
    arrow = path("M0 -44L16 -26L-16 -26Z", transform=at(x, y), fill=palette.back_ink)
    return group(stack, arrow, number(count, x, y + 14, 52, palette.back_ink), class_="pile")


def _discard_pile(palette: Palette, count: int, spot: Point) -> str:
    """Draw a heap of thrown tiles, with an arrow down."""
    x, y = spot
    if not count:
        return group(_empty(palette, x, y), number(0, x, y, 46, palette.rim_edge), class_="discards")
    heap = [_back(palette, x, y, turn) for turn in (-14, 11, -3)[-min(count, 3) :]]
    arrow = path("M0 44L16 26L-16 26Z", transform=at(x, y, -3), fill=palette.back_ink)
    digits = group(number(count, 0, -14, 52, palette.back_ink), transform=at(x, y, -3))
    return group(*heap, arrow, digits, class_="discards")


def _tracker(palette: Palette, scene: Scene, spot: Point) -> str:
    """Draw a place for each failed election. The last one is chaos."""
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
    """Draw the month, by number; in a month of blind cards, under a crossed-out eye."""
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
    """Draw the winning parties' symbols in laurel."""
    shown = [party for party in winners if party in palette.parties]
    parts = []
    for order, name in enumerate(shown):
        x, y = middle[0] + (order - (len(shown) - 1) / 2) * 172, middle[1]
        party = palette.parties[name]
        parts.append(
            group(
                icon("laurel", x, y + 7, 158, palette.gold, palette.table),
                path(star((x, y), 24, 55, 50), fill=party.tile, stroke=party.ink, stroke_width=4),
                icon(party.icon, x, y, 66, party.ink, party.tile),
                class_=f"winner {name}",
            )
        )
    return "".join(parts)


def _won_by(palette: Palette, scene: Scene, spot: Point) -> str:
    """Draw how they won, below them: the icons of that ending, or a full track's tiles in a row."""
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
