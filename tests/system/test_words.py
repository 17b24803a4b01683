"""Digits, hours and defaults, checked where people read them."""

import re
from dataclasses import replace

import pytest

from bot.display.guide import rules_payload
from bot.display.pictures.svg import DIGITS
from bot.display.words import Words
from engine import Setup
from sandbox.telegram import Message
from tests.system.table import Seated, Table


def opened(table: Table) -> Table:
    """Open the group's rules in private, as the last person."""
    url = f"https://t.me/{table.tg.bot.username}?start={rules_payload(table.name)}"
    table.tg.open_link(table.people[-1], url)
    table.harness.settle()
    return table


def shown(table: Table) -> Message:
    return Seated(table, table.people[-1]).newest("own-rules")


def turned(table: Table, which: int, page: int) -> str:
    table.pass_time(15)
    data = f"own-rules|{table.name.short}|{which}|{page}|0"
    table.tap(table.people[-1], shown(table), data, forged=True)
    return shown(table).text


@pytest.mark.thorough
def test_a_persian_game_is_told_in_the_pictures_digits(table: Table) -> None:
    table.open(11, ruleset="xl@1", options={"emergency-powers": "more", "anti-policies": "on"})
    room = table.room()
    table.rewrite(replace(room, settings=replace(room.settings, language="fa", clock="relaxed")))
    before = len(table.group_views())
    opened(table)
    for page in range(10):
        turned(table, 0, page)
    table.say(table.people[0], "/players").finish()
    told = [view.html for view in table.group_views()[before:]]
    assert [digit for text in told for digit in re.findall(r"\d", text) if digit not in DIGITS] == []
    assert any("11" in text for text in told)


@pytest.mark.parametrize(
    ("language", "clock"),
    [("fa", "6:05 UTC"), ("id", "06.05 UTC"), ("es", "6:05 UTC"), ("de", "06:05 UTC"), ("en", "06:05 UTC")],
)
def test_an_hour_is_written_as_in_the_language(language: str, clock: str) -> None:
    assert Words(language).clock(6 * 3600 + 5 * 60) == clock


def test_in_the_cold_war_defcon_counts_down_to_one(table: Table) -> None:
    room = table.open(5).nominate(1).room()
    table.rewrite(replace(room, settings=replace(room.settings, theme="cold-war")))
    table.vote("nnnnn")
    assert any("DEFCON 3; nuclear war at 1." in text for text in table.group_texts()[-3:])
    table.pass_time(60)
    table.say(table.people[0], "/board")
    assert "DEFCON 3" in table.group_text()
    opened(table)
    assert "DEFCON starts at 4" in turned(table, 0, 2)


def test_red_dawn_opens_with_the_balanced_deck_and_says_why(table: Table) -> None:
    table.gather(6).play_by(Setup("red-dawn@1", 6))
    table.pass_time(60)
    table.say(table.people[0], "/newgame")
    assert "Deck: balanced" in table.lobby_text()
    assert "hardly ever lose" not in table.lobby_text()
    message, data = table.button("setup")
    told = []
    for label in ("Deck: balanced", "○ as printed", None):
        table.pass_time(60)
        table.tap(table.people[0], message, data)
        told.append(table.lobby_text())
        data = next((b["callback_data"] for b in message.buttons() if b["text"].startswith(label or "?")), "")
    assert ["then the Liberals hardly ever lose" in text for text in told] == [False, True, False]
    assert "Deck: as printed" in table.lobby_text()
