"""Pairs of games of the same people with other roles: nobody who sees a covered card can tell which it is."""

import random
from itertools import product

import pytest

from bot.display.role_card import LINE
from bot.display.widths import width
from engine import Chance
from handlers.service.asides import APART
from sandbox.desk import desk_in_memory
from sandbox.telegram import MessageView
from tests.system.table import Table
from tests.system.test_asides import asides

Shape = tuple[str, tuple[bool, ...]]


def shape(view: MessageView) -> Shape:
    """What is seen of a message under its spoiler: the text outside it, and the lines in it in order, each by
    whether it is as wide as any other, but for a dot."""
    (spoiler,) = [entity for entity in view.source.entities if entity["type"] == "spoiler"]
    units = view.text.encode("utf-16-le")
    first, last = 2 * spoiler["offset"], 2 * (spoiler["offset"] + spoiler["length"])
    outside = (units[:first] + units[last:]).decode("utf-16-le")
    covered = units[first:last].decode("utf-16-le").split("\n")
    return outside, tuple(LINE - width(".") < width(line) <= LINE for line in covered)


def shapes(ruleset: str, roles: str, theme: str, options: dict[str, str]) -> list[Shape]:
    """By seat, the shapes of its cards: as it was dealt, asked for in private, and in the group."""
    with desk_in_memory() as desk:
        table = Table(desk)
        table.say(table.owner, "/settings")
        if theme == "cold-war":
            table.forge(table.owner, f"set|{table.name.short}|2|2")
        cards = roles.split()
        secrets = {
            f"secret/{role}": (party,) for party, _, role in (card.partition(":") for card in cards) if role
        }
        chance = Chance("00", {**secrets, "roles": tuple(cards)})
        table.open(len(cards), ruleset=ruleset, options=options, chance=chance)
        assert table.room().settings.theme == theme
        table.pass_time(60)
        seen: list[Shape] = []
        for number, user in enumerate(table.people):
            seat = table.seat(number)
            (dealt,) = [view for view in seat.views() if "🎭" in view.text]
            seat.say("/role")
            table.pass_time(APART)
            table.press(user, "role")
            (aside,) = asides(table, user)
            seen += [shape(dealt), shape(seat.views()[-1]), shape(aside)]
        return seen


FOUND = "🔎 The party membership of"
WORLDS = [
    ("classic@1", ("liberal liberal liberal liberal fascist fascist hitler",
                   "hitler fascist liberal liberal liberal fascist liberal"), {}),
    ("red-dawn@1", ("liberal liberal liberal:monarchist fascist hitler communist",
                    "hitler communist:monarchist fascist liberal liberal liberal"),
     {"secret-roles": "on"}),
]  # fmt: skip


@pytest.mark.parametrize(("world", "theme"), list(product(WORLDS, ["weimar", "cold-war"])))
def test_two_worlds_with_other_roles_show_the_same_covered_cards(
    world: tuple[str, tuple[str, str], dict[str, str]], theme: str
) -> None:
    ruleset, deals, options = world
    left, right = (shapes(ruleset, roles, theme, options) for roles in deals)
    assert left == right
    for where in range(3):
        assert len(set(left[where::3])) == 1, "in one game no seat's card looks otherwise than another's"
    assert len({covered for _, covered in left}) == 1, "nor in the group, where the numbers stand already"


def test_what_a_seat_learned_since_stands_below_its_card_and_not_in_it(table: Table) -> None:
    table.open(9)
    cards, rng = [table.seat(seat).texts()[0] for seat in range(9)], random.Random(3)
    while not (wise := [seat for seat in range(9) if FOUND in "".join(table.seat(seat).texts())]):
        table.step_on(rng)
    for seat, card in enumerate(cards):
        table.seat(seat).say("/role")
        told = table.seat(seat).text()
        assert told.startswith(card)
        assert (FOUND in told) == (seat in wise)
