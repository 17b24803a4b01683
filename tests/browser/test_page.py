"""The page in a browser: a whole game by clicks, the keyboard alone, and a phone."""

import random
import re

import pytest
from playwright.sync_api import expect

from .conftest import Lay
from .table import Table

pytestmark = pytest.mark.browser
NAMES = ["Anna", "Ben", "Clara", "David", "Emma"]


def seated(table: Table) -> None:
    table.open_lobby()
    for name in NAMES:
        table.join(name)
    table.sit("Anna")


def test_a_whole_classic_game_is_played_by_clicks(lay: Lay) -> None:
    table, rng = lay(), random.Random(5)
    seated(table)
    table.button("▶️ Start").click()
    expect(table.group).to_contain_text("nominates a Chancellor", timeout=20_000)
    asked: set[str] = set()
    for _ in range(2_000):
        if table.ended():
            break
        if not (owing := table.owing()):
            table.page.wait_for_timeout(50)
            continue
        name = rng.choice(owing)
        table.sit(name)
        asked |= {kind for kind in KINDS if KINDS[kind] in table.prompt.inner_text()}
        table.answer(name, lambda labels: rng.randrange(len(labels)))
    assert table.ended()
    assert asked >= {"nomination", "ballot"}
    assert table.session(lambda session: session.telegram.violations) == []
    text = table.group.inner_text()
    assert all(name in text.rpartition("Who was who")[2] for name in NAMES)


KINDS = {
    "nomination": "Pick a Chancellor.", "ballot": "how do you vote?", "draw": "do you discard?",
    "hand": "do you enact?", "power": "🔎",
}  # fmt: skip


def test_a_role_shown_in_the_group_is_a_pop_up(lay: Lay) -> None:
    table = lay()
    seated(table)
    table.button("▶️ Start").click()
    expect(table.group).to_contain_text("nominates a Chancellor", timeout=20_000)
    table.button("🎭 My role").click()
    expect(table.page.get_by_role("dialog")).to_contain_text("Party: ")


def test_a_newcomer_is_led_to_the_private_chat(lay: Lay) -> None:
    table = lay()
    table.open_lobby()
    table.sit("Clara")
    table.button("Join").click()
    start = table.private.get_by_role("button", name="Start", exact=True)
    expect(start).to_be_focused()
    expect(table.group.locator(".message", has_text="who is in")).not_to_contain_text("Clara")
    start.press("Enter")
    expect(table.group.locator(".message", has_text="who is in")).to_contain_text("Clara")
    expect(table.private).to_contain_text("You have a seat in")
    expect(table.private.get_by_role("combobox")).to_be_focused()


