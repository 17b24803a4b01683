"""Digits as paths: no font is needed, and every machine draws the same."""

from bot.display.pictures.svg import at, group, path

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
    """Draw a number from 0 on, centred on a point. ``weight`` is the lines' width for digits 100 high."""
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
