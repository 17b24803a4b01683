"""After the game, by clicks: what ended it, watching it again, and what decided it."""

import random

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Lay
from .shots import shoot
from .table import PATIENCE, Table
from .test_newcomer import SIT, hurry, play

pytestmark = pytest.mark.browser


def into_private(table: Table, label: str) -> Locator:
    """Follow a button under the end into the private chat; the newest picture there."""
    before = table.private.locator(".message").count()
    table.button(label).click()
    table.private.get_by_role("button", name="Start", exact=True).click()
    newest = table.private.locator(".message:has(.picture)").last
    expect(table.private.locator(".message")).not_to_have_count(before)
    return newest


def step(table: Table, replay: Locator, label: str) -> None:
    """Press a button under the replay, and wait for what it shows then."""
    text = replay.inner_text()
    replay.locator(".key", has_text=label).first.click()
    for _ in range(200):
        if replay.inner_text() != text:
            break
        table.page.wait_for_timeout(50)
    assert replay.inner_text() != text
    table.settle()


def test_a_game_is_watched_again_by_clicks(lay: Lay) -> None:
    table = lay(7, computers=True)
    table.guide.get_by_role("button", name=SIT).click()
    hurry(table)
    play(table, random.Random(3))
    expect(table.button("Watch it again")).to_be_visible(timeout=PATIENCE)
    replay = into_private(table, "Watch it again")
    expect(replay).to_contain_text("Before the first round")
    pictures = {replay.locator(".picture img").get_attribute("src")}
    for _ in range(6):
        step(table, replay, "▶️")
        pictures.add(replay.locator(".picture img").get_attribute("src"))
    assert len(pictures) > 1, "the board goes along"
    expect(replay).to_contain_text("Round")
    shoot(table, "watch-again")
    replay.locator(".key", has_text="As it was").click()
    expect(replay).to_contain_text("as it was")
    shoot(table, "as-it-was")
    replay.locator(".key", has_text="⏭").click()
    expect(replay).to_contain_text("Who was who")
    replay.locator(".key", has_text="What decided it").click()
    expect(table.private.locator(".message").last).to_contain_text("What decided it")
    expect(table.private.locator(".message").last).to_contain_text("👤")
    shoot(table, "what-decided-it")
    assert table.session(lambda session: session.telegram.violations) == []
