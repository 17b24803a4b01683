"""Pictures without words: the board from the group's view, and for the private chat a role card and a hand.

Each is a pure function to SVG; ``png`` renders it. ``name_of`` an SVG is the same for the same picture and
another one as soon as anything differs, so that a picture seen before need not be drawn or sent again.
"""

import hashlib
from collections.abc import Sequence

from engine import View
from handlers.display.pictures import cards
from handlers.display.pictures.drawing import draw
from handlers.display.pictures.palette import PALETTES
from handlers.display.pictures.scene import scene_of

__all__ = ["board_svg", "hand_svg", "name_of", "picture_key", "png", "render", "role_svg"]


def board_svg(view: View, theme: str) -> str:
    """The board picture as SVG, 1080 pixels wide, without any text.

    Raises ValueError for a seat's own view, KeyError for a theme without a look.
    """
    return draw(scene_of(view), PALETTES[theme])


def picture_key(view: View, theme: str) -> str:
    """The name of the board picture: 20 hexadecimal digits. Raises as ``board_svg``."""
    return name_of(board_svg(view, theme))


def render(view: View, theme: str) -> bytes:
    """The board picture as PNG, 1080 pixels wide. Raises as ``board_svg``."""
    return png(board_svg(view, theme))


def role_svg(role: str, party: str, theme: str) -> str:
    """An envelope as SVG, 720 by 480 pixels: only for whoever may know it."""
    return cards.role_card(PALETTES[theme], role, party)


def hand_svg(tiles: Sequence[str], theme: str) -> str:
    """One to three tiles as SVG, 720 by 340 pixels, in the order given: only for whoever may know them."""
    return cards.hand(PALETTES[theme], tiles)


def name_of(svg: str) -> str:
    """A name for a picture, of 20 hexadecimal digits."""
    return hashlib.sha256(svg.encode()).hexdigest()[:20]


def png(svg: str) -> bytes:
    """A picture as PNG, in its own size."""
    # Only whoever draws pays for loading the renderer.
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))
