"""Write SVG with rounded numbers, so that the same picture is the same text on every machine."""

import json
from math import cos, radians, sin
from pathlib import Path

from bot.display.expansions import SHOWN

Point = tuple[float, float]


def num(value: float) -> str:
    """Return a number with at most one decimal, in pixels or degrees."""
    text = f"{value:.1f}"
    text = text.removesuffix(".0")
    return "0" if text == "-0" else text


def el(tag: str, *children: str, **attributes: str | float | None) -> str:
    """Return an element.

    Underscores in attributes' names become dashes, except that a last one, as in ``class_``, is dropped.
    Attributes that are None are left out.
    """
    parts = [tag]
    for name, value in attributes.items():
        if value is not None:
            text = value if isinstance(value, str) else num(value)
            parts.append(f'{name.rstrip("_").replace("_", "-")}="{text}"')
    head = " ".join(parts)
    return f"<{head}>{''.join(children)}</{tag}>" if children else f"<{head}/>"


def picture(width: float, height: float, *parts: str) -> str:
    """Return a whole picture of this size in pixels."""
    size: dict[str, str | float] = {
        "width": width,
        "height": height,
        "viewBox": f"0 0 {width:.0f} {height:.0f}",
    }
    return el("svg", *parts, xmlns="http://www.w3.org/2000/svg", **size)


def path(d: str, **attributes: str | float | None) -> str:
    """Return a path."""
    return el("path", d=d, **attributes)


def circle(centre: Point, radius: float, **attributes: str | float | None) -> str:
    """Return a circle."""
    return el("circle", cx=centre[0], cy=centre[1], r=radius, **attributes)


def disc(centre: Point, radius: float, fill: str, edge: str, border: float) -> str:
    """Return a circle with a border inside its radius. It is two fills, which are faster than a stroke."""
    return circle(centre, radius, fill=edge) + circle(centre, radius - border, fill=fill)


def mix(one: str, other: str, share: float) -> str:
    """Return the colour that ``other`` gives on top of ``one``, if its opacity is ``share`` (0 to 1)."""
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
    """Return the path data of a closed polygon."""
    return "" if not points else "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + "Z"


def polar(centre: Point, radius: float, angle: float) -> Point:
    """Return the point at this distance and angle (degrees, clockwise from the right)."""
    return centre[0] + radius * cos(radians(angle)), centre[1] + radius * sin(radians(angle))


def star(centre: Point, points: int, outer: float, inner: float) -> str:
    """Return the path data of a star. With many points it looks like the edge of a seal."""
    step = 180 / points
    return polygon([polar(centre, inner if i % 2 else outer, i * step - 90) for i in range(2 * points)])


def box(x: float, y: float, width: float, height: float) -> str:
    """Return the path data of a rectangle."""
    return f"M{num(x)} {num(y)}h{num(width)}v{num(height)}h{num(-width)}Z"


# --- icons --------------------------------------------------------------------------------------------------
# Icons are our own drawings, stored as shapes in a box of 100 by 100. A shape is a kind and its path data.
# ``fill`` and the lines ``line``, ``thin``, ``bold`` and ``ring`` have the ink's colour. ``hole`` and the
# lines ``cut`` and ``slit`` have the ground's. ``_LINES`` has the width of each kind of line. The icons of
# parties, offices and marks are in ``symbols.json``; expansions bring their own.

ICONS = {**json.loads((Path(__file__).parent / "symbols.json").read_text(encoding="utf-8")), **SHOWN.icons}
_LINES = {"bold": 16.0, "ring": 12.0, "line": 8.0, "thin": 5.0, "cut": 8.0, "slit": 4.0}


def icon(name: str, x: float, y: float, size: float, ink: str, ground: str) -> str:
    """Draw an icon centred on a point. ``size``: the side of its box; ``ground``: the colour under it."""
    parts = []
    for kind, d in ICONS[name]:
        colour = ink if kind in ("fill", "line", "thin", "bold", "ring") else ground
        if kind in _LINES:
            parts.append(path(d, fill="none", stroke=colour, stroke_width=_LINES[kind]))
        else:
            parts.append(path(d, fill=colour))
    return group(
        *parts,
        transform=at(x - size / 2, y - size / 2, scale=size / 100),
        fill_rule="evenodd",
        stroke_linecap="round",
        stroke_linejoin="round",
    )


# --- digits -------------------------------------------------------------------------------------------------
# Digits are paths, so no font is needed, and every machine draws the same.

#: Each digit drawn as lines, in a box 100 high.
DIGITS = {
    "0": "M30 6C12 6 7 26 7 50C7 74 12 94 30 94C48 94 53 74 53 50C53 26 48 6 30 6Z",
    "1": "M8 25L29 8L29 94",
    "2": "M9 30C9 14 18 6 30 6C43 6 52 15 52 28C52 46 30 60 8 94L54 94",
    "3": "M9 14C16 8 23 6 30 6C43 6 51 14 51 26C51 39 42 47 27 47C44 47 53 56 53 70C53 85 43 94 29 94"
    "C20 94 13 91 7 85",
    "4": "M42 94L42 7L6 68L56 68",
    "5": "M49 7L15 7L11 46C17 41 23 39 30 39C45 39 53 50 53 66C53 83 43 94 28 94C19 94 12 91 7 85",
    "6": "M46 9C24 10 7 30 7 62C7 83 16 94 31 94C45 94 53 84 53 68C53 53 45 43 32 43C20 43 10 51 7 64",
    "7": "M7 7L53 7L25 94",
    "8": "M30 47C18 47 11 38 11 27C11 14 19 6 30 6C41 6 49 14 49 27C49 38 42 47 30 47C15 47 7 57 7 70"
    "C7 85 16 94 30 94C44 94 53 85 53 70C53 57 45 47 30 47Z",
    "9": "M14 91C36 90 53 70 53 38C53 17 44 6 29 6C15 6 7 16 7 32C7 47 15 57 28 57C40 57 50 49 53 36",
}
_HEIGHT, _GAP = 100.0, 22.0


def number(value: int, x: float, y: float, height: float, ink: str, weight: float = 15) -> str:
    """Draw a number (0 or more) centred on a point. ``weight``: the lines' width if digits were 100 high."""
    digits = str(value)
    scale = height / _HEIGHT
    left = -(sum(map(_width, digits)) + (len(digits) - 1) * _GAP) / 2
    parts = []
    for digit in digits:
        parts.append(path(DIGITS[digit], transform=at(left, -_HEIGHT / 2)))
        left += _width(digit) + _GAP
    return group(
        *parts,
        transform=at(x, y, scale=scale),
        fill="none",
        stroke=ink,
        stroke_width=weight,
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def _width(digit: str) -> float:
    return 37.0 if digit == "1" else 60.0
