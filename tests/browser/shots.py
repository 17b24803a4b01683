"""Take pictures of the page."""

import os
from pathlib import Path

from playwright.sync_api import expect

from .table import Table

#: The folder for pictures. Without it, no picture is written.
FOLDER = os.environ.get("SCREENSHOTS")


def shoot(table: Table, name: str) -> None:
    """Take a picture once all animations have ended. Nobody plays meanwhile."""
    pace: str = table.session(lambda session: session.auto_players.pace)
    table.session(lambda session: setattr(session.auto_players, "pace", "paused"))
    table.page.mouse.move(0, 0)
    table.page.evaluate("document.activeElement.blur()")
    expect(table.page.locator(".toast")).to_have_count(0)
    table.page.wait_for_timeout(350)
    if FOLDER:
        path = Path(FOLDER)
        path.mkdir(parents=True, exist_ok=True)
        table.page.screenshot(path=path / f"{name}.png", animations="disabled")
    table.session(lambda session: setattr(session.auto_players, "pace", pace))