def test_commands_are_completed_and_sent_by_the_keyboard_alone(lay: Lay) -> None:
    table = lay()
    page = table.page
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "group-say":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.type("/new")
    expect(page.get_by_role("option", name="/newgame")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(table.button("Join")).to_be_visible()
    for _ in range(20):
        page.keyboard.press("Shift+Tab")
        if "Start" in page.evaluate("document.activeElement.textContent"):
            break
    page.keyboard.press("Enter")
    alert = page.get_by_role("dialog")
    expect(alert).to_contain_text("4 more players are needed.")
    page.keyboard.press("Escape")
    expect(alert).to_be_hidden()
    assert "Start" in page.evaluate("document.activeElement.textContent")
    for _ in range(5):
        page.keyboard.press("Shift+Tab")
        if "Join" in page.evaluate("document.activeElement.textContent"):
            break
    page.keyboard.press("Space")
    expect(page.get_by_role("status")).to_have_text("You're in already.")
    expect(table.group.locator(".message", has_text="who is in")).to_contain_text("Anna")
    # The answer did not take the focus away.
    assert "Join" in page.evaluate("document.activeElement.textContent")


def test_seats_change_and_secrets_open_by_the_keyboard(lay: Lay) -> None:
    table = lay()
    seated(table)
    table.button("▶️ Start").click()
    expect(table.group).to_contain_text("nominates a Chancellor", timeout=20_000)
    table.seat("Anna").locator("input").focus()
    table.page.keyboard.press("ArrowRight")
    expect(table.private).to_have_attribute("aria-label", "The private chat of Ben")
    table.page.keyboard.press("Escape")
    box = table.private.get_by_role("combobox")
    box.fill("/role")
    box.press("Enter")
    # If Ben is asked, the advice under the question is covered, too.
    answer = table.private.locator(".message:has(.spoiler)").filter(has_not_text="🧭")
    covered = answer.locator(".spoiler.covered")
    expect(covered).to_be_visible()
    assert answer.get_by_role("button", name="Covered. Press to uncover.").count() == 1
    covered.focus()
    table.page.keyboard.press("Enter")
    expect(answer.locator(".spoiler.covered")).to_have_count(0)
    expect(answer.locator(".spoiler")).to_contain_text("Your role")


def test_what_happens_underneath_is_shown_with_the_stored_item(lay: Lay) -> None:
    table = lay()
    expect(table.page.locator("#underneath")).to_be_hidden()
    table.page.get_by_role("button", name="Underneath").click()
    table.open_lobby()
    turn = table.page.locator(".turn", has_text="Anna: /newgame")
    expect(turn).to_contain_text("sendMessage → The Reichstag")
    turn.locator("summary").first.click()
    expect(turn.locator(".tree")).to_contain_text("reply_markup")
    table.page.get_by_role("tab", name="What is stored").click()
    room = table.page.locator(".stored", has_text=re.compile("room#"))
    expect(room).to_contain_text("bytes")
    room.locator("summary").first.click()
    expect(room.locator(".tree")).to_contain_text("given_up")


def test_a_newcomer_plays_one_seat_the_others_are_played(lay: Lay) -> None:
    table, rng = lay(7, others=True), random.Random(3)
    expect(table.page.get_by_role("switch", name="Play the others for me")).to_be_checked()
    table.page.get_by_label("Pace").select_option("quick")
    table.open_lobby()
    table.join("Anna")
    for name in (*NAMES, "Felix", "Greta"):
        expect(table.group.locator(".message", has_text="who is in")).to_contain_text(name)
    table.button("▶️ Start").click()
    for _ in range(1_500):
        if table.ended():
            break
        if "Anna" in table.owing():
            table.answer("Anna", lambda labels: rng.randrange(len(labels)))
        table.page.wait_for_timeout(60)
    assert table.ended()


def test_a_table_can_be_laid_anew_with_more_people(lay: Lay) -> None:
    table = lay()
    table.open_lobby()
    table.page.get_by_label("Seats").select_option("9")
    table.page.get_by_role("button", name="New table").click()
    expect(table.page.locator(".person")).to_have_count(9)
    expect(table.group).to_contain_text("Nobody plays here yet")


def test_on_a_phone_one_chat_is_seen_at_a_time(lay: Lay) -> None:
    table = lay(phone=True)
    page = table.page
    expect(table.private).to_be_hidden()
    table.open_lobby()
    table.button("Join").tap()
    expect(table.toast).to_have_text("You're in already.")
    # Somebody else's seat: the same chat stays in sight.
    table.seat("Clara").tap()
    expect(table.private).to_be_hidden()
    expect(table.group).to_be_visible()
    table.button("Join").tap()
    expect(table.private.get_by_role("button", name="Start", exact=True)).to_be_visible()
    table.private.get_by_role("button", name="Start", exact=True).tap()
    expect(page.locator('.tabs [data-pane="group"] .count')).to_be_hidden()
    expect(table.private).to_contain_text("You have a seat in")
    page.get_by_role("button", name="The table").tap()
    expect(page.get_by_role("switch", name="Play the others for me")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".tabs")).not_to_contain_text("Underneath")
    for pane in ("Group", "Clara’s chat", "Underneath"):
        if pane == "Underneath":
            page.get_by_role("button", name="The table").tap()
        page.get_by_role("button", name=pane).last.tap()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    small = page.evaluate(
        "[...document.querySelectorAll('.key')].filter(k => k.offsetParent && k.offsetHeight < 40).length"
    )
    assert small == 0


@pytest.mark.parametrize("phone", [False, True])
def test_every_seat_of_sixteen_is_in_sight(lay: Lay, phone: bool) -> None:
    table = lay(16, phone=phone)
    for person in table.page.locator(".person").all():
        expect(person).to_be_in_viewport(ratio=1)


def test_the_newest_message_stays_in_sight(lay: Lay) -> None:
    table = lay()
    page, rows = table.page, table.group.locator(".messages")
    for number in range(1, 26):
        table.say(f"message {number}")
        expect(rows.locator(".message")).to_have_count(number)
    expect(rows.locator('[data-key="25"]')).to_be_in_viewport()
    page.set_viewport_size({"width": 1440, "height": 500})
    expect(rows.locator('[data-key="25"]')).to_be_in_viewport()
    rows.evaluate("list => { list.scrollTop = 0 }")
    end = table.group.get_by_role("button", name="To the newest message")
    expect(end).to_be_visible()
    table.say("message 26")
    expect(rows.locator('[data-key="26"]')).to_have_count(1)
    expect(rows.locator('[data-key="1"]')).to_be_in_viewport()
    end.click()
    expect(rows.locator('[data-key="26"]')).to_be_in_viewport()
    expect(end).to_be_hidden()


def test_names_and_texts_are_shown_and_never_taken_for_markup(lay: Lay) -> None:
    table = lay()
    table.session(lambda session: setattr(session.people[0], "first_name", "<b onclick=x>&amp;</b>"))
    table.say("<img src=x onerror=alert(1)> & /status")
    expect(table.group.locator(".text").first).to_contain_text("<img src=x onerror=alert(1)> & /status")
    expect(table.group.locator(".text img")).to_have_count(0)
    table.group.locator(".command", has_text="/status").click()
    expect(table.group.locator(".message.of-bot")).to_have_count(1)
