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
DIGITS: dict[str, str] = json.loads((Path(__file__).parent / "digits.json").read_text(encoding="utf-8"))
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
