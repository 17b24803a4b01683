"""The table of the bot's rights in docs/operating.md, and what each right allows."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.system.table import Table, answered
from tests.system.test_seats import set_to

DOCS = Path(__file__).parents[2] / "docs" / "operating.md"


def rows() -> list[list[str]]:
    """Return the table's rows: the bot's status, and its rights."""
    _, _, section = DOCS.read_text().partition("## What the bot needs in a group")
    lines = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def stand(table: Table, standing: str) -> None:
    group, bot = table.group, table.tg.bot
    match standing:
        case "a member who may not send photos":
            table.tg.set_permissions(group, can_send_photos=False)
        case "a member who may not write":
            table.tg.set_permissions(group, can_send_messages=False, can_send_photos=False)
        case "an admin without rights":
            table.tg.promote(bot, group)
            table.tg.set_bot_rights(group, can_manage_chat=True)
        case "an admin who may delete messages":
            table.tg.set_bot_rights(group, can_delete_messages=True)
        case _:
            assert standing == "a member"
    table.harness.settle()


def plays(table: Table, standing: str) -> bool:
    """Return True if a nomination is told in the group."""
    table.open(5)
    stand(table, standing)
    table.nominate(1)
    return not table.room().bot_removed


def pictures(table: Table, standing: str) -> bool:
    """Return True if a policy is shown in a picture."""
    table.open(5, deck="lff").elect(1).discard("f")
    stand(table, standing)
    table.enact("f")
    return table.group_views()[-1].photo is not None


def deletes(table: Table, standing: str) -> bool:
    """Return True if the President's message in the session is deleted."""
    set_to(table, "silence", "on").open(5).elect(1)
    stand(table, standing)
    message = table.tg.send(table.people[0], table.group, "/status three Fascists")
    table.harness.settle()
    return message.deleted


def hears(table: Table, standing: str) -> bool:
    """Return True if a ban in a large group opens the seat."""
    table.open(5)
    stand(table, standing)
    table.tg.set_status(table.people[4], table.group, "kicked")
    table.harness.settle()
    return table.match().away == (4,)


def knows(table: Table, standing: str) -> bool:
    """Return True if the owner can change a setting of a group with hidden members."""
    table.gather(1).say(table.owner, "/settings")
    stand(table, standing)
    table.group.hidden = True
    toast = answered(table.press(table.owner, "set"))
    return "admins are" not in toast and "may not write" not in toast


TRIED: tuple[Callable[[Table, str], bool], ...] = (plays, pictures, deletes, hears, knows)


@pytest.mark.parametrize("row", rows()[2:], ids=lambda row: row[0])
@pytest.mark.parametrize("column", range(len(TRIED)), ids=[tried.__name__ for tried in TRIED])
def test_the_bot_can_what_the_page_says(table: Table, row: list[str], column: int) -> None:
    assert TRIED[column](table, row[0]) is (row[column + 1] == "yes")
