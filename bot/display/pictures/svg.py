"""SVG as text: elements with rounded numbers, so that the same picture is the same text on every machine."""

from math import cos, radians, sin

Point = tuple[float, float]


def num(value: float) -> str:
    """Return a number with at most one decimal, in pixels or degrees."""
    text = f"{value:.1f}"
    text = text.removesuffix(".0")
    return "0" if text == "-0" else text


def el(tag: str, *children: str, **attributes: str | float | None) -> str:
    """Return an element.

    Underscores in attributes' names become dashes (a last one, as in ``class_``, is dropped), and attributes
    that are None are left out.
    """
    parts = [tag]
    for name, value in attributes.items():
        if value is not None:
            text = value if isinstance(value, str) else num(value)
            parts.append(f'{name.rstrip("_").replace("_", "-")}="{text}"')
    head = " ".join(parts)
    return f"<{head}>{''.join(children)}</{tag}>" if children else f"<{head}/>"


def path(d: str, **attributes: str | float | None) -> str:
    """Return a path."""
    return el("path", d=d, **attributes)


def circle(centre: Point, radius: float, **attributes: str | float | None) -> str:
    """Return a circle."""
    return el("circle", cx=centre[0], cy=centre[1], r=radius, **attributes)


def disc(centre: Point, radius: float, fill: str, edge: str, border: float) -> str:
    """Return a circle with a border inside its radius. Two fills are faster than a fill and a stroke."""
    return circle(centre, radius, fill=edge) + circle(centre, radius - border, fill=fill)


def mix(one: str, other: str, share: float) -> str:
    """Return a colour between two, as if a share of ``other`` covered ``one``, but drawn flat."""
    parts = [(int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


def group(*children: str, **attributes: str | float | None) -> str:
    """Return elements that share attributes."""
    return el("g", *children, **attributes)


def at(x: float, y: float, turn: float = 0, scale: float = 1) -> str:
    """Return a transformation: move to a point, turn (degrees, clockwise), scale."""
    out = f"translate({num(x)} {num(y)})"
    if turn:
        out += f" rotate({num(turn)})"
    # Scales are small numbers, so one decimal would be too coarse.
    return out if scale == 1 else f"{out} scale({scale:.4f})"


def polygon(points: list[Point]) -> str:
    """Path data of a closed polygon."""
    return "" if not points else "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + "Z"


def polar(centre: Point, radius: float, angle: float) -> Point:
    """Return the point at this distance and angle (degrees, clockwise from the right)."""
    return centre[0] + radius * cos(radians(angle)), centre[1] + radius * sin(radians(angle))


def star(centre: Point, points: int, outer: float, inner: float, turn: float = -90) -> str:
    """Return the path data of a star; with many points, of a seal's edge."""
    step = 180 / points
    return polygon([polar(centre, inner if i % 2 else outer, turn + i * step) for i in range(2 * points)])


def box(x: float, y: float, width: float, height: float) -> str:
    """Path data of a rectangle."""
    return f"M{num(x)} {num(y)}h{num(width)}v{num(height)}h{num(-width)}Z"
