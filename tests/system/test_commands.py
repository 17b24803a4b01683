"""Commands that anyone can give at any time, in the group and in private."""

from collections.abc import Callable

from handlers.service.lookups import ROOMS_PER_PERSON
from tests.system.table import Table


def test_board_and_players_show_the_table_as_everybody_knows_it(table: Table) -> None:
    table.open(5, roles="lfhll", deck="lff").govern(1, "l").say(table.people[4], "/board")
    assert "Liberal: 🔵▫️▫️▫️🏁 1/5" in table.group_text()
    lines = table.say(table.people[4], "/players").group_text().splitlines()
    names = [f"⁨{name}" for name in ("#1 Anna", "#2 Ben", "#3 Clara", "#4 David", "#5 Emma")]
    assert [line.partition("⁩")[0] for line in lines] == names
    assert "🎩" in lines[1]
    assert "🚫 term limits" in lines[1], "with five alive, the last Chancellor alone is barred"
    assert "🚫" not in lines[0] + lines[2]
    assert "Fascist" not in table.group_text()
    assert "Hitler" not in table.group_text()


def test_private_commands_look_where_one_sat_down_last(table: Table, another: Callable[..., Table]) -> None:
    anna = table.person("Anna")
    groups = [another(title=f"Group {number}") for number in range(ROOMS_PER_PERSON + 3)]
    for group in groups:
        group.tg.join(anna, group.group)
        group.say(anna, "/newgame").press(anna, "join")
    table.seat(0).say("/games")
    listed = table.seat(0).text().splitlines()
    numbers = [str(number) for number in reversed(range(3, ROOMS_PER_PERSON + 3))]
    assert [line.split("Group ")[1].split("\u2069")[0] for line in listed] == numbers


def test_a_group_that_moved_is_listed_once(another: Callable[..., Table]) -> None:
    group = another(title="Small group", type="group").gather(2)
    group.migrate()
    group.say(group.people[1], "/leave").say(group.people[1], "/join").seat(1).say("/games")
    assert group.seat(1).text() == "✋ ⁨Small group⁩ (lobby)"
