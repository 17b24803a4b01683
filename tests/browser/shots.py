"""Take pictures of the page."""

import os
import subprocess
from functools import cache
from pathlib import Path

from playwright.sync_api import expect

from .table import Table

#: The folder for pictures. Without it, no picture is written.
FOLDER = os.environ.get("SCREENSHOTS")


#: A character of each kind that the texts need, and the Debian package of a font that has it.
FONTS = {"\N{CLASSICAL BUILDING}": "fonts-noto-color-emoji", "\u4e2d": "fonts-noto-cjk"}


@cache
def check_fonts() -> None:
    """Fail if a font is missing, because pictures would show boxes in place of signs."""
    for character, package in FONTS.items():
        command = ["fc-list", f":charset={ord(character):x}"]
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert found, f"pictures need a font with {character}; Debian has it in {package}"


def shoot(table: Table, name: str) -> None:
    """Take a picture once all animations have ended. Nobody plays meanwhile."""
    pace: str = table.session(lambda session: session.auto_players.pace)
    table.session(lambda session: setattr(session.auto_players, "pace", "paused"))
    table.page.mouse.move(0, 0)
    table.page.evaluate("document.activeElement.blur()")
    expect(table.page.locator(".toast")).to_have_count(0)
    table.page.wait_for_timeout(350)
    if FOLDER:
        check_fonts()
        path = Path(FOLDER)
        path.mkdir(parents=True, exist_ok=True)
        table.page.screenshot(path=path / f"{name}.png", animations="disabled")
    table.session(lambda session: setattr(session.auto_players, "pace", pace))
