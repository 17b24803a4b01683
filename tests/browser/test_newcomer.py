"""A newcomer who opens the page finds a seat, computers, and a whole game."""

import random
import re

import pytest
from playwright.sync_api import expect

from .conftest import Lay
from .table import PATIENCE, Table

pytestmark = pytest.mark.browser
#: Milliseconds in which unhurried computers reach a person's turn.
UNHURRIED = 4 * PATIENCE
TURN = re.compile("It is your turn|Your role has come")
SIT = "Take your seat and play"


def hurry(table: Table) -> None:
    """Let computers act at once: a test has seen them take their time."""
    table.session(lambda session: setattr(session.auto_players, "pace", "at once"))


def play(table: Table, rng: random.Random, *, turns: int = 1_000) -> None:
    """Do what the line says until the game is over, for this many turns at most."""
    over = table.guide.filter(has_text="The game is over")
    yours = table.guide.filter(has_text=TURN)
    for _ in range(turns):
        expect(yours.or_(over)).to_be_visible(timeout=UNHURRIED)
        if over.count():
            return
        if table.guide.get_by_role("button", name="Go there").count():
            table.guide.get_by_role("button", name="Go there").click()
        if "Your role has come" in table.guide.inner_text():
            assert "Party: " in table.look_at_role()
        keys = table.prompt.locator(".key")
        if "The game is over" not in table.guide.inner_text():
            table.press(keys.nth(rng.randrange(keys.count())))
        table.settle()


def test_one_click_starts_a_newcomers_game(lay: Lay) -> None:
    table, rng = lay(7, computers=True), random.Random(11)
    lobby = table.group.locator(".message", has_text="who is in")
    for number in range(2, 8):
        expect(lobby).to_contain_text(re.compile(rf"{number}\s🤖"))
    expect(table.page.locator(".person")).to_have_count(1)
    table.guide.get_by_role("button", name=SIT).click()
    expect(table.guide).to_contain_text("The deal is sealed")
    expect(table.guide.locator(".passing")).to_be_visible()
    expect(table.guide).to_contain_text(TURN, timeout=UNHURRIED)
    hurry(table)
    play(table, rng)
    assert table.ended()
    expect(table.group).to_contain_text("Who was who")
    expect(table.private).to_contain_text("Your role")
    assert table.session(lambda session: session.telegram.violations) == []
    table.guide.get_by_role("button", name="Play again").click()
    expect(table.group.locator(".message", has_text="begins.")).to_have_count(2, timeout=UNHURRIED)
    play(table, rng, turns=1)


def test_governments_are_reminded_that_they_may_claim(lay: Lay) -> None:
    table = lay(7, computers=True)
    table.session(lambda session: setattr(session.auto_players, "pace", "quick"))
    table.guide.get_by_role("button", name=SIT).click()
    governs = re.compile("do you discard|do you enact")
    for _ in range(100):
        again = table.guide.get_by_role("button", name="Play again")
        expect(table.guide.filter(has_text=TURN).or_(again).first).to_be_visible(timeout=UNHURRIED)
        if again.count():
            again.click()
            # Until the next game starts the button stays, busy: a second click would wait for it in vain.
            expect(again).to_have_count(0)
            continue
        if table.prompt.filter(has_text=governs).count():
            break
        table.press(table.prompt.locator(".key").first)
    table.session(lambda session: setattr(session.auto_players, "pace", "paused"))
    table.prompt.locator(".key").first.click()
    expect(table.guide).to_contain_text("You may tell the table what you saw")
    table.private.locator(".key", has_text="✅").last.click()
    expect(table.guide).to_contain_text("The computers play")


def test_on_a_phone_the_line_leads_to_the_question_and_back(lay: Lay) -> None:
    table = lay(7, computers=True, phone=True)
    table.guide.get_by_role("button", name=SIT).tap()
    expect(table.guide).to_contain_text("Your role has come in the private chat", timeout=UNHURRIED)
    table.guide.get_by_role("button", name="Go there").tap()
    expect(table.guide).to_contain_text("Your role has come here")
    table.look_at_role()
    expect(table.guide).to_contain_text("It is your turn: the bot asks you here")
    expect(table.guide.get_by_role("button")).to_have_count(0)
    table.prompt.locator(".key").first.tap()
    watch = table.guide.get_by_role("button", name="Watch").or_(table.guide.filter(has_text=TURN))
    expect(watch.first).to_be_visible()
    assert table.page.evaluate("document.documentElement.scrollWidth") == 390


def test_moving_everybody_by_hand_can_be_chosen(lay: Lay) -> None:
    table = lay(7, computers=True)
    table.guide.get_by_role("button", name="Or move 7 people by hand").click()
    expect(table.page.locator(".person")).to_have_count(7)
    expect(table.page.locator(".person.plays-itself")).to_have_count(0)
    expect(table.guide).to_be_empty()
    expect(table.page.get_by_label("With")).to_have_value("people")
    table.group.get_by_role("button", name="Rather play against computers").click()
    expect(table.page.locator(".person")).to_have_count(1)
    expect(table.guide.get_by_role("button", name=SIT)).to_be_visible()
    table.page.get_by_label("Seats").select_option("9")
    table.page.get_by_role("button", name="New table").click()
    expect(table.guide).to_contain_text("Eight computers")


def test_the_wait_for_the_deal_is_shown(lay: Lay) -> None:
    table = lay(5)
    table.session(lambda session: setattr(session.auto_players, "pace", "slow"))
    table.open_lobby()
    for name in ("Ben", "Clara", "David", "Emma"):
        table.join(name)
    table.sit("Anna")
    table.button("▶️ Start").click()
    expect(table.guide).to_contain_text("The deal is sealed")
    expect(table.group).to_contain_text("nominates a Chancellor", timeout=UNHURRIED)
    expect(table.guide).to_be_empty()
