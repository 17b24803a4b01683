"""The looks of the two themes apart from colours: the ground, its frame, and the table top."""

from bot.display.pictures.palette import Palette
from bot.display.pictures.svg import Point, box, el, num, path, polar, polygon

WIDTH = 1080.0


def ground(palette: Palette, height: float, middle: Point, horizon: float) -> str:
    """Draw the ground of the picture with its ornaments.

    ``middle`` is the table's, ``horizon`` the height at which the tracks begin, in pixels.
    """
    sheet = path(box(0, 0, WIDTH, height), fill=palette.ground)
    return sheet + (_deco if palette.name == "weimar" else _chart)(palette, height, middle, horizon)


def _deco(palette: Palette, height: float, middle: Point, horizon: float) -> str:
    """Draw rays of a rising sun behind the table, and a stepped double frame."""
    rays = []
    for angle in range(-7, 353, 30):
        edges = (angle, angle + 14)
        # The part under the table would be drawn in vain, and no ray shows behind the tracks.
        ray = [
            polar(middle, 230, edges[0]),
            *(polar(middle, 900, edge) for edge in edges),
            polar(middle, 230, edges[1]),
        ]
        rays.append(polygon(_above(ray, horizon)))
    return (
        path("".join(rays), fill=palette.faint)
        + stepped(palette, 12, WIDTH, height, 13, 6)
        + stepped(palette, 21, WIDTH, height, 10, 2)
    )


def _above(corners: list[Point], level: float) -> list[Point]:
    """Return the part of a convex polygon above a level."""
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
    return path(
        f"M{num(inset + 2 * step)} {num(inset)}h{num(across)}v{s}h{s}v{s}h{s}v{num(down)}h{m}v{s}h{m}v{s}"
        f"h{num(-across)}v{m}h{m}v{m}h{m}v{num(-down)}h{s}v{m}h{s}Z",
        fill="none",
        stroke=palette.frame,
        stroke_width=line,
    )


def _chart(palette: Palette, height: float, middle: Point, horizon: float) -> str:
    """Draw a chart's grid, and the corners of a screen."""
    grid = "".join(box(x, 0, 3, height) for x in range(89, int(WIDTH), 150))
    grid += "".join(box(0, y, WIDTH, 3) for y in range(89, int(height), 150))
    right, bottom = num(WIDTH - 14), num(height - 14)
    corners = (
        f"M14 74V14H74M{num(WIDTH - 74)} 14H{right}V74M{right} {num(height - 74)}V{bottom}H{num(WIDTH - 74)}"
    )
    corners += f"M74 {bottom}H14V{num(height - 74)}"
    return path(grid, fill=palette.faint) + path(corners, fill="none", stroke=palette.frame, stroke_width=6)


def table_top(palette: Palette, middle: Point, across: float, down: float) -> str:
    """Draw the table, given its half axes."""
    rings = ((18, palette.rim_edge), (14, palette.rim), (0, palette.table))
    top = "".join(_oval(middle, across + wider, down + wider, fill=fill) for wider, fill in rings)
    if palette.name == "weimar":
        return top
    x, y = middle
    inner = "".join(
        _oval(middle, across * part, down * part, fill=fill)
        for part, fill in (
            (0.66, palette.table_line),
            (0.655, palette.table),
            (0.34, palette.table_line),
            (0.333, palette.table),
        )
    )
    cross = path(
        f"M{num(x - across)} {num(y)}h{num(2 * across)}M{num(x)} {num(y - down)}v{num(2 * down)}",
        stroke=palette.table_line,
        stroke_width=3,
    )
    return top + inner + cross


def beam(palette: Palette, middle: Point, towards: Point) -> str:
    """Light from the middle towards whose turn it is: a lamp's, or a radar's sweep."""
    x, y = middle
    across, up = towards[0] - x, towards[1] - y
    length = (across**2 + up**2) ** 0.5
    side = (-up / length * 46, across / length * 46)
    return path(
        polygon(
            [
                middle,
                (towards[0] + side[0], towards[1] + side[1]),
                (towards[0] - side[0], towards[1] - side[1]),
            ]
        ),
        fill=palette.light,
        fill_opacity=0.28,
    )


def _oval(middle: Point, across: float, down: float, **attributes: str | float | None) -> str:
    return el("ellipse", cx=middle[0], cy=middle[1], rx=across, ry=down, **attributes)
