"""Icons: shapes as data, and how they are drawn. Each is drawn by ourselves in a box of 100 by 100.

A shape is a kind and its path data. ``fill`` and ``line`` are of the ink, ``hole`` and ``cut`` show the
ground again; lines are 8 wide, with ``thin``, ``ring``, ``bold`` and ``slit`` for others.
"""

from bot.display.expansions import SHOWN
from bot.display.pictures.svg import at, group, path
from bot.display.pictures.symbols import SYMBOLS

ICONS = {**SYMBOLS, **SHOWN.icons}
_LINES = {"bold": 16.0, "ring": 12.0, "line": 8.0, "thin": 5.0, "cut": 8.0, "slit": 4.0}


def icon(name: str, x: float, y: float, size: float, ink: str, ground: str) -> str:
    """Draw an icon centred on a point; ``size`` is its box's, ``ground`` the colour under it."""
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
