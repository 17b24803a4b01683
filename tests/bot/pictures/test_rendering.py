"""Pictures as bytes: size, sameness, and a renderer that only those load who need it."""

import subprocess
import sys
from struct import unpack

import pytest

from bot.display.pictures import png, render
from bot.display.pictures.palette import PALETTES
from bot.display.pictures.seats import draw
from engine import Chance, Setup, start, view
from tests.bot.pictures.scenes import SCENES, picture_key

THEMES = sorted(PALETTES)


def size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = unpack(">II", picture[16:24])
    return width, height


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("name", "most"), [("start", 150), ("middle", 150), ("crowded", 200), ("end", 200)])
def test_a_board_is_1080_pixels_wide_and_small(name: str, most: int, theme: str) -> None:
    picture = png(draw(SCENES[name], PALETTES[theme]))
    width, height = size(picture)
    assert width == 1080
    assert 0.95 <= height / width <= 1.3
    assert len(picture) < most * 1024


def test_the_same_board_is_the_same_bytes_and_another_one_is_not() -> None:
    one, other = (view(start(Setup("classic@1", players), Chance("00"))[1], None) for players in (5, 6))
    assert render(one, "weimar") == render(one, "weimar")
    assert render(one, "weimar") != render(other, "weimar")
    assert picture_key(one, "weimar") != picture_key(other, "weimar")
    assert len(picture_key(one, "weimar")) == 20


def test_the_renderer_loads_with_the_first_picture() -> None:
    code = (
        "import sys, bot.display.pictures as p\n"
        "from tests.bot.pictures.scenes import SCENES\n"
        "assert 'resvg_py' not in sys.modules\n"
        "assert p.png(p.draw(SCENES['start'], p.PALETTES['weimar']))\n"
        "assert 'resvg_py' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
