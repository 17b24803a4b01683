"""Draw the board from the group's view, without words.

``board_svg`` is a pure function, and ``png`` renders its result. Nothing secret is drawn.
"""

from bot.display.pictures.palette import PALETTES
from bot.display.pictures.scene import scene_of
from bot.display.pictures.seats import draw
from engine import Seat, View

__all__ = ["board_svg", "png", "render"]


def board_svg(view: View, theme: str, computers: tuple[Seat, ...] = ()) -> str:
    """Return the board as SVG, 1080 pixels wide, without any text. ``computers``: their seats.

    Raises ValueError for a seat's own view, KeyError for a theme without a look.
    """
    return draw(scene_of(view, computers), PALETTES[theme])


def render(view: View, theme: str, computers: tuple[Seat, ...] = ()) -> bytes:
    """Return the board picture as PNG, 1080 pixels wide. Raises like ``board_svg``."""
    return png(board_svg(view, theme, computers))


def png(svg: str) -> bytes:
    """Return an SVG picture as PNG, in its own size."""
    # Imported here, so that only a process that draws loads the renderer.
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))
