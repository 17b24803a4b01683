"""A game night on the page: planned by a command, signed up for and joined by clicks."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from .conftest import Lay
from .table import Table

pytestmark = pytest.mark.browser
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def leap(table: Table, before: int) -> None:
    """Leap to this many seconds before the night."""

    def there(session: object) -> None:
        night = session.room().night  # type: ignore[attr-defined]
        session.clock.leap_to(night.at - before)  # type: ignore[attr-defined]

    table.session(there)


def test_a_game_night_by_clicks(lay: Lay) -> None:
    table = lay()
    table.sit("Anna")
    table.say("/timezone Europe/Berlin")
    expect(table.group).to_contain_text("Times here are now in Europe/Berlin")
    # The page's clock begins at the real time, and the first reminder comes long before the night.
    day = datetime.now(ZoneInfo("Europe/Berlin")) + timedelta(days=3)
    table.say(f"/schedule {WEEKDAYS[day.weekday()][:3].lower()} 20:00")
    night = table.group.locator(".message", has_text="Game night").last
    expect(night).to_contain_text(f"{WEEKDAYS[day.weekday()]}, 20:00 (Europe/Berlin)")
    for name in ("Anna", "Ben"):
        table.sit(name)
        table.button("I'm in").click()
        expect(night).to_contain_text(name)
    leap(table, 3600)
    expect(table.private.locator(".message", has_text="Game night in")).to_have_count(1, timeout=30_000)
    leap(table, 600)
    expect(table.private.locator(".message", has_text="Game night in")).to_have_count(2, timeout=30_000)
    leap(table, 0)
    lobby = table.group.locator(".message", has_text="who is in")
    expect(lobby).to_be_visible(timeout=30_000)
    expect(table.prompt).to_contain_text("the lobby is open")
    table.prompt.locator(".key", has_text="Join").click()
    table.private.get_by_role("button", name="Start", exact=True).click()
    expect(lobby).to_contain_text("Ben")
    expect(lobby).not_to_contain_text("Anna")
    assert table.session(lambda session: session.telegram.violations) == []
