"""The curve of a rating over the last games: numbers on both axes, and no words."""

from collections.abc import Sequence
from math import ceil, floor

from bot.display.pictures.digits import number
from bot.display.pictures.ornaments import WIDTH, stepped
from bot.display.pictures.palette import PALETTES
from bot.display.pictures.svg import box, disc, el, num, path

_HEIGHT = 620.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 150.0, 60.0, 60.0, 90.0
#: The possible distances between two lines of the scale, and the most lines.
_STEPS, _LINES = (10, 20, 50, 100, 200, 500), 6


def curve_svg(ratings: Sequence[int], games: int, theme: str) -> str:
    """Return the picture as SVG, 1080 pixels wide; ``games`` is their number, including the last one.

    Raises KeyError for a theme without a look, ValueError without a rating.
    """
    palette = PALETTES[theme]
    step = _step(min(ratings), max(ratings))
    low, high = step * floor(min(ratings) / step), step * ceil(max(ratings) / step)
    high = max(high, low + step)
    wide, tall = WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    first = games - len(ratings) + 1

    def across(place: int) -> float:
        return _LEFT + wide * (place / (len(ratings) - 1) if len(ratings) > 1 else 0.5)

    def down(rating: float) -> float:
        return _TOP + tall * (high - rating) / (high - low)

    ink, lines = palette.dead_ink, range(low, high + 1, step)
    scale = [
        path(f"M{num(_LEFT)} {num(down(at))}h{num(wide)}", fill="none", stroke=palette.dead, stroke_width=3)
        + number(at, _LEFT - 70, down(at), 30, ink)
        for at in lines
    ]
    points = [(across(place), down(rating)) for place, rating in enumerate(ratings)]
    drawn = "L".join(f"{num(x)} {num(y)}" for x, y in points)
    gold = palette.gold
    marks = {place: first + place for place in {0, len(ratings) // 2, len(ratings) - 1}}
    return el(
        "svg",
        path(box(0, 0, WIDTH, _HEIGHT), fill=palette.ground),
        stepped(palette, 12, WIDTH, _HEIGHT, 13, 6),
        *scale,
        path(f"M{drawn}", fill="none", stroke=gold, stroke_width=8, stroke_linejoin="round"),
        *[disc(point, 9, gold, palette.ground, 3) for point in points],
        *[number(game, across(place), _HEIGHT - 52, 30, ink) for place, game in sorted(marks.items())],
        xmlns="http://www.w3.org/2000/svg",
        width=WIDTH,
        height=_HEIGHT,
        viewBox=f"0 0 {WIDTH:.0f} {_HEIGHT:.0f}",
    )


def _step(low: int, high: int) -> int:
    return next((step for step in _STEPS if (high - low) / step <= _LINES), 1000)
