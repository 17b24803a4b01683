"""Pairs of games with the same people and other roles: only private secrets differ."""

import random
from itertools import product

import pytest

from engine import Chance
from sandbox.harness import harness_in_memory
from tests.system.table import Table, answered

FOUND = "🔎 The party membership of"
WORLDS = [
    ("classic@1", ("liberal liberal liberal liberal fascist fascist hitler",
                   "hitler fascist liberal liberal liberal fascist liberal"), {}),
    ("red-dawn@1", ("liberal liberal liberal:monarchist fascist hitler communist",
                    "hitler communist:monarchist fascist liberal liberal liberal"),
     {"secret-roles": "on"}),
]  # fmt: skip


def offers(ruleset: str, roles: str, theme: str, options: dict[str, str]) -> list[tuple[str, object]]:
    with harness_in_memory() as harness:
        table = Table(harness)
        table.say(table.owner, "/settings")
        if theme == "cold-war":
            table.forge(table.owner, f"set|{table.name.short}|2|2")
        cards = roles.split()
        parts = [card.partition(":") for card in cards]
        secrets = {f"secret/{role}": (party,) for party, _, role in parts if role}
        chance = Chance("00", {**secrets, "roles": tuple(cards)})
        table.open(len(cards), ruleset=ruleset, options=options, chance=chance)
        assert table.room().settings.theme == theme
        first = [table.seat(seat).views()[0] for seat in range(len(cards))]
        return [(view.text, view.labels()) for view in first]


@pytest.mark.parametrize(("world", "theme"), list(product(WORLDS, ["weimar", "cold-war"])))
def test_other_roles_send_the_same(world: tuple[str, tuple[str, str], dict[str, str]], theme: str) -> None:
    ruleset, deals, options = world
    left, right = (offers(ruleset, roles, theme, options) for roles in deals)
    assert left == right
    assert len({text for text, _ in left}) == 1, "in one game every seat reads the same"


@pytest.mark.parametrize("where", ["group", "private"])
def test_a_tap_shows_the_role_in_a_pop_up_alone(table: Table, where: str) -> None:
    table.open(7, roles="lllffhl")
    posts = len(table.group_views())
    for seat, role in enumerate("lllffhl"):
        user = table.people[seat]
        if where == "group":
            shown = answered(table.press(user, "role"))
        else:
            lying = len(table.seat(seat).views())
            shown = answered(table.seat(seat).press("role"))
            assert len(table.seat(seat).views()) == lying
        assert {"l": "🎭 Liberal", "f": "🎭 Fascist", "h": "🎭 Hitler"}[role] in shown
        assert table.tg.toasts(user)[-1].alert
        assert ("Hitler: " in shown) == (role == "f")
    assert len(table.group_views()) == posts


def test_role_tells_what_a_seat_learned_since_below_its_card(table: Table) -> None:
    table.open(9)
    rng = random.Random(3)
    while not (wise := [seat for seat in range(9) if FOUND in "".join(table.seat(seat).texts())]):
        table.step_on(rng)
    for seat in range(9):
        table.seat(seat).say("/role")
        told = table.seat(seat).text()
        assert "🎭 Your role" in told
        assert (FOUND in told) == (seat in wise)


def test_after_the_end_the_pop_up_shows_what_the_seat_knew(table: Table) -> None:
    table.open(7, roles="lllffhl")
    before = answered(table.press(table.people[0], "role"))
    message, data = table.button("role")
    table.hurry()
    assert table.forge(table.people[0], data, message) == before
    note = f"note|{table.name.short}|{table.match().number}|0|1"
    assert table.forge(table.people[0], note) == "That game is over."
