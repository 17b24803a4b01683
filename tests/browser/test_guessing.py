"""Guess the line by clicks: somebody who sits out guesses after a policy, and is named at the end."""

import re

import pytest
from playwright.sync_api import expect

from .conftest import Lay
from .shots import shoot
from .table import Table
from .test_gallery import enacted, until

pytestmark = pytest.mark.browser
#: Milliseconds in which a table of automatic players plays to its end.
WHOLE_GAME = 120_000


def pick(table: Table, *seats: int) -> None:
    """Tap the buttons of these seats under the guesser's prompt."""
    for seat in seats:
        table.prompt.locator(".key").nth(seat).click()
        table.settle()


def write(table: Table, text: str) -> None:
    box = table.private.get_by_role("combobox")
    box.fill(text)
    box.press("Escape")
    box.press("Enter")


def test_who_sits_out_guesses_by_clicks(lay: Lay) -> None:
    table = lay(6, others=True)
    table.sit("Anna")
    table.say("/newgame")
    lobby = table.group.locator(".message", has_text="who is in").last
    for name in ("Anna", "Ben", "Clara", "David", "Emma", "Felix"):
        expect(lobby).to_contain_text(name, timeout=20_000)
    table.button("Leave").click()
    expect(lobby).not_to_contain_text("Anna")
    host = re.search(r"#1\s(\w+)", lobby.inner_text())
    assert host is not None
    table.sit(host[1])
    expect(table.private).to_have_attribute("aria-label", re.compile(host[1]))
    table.button("Start").click()
    expect(table.group).to_contain_text("nominates a Chancellor", timeout=20_000)
    table.sit("Anna")
    until(table, enacted(0))
    table.say("/guess")
    expect(table.prompt).to_contain_text("Guess who is who")
    pick(table, 0)
    early = table.page.get_by_role("dialog")
    expect(early).to_contain_text("once the first policy is enacted")
    early.get_by_role("button", name="OK").click()
    table.session(lambda session: setattr(session.auto_players, "pace", "quick"))
    until(table, enacted(1))
    pick(table, 0)
    expect(table.toast).to_contain_text("#1")
    pick(table, 1)
    expect(table.private.locator(".message").last).to_contain_text("After policy 1")
    shoot(table, "guess")
    table.session(lambda session: setattr(session.auto_players, "pace", "quick"))
    expect(table.group).to_contain_text("Who was who", timeout=WHOLE_GAME)
    expect(table.private.locator(".message").last).to_contain_text("You guessed", timeout=20_000)
    expect(table.group).to_contain_text("Best guess")
    shoot(table, "guess-result")
    table.say("/stats")
    expect(table.group.locator(".message").last).to_contain_text("provisional", timeout=20_000)
    shoot(table, "season")
    table.sit(host[1])
    write(table, "/stats")
    expect(table.private.locator(".message").last).to_contain_text("By side", timeout=20_000)
    shoot(table, "own-record")
    assert table.session(lambda session: session.telegram.violations) == []
