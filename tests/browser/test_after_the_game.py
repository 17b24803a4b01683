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
    table.private.get_by_role("button", name="Start").click()
    newest = table.private.locator(".message:has(.picture)").last
    expect(table.private.locator(".message")).not_to_have_count(before)
    return newest


def step(table: Table, film: Locator, label: str) -> None:
    """Press a button under the film, and wait for what it shows then."""
    text = film.inner_text()
    film.locator(".key", has_text=label).first.click()
    for _ in range(200):
        if film.inner_text() != text:
            break
        table.page.wait_for_timeout(50)
    assert film.inner_text() != text
    table.settle()


def test_a_game_is_watched_again_by_clicks(lay: Lay) -> None:
    table = lay(7, computers=True)
    table.guide.get_by_role("button", name=SIT).click()
    hurry(table)
    play(table, random.Random(3))
    expect(table.button("Watch it again")).to_be_visible(timeout=PATIENCE)
    film = into_private(table, "Watch it again")
    expect(film).to_contain_text("Before the first round")
    pictures = {film.locator(".picture img").get_attribute("src")}
    for _ in range(6):
        step(table, film, "▶️")
        pictures.add(film.locator(".picture img").get_attribute("src"))
    assert len(pictures) > 1, "the board goes along"
    expect(film).to_contain_text("Round")
    shoot(table, "watch-again")
    film.locator(".key", has_text="As it was").click()
    expect(film).to_contain_text("as it was")
    shoot(table, "as-it-was")
    film.locator(".key", has_text="⏭").click()
    expect(film).to_contain_text("Who was who")
    film.locator(".key", has_text="What decided it").click()
    expect(table.private.locator(".message").last).to_contain_text("What decided it")
    expect(table.private.locator(".message").last).to_contain_text("👤")
    shoot(table, "what-decided-it")
    assert table.session(lambda session: session.telegram.violations) == []
