"""axe-core checks the page for people who cannot see it or have no mouse."""

import random
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from .conftest import Lay
from .table import Table

pytestmark = pytest.mark.browser
#: Faults that keep people from something; lesser ones are advice.
GRAVE = ("serious", "critical")
NAMES = ("Anna", "Ben", "Clara", "David", "Emma")


class Inspector:
    """Collects the grave faults of what a page shows, moment by moment."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.faults: list[str] = []

    def look(self, moment: str) -> None:
        # Fading parts do not have their colours yet; and some things never stop moving.
        self.table.page.evaluate("document.getAnimations().forEach((one) => one.cancel())")
        found = Axe().run(self.table.page).response
        self.faults += [
            f"{moment}: {fault['id']} ({fault['help']}): {node['html'][:160]} {node['failureSummary'][:200]}"
            for fault in found["violations"]
            if fault["impact"] in GRAVE
            for node in fault["nodes"]
        ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_desks_page_is_accessible_to_the_end(lay: Lay, scheme: str) -> None:
    table, rng = lay(scheme=scheme), random.Random(5)
    inspector, page = Inspector(table), table.page
    inspector.look("the empty table")
    table.open_lobby()
    table.button("▶️ Start").click()
    expect(page.get_by_role("dialog")).to_contain_text("more players are needed")
    inspector.look("a refusal")
    page.keyboard.press("Escape")
    table.sit("Clara")
    table.button("Join").click()
    expect(table.private.get_by_role("button", name="Start", exact=True)).to_be_visible()
    inspector.look("a private chat that was never opened")
    table.private.get_by_role("button", name="Start", exact=True).click()
    for name in NAMES:
        if name != "Clara":
            table.join(name)
    table.sit("Anna")
    table.group.get_by_role("combobox").press_sequentially("/n")
    expect(page.get_by_role("option", name="/newgame")).to_be_visible()
    inspector.look("the commands")
    table.group.get_by_role("combobox").fill("")
    table.button("▶️ Start").click()
    expect(table.group).to_contain_text("nominates a Chancellor", timeout=20_000)
    table.button("🎭 My role").click()
    expect(page.get_by_role("dialog")).to_contain_text("Party: ")
    inspector.look("a game that has begun, with a role shown")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Underneath").click()
    inspector.look("what happens underneath")
    for tab in page.locator("#underneath").get_by_role("tab").all():
        tab.click()
        inspector.look(f"underneath, {tab.inner_text()}")
    page.get_by_role("button", name="Underneath").click()
    seen: set[str] = set()
    for _ in range(2_000):
        if table.ended():
            break
        if not (owing := table.owing()):
            page.wait_for_timeout(50)
            continue
        name = rng.choice(owing)
        table.sit(name)
        expect(table.private).to_have_attribute("aria-label", re.compile(name))
        kind = table.prompt.locator(".key").first.inner_text()
        if kind not in seen and len(seen) < 8:
            seen.add(kind)
            inspector.look(f"asked, with {kind}")
        table.answer(name, lambda labels: rng.randrange(len(labels)))
    assert table.ended()
    inspector.look("the end")
    assert inspector.faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_on_a_phone_keeps_anybody_out(lay: Lay, scheme: str) -> None:
    table = lay(phone=True, scheme=scheme)
    inspector, page = Inspector(table), table.page
    inspector.look("the empty table")
    table.open_lobby()
    inspector.look("the lobby")
    page.get_by_role("button", name="The table").tap()
    expect(page.get_by_role("switch", name="Play the others for me")).to_be_visible()
    inspector.look("the table's settings")
    page.keyboard.press("Escape")
    page.locator('.tabs [data-pane="private"]').tap()
    inspector.look("private")
    page.get_by_role("button", name="The table").tap()
    page.get_by_role("button", name="Underneath").tap()
    inspector.look("underneath")
    assert inspector.faults == []


def test_the_inspector_finds_a_fault(lay: Lay) -> None:
    inspector = Inspector(lay())
    inspector.table.page.evaluate("document.querySelector('#menu').removeAttribute('aria-label')")
    inspector.table.page.evaluate("document.querySelector('#menu').style.display = 'block'")
    inspector.look("a button without a name")
    assert "button-name" in " ".join(inspector.faults)
