"""Whatever people and groups are called, they are called so, and nothing else changes."""

import random
from collections.abc import Callable

import pytest

from tests.system.table import Table

NAMES = {
    "html": "<b>Bold</b> & <a href='x'>link</a> &lt;",
    "right to left": "شیرین",
    "bidi override": "‮evil‬",
    "64 emoji": "👨‍👩‍👧‍👦" * 9 + "🦄",
    "empty": "",
    "blank": "\u3164",
    "braces": "{seat} {0} %s",
    "lines": "two\nlines",
    "markdown": "*_`[x](y)`_*",
    "long": "x" * 64,
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_round_with_any_name_is_told_with_that_name(table: Table, name: str) -> None:
    table.person("Anna")
    odd = table.person(name)
    table.open(5, deck="lff")
    table.choose()
    shown = f"⁨{name}⁩" if name.strip("\u3164") else f"⁨👤 {odd.id % 1000}⁩"
    assert f"nominates {shown} as Chancellor" in table.group_text()
    assert "⁨Anna⁩" in table.group_text(), "the others are still called what they are called"
    table.vote("jjjjj").discard("f").enact("f")
    for command in ("/players", "/status", "/board"):
        table.say(odd, command)
    assert table.tg.private_view(odd)


@pytest.mark.parametrize("title", NAMES.values(), ids=NAMES)
def test_prompts_name_a_group_of_any_title(another: Callable[..., Table], title: str) -> None:
    table = another(title=title)
    table.open(5)
    assert (title or "…") in table.asked().prompt().text


def test_last_names_are_said_too(table: Table) -> None:
    table.person("Anna", last_name="von <Papen>")
    table.open(5)
    assert "⁨Anna von <Papen>⁩ nominates a Chancellor" in table.group_text()


def test_sixteen_names_of_the_longest_kind_still_fit_into_every_message(table: Table) -> None:
    for number in range(16):
        table.person(f"{number}" + "🦄" * 62, last_name="&" * 64)
    table.open(16, ruleset="xl@1")
    rng = random.Random(1)
    for _ in range(12):
        table.step_on(rng)
    for command in ("/players", "/status", "/history"):
        table.say(table.people[0], command)
    table.finish()
    table.pass_time(60)
    for command in ("/players", "/history", "/stats"):
        table.say(table.people[0], command)
    refused = [call for call in table.tg.journal if not call.ok]
    assert refused == []


def test_a_name_changed_during_a_game_changes_nothing_in_it(table: Table) -> None:
    table.open(5)
    table.tg.rename(table.people[1], first_name="Somebody else")
    table.choose()
    assert "nominates ⁨Ben⁩" in table.group_text()
