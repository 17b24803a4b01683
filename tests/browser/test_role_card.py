"""The role card on a small phone: no line wraps, and covered none tells by its width what it says."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from bot.display.words import languages
from bot.rooms.model import Room, Settings
from engine import Setup
from tests.bot.display.test_role_card import BUDGET, cards, match_of

from .conftest import Lay
from .shots import shoot
from .table import Table

pytestmark = pytest.mark.browser

#: By how much lines of a card may differ, here where Arabic letters and emoji are another font's. For Chinese
#: there may be none at all: of that only the lines are counted.
SPREAD = {"fa": 0.25, "zh_Hans": 1.0}
USUAL = 0.2
SETUPS = (Setup("red-dawn@1", 12, {"secret-roles": "on"}),)

#: Shows a card in the place of a message's text, and tells by line how wide it is, in pixels, and how wide it
#: could be. Two boxes on one line are one line.
MEASURE = """async ([selector, html, font]) => {
  const { fragment } = await import("/static/js/markup.js");
  const text = [...document.querySelectorAll(selector)].at(-1);
  text.style.fontFamily = font;
  text.replaceChildren(fragment(html, { open() {}, say() {}, copied() {} }));
  const rows = new Map();
  const range = document.createRange();
  range.selectNodeContents(text.querySelector(".spoiler"));
  for (const box of range.getClientRects()) {
    const row = [...rows.keys()].find((at) => Math.abs(at - box.bottom) < 8) ?? box.bottom;
    const [left, right] = rows.get(row) ?? [Infinity, -Infinity];
    rows.set(row, [Math.min(left, box.left), Math.max(right, box.right)]);
  }
  return [...rows.values()].map(([left, right]) => right - left);
}"""


def texts() -> Iterator[tuple[str, str]]:
    """Cards of every language and theme."""
    for language in languages():
        for theme in ("weimar", "cold-war"):
            room = Room(-1, title="The Reichstag", settings=Settings(language, theme))
            for number, setup in enumerate(SETUPS):
                for text in cards(room, match_of(setup, language, number)):
                    yield f"{language} {theme} {setup.ruleset}", text


def small(lay: Lay) -> Table:
    """A phone of 360 px with a game that was just dealt."""
    table = lay(phone=True)
    table.page.set_viewport_size({"width": 360, "height": 800})
    return table


def test_no_line_of_a_card_wraps_on_a_phone_and_all_are_about_as_wide(lay: Lay) -> None:
    table = small(lay)
    table.open_lobby()
    for what, text in texts():
        seen = table.page.evaluate(MEASURE, ["#group .message .text", text, "Liberation Sans, Arial"])
        assert len(seen) == text.count("\n"), (what, text)
        assert 1 - min(seen) / max(seen) < SPREAD.get(what.split()[0], USUAL), (what, text, seen)


def test_the_widest_line_of_all_is_narrower_than_the_bubble(lay: Lay) -> None:
    table = small(lay)
    table.open_lobby()
    wide = "<b>x</b>\n<tg-spoiler>" + "x" * 400 + "</tg-spoiler>"
    room = max(table.page.evaluate(MEASURE, ["#group .message .text", wide, "Liberation Sans, Arial"]))
    assert room / 15 > BUDGET / 100, room


def test_the_covered_card_on_a_phone(lay: Lay) -> None:
    table = small(lay)
    page = table.page
    table.open_lobby()
    _, text = next(texts())
    page.evaluate(MEASURE, ["#group .message .text", text, "Liberation Sans, Arial"])
    spoiler = table.group.locator(".spoiler")
    expect(spoiler).to_have_class("spoiler covered")
    shoot(table, "role-card-covered")
    spoiler.click()
    expect(spoiler).to_have_class("spoiler")
    shoot(table, "role-card-open")
