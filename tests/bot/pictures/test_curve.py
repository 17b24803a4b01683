"""The picture of a rating's curve."""

import re

import pytest

from bot.display.pictures import png
from bot.display.pictures.suspicion import curve_svg
from bot.display.words import THEMES


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ratings", [[1000], [1000, 1000], [987, 1012, 1404], list(range(100, 3000, 50))])
def test_a_curve_is_drawn_without_words(theme: str, ratings: list[int]) -> None:
    svg = curve_svg(ratings, len(ratings) + 5, theme)
    assert "<text" not in svg
    assert svg.count("<circle") >= len(ratings) or len(re.findall("A9 9", svg)) >= len(ratings)
    assert png(svg).startswith(b"\x89PNG")


def test_a_better_rating_is_drawn_higher() -> None:
    svg = curve_svg([1000, 1100], 2, "weimar")
    line = re.search(r'd="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"', svg)
    assert line is not None
    assert float(line[1]) < float(line[3])
    assert float(line[2]) > float(line[4])
