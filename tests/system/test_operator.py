"""An operator's orders to a running bot: no new games, and bans."""

import pytest

from infra.store.orders import REMEMBERED_SECONDS, Orders
from sandbox.telegram import VirtualClock
from tests.system.table import Table


@pytest.fixture
def orders(table: Table) -> Orders:
    return table.harness.built.app.admission.orders or pytest.fail("the bot knows no orders")


def later(table: Table) -> None:
    clock = table.harness.clock
    assert isinstance(clock, VirtualClock)
    clock.advance(REMEMBERED_SECONDS)


def test_no_lobby_opens_while_the_operator_pauses_new_games(table: Table, orders: Orders) -> None:
    orders.pause(True)
    later(table)
    anna = table.person("Anna")
    table.say(anna, "/newgame")
    assert "no new games" in table.group_text()
    orders.pause(False)
    later(table)
    table.say(anna, "/newgame")
    assert "who is in?" in table.group_text()


def test_a_banned_groups_game_is_played_to_its_end(table: Table, orders: Orders) -> None:
    table.open(5)
    orders.ban(table.group.id)
    later(table)
    before = table.group_texts()
    table.say(table.people[0], "/status")
    assert table.group_texts() == before
    table.elect(1).hurry()
    assert table.button("rematch")
    table.press(table.people[0], "rematch")
    assert table.room().lobby is None


def test_a_banned_person_cannot_join_but_can_be_forgotten(table: Table, orders: Orders) -> None:
    anna, ben = table.person("Anna"), table.person("Ben")
    orders.ban(ben.id)
    later(table)
    table.say(ben, "/newgame")
    assert table.group_texts() == []
    table.say(anna, "/newgame").press(ben, "join")
    assert table.players() == ["Anna"], "who opened it, and nobody else"
    table.tg.send(ben, table.tg.private(ben), "/stats")
    table.harness.settle()
    assert table.tg.private_view(ben)[-1].mine is False
    table.tg.send(ben, table.tg.private(ben), "/forget")
    table.harness.settle()
    assert table.tg.private_view(ben)[-1].mine


def test_a_bot_far_behind_opens_no_lobby(table: Table) -> None:
    pace = table.harness.built.app.room_service.lookups.pace
    pace.take(60 * 27)
    table.say(table.person("Anna"), "/newgame")
    table.harness.clock.advance(70)  # type: ignore[attr-defined]
    table.harness.settle()
    assert "messages come late" in table.group_text()
    assert table.room().lobby is None
    table.gather(5)
    pace.take(15 * 27)
    table.press(table.people[0], "start")
    sealed = table.room().sealed
    assert sealed is not None
    assert sealed.at >= table.harness.clock() + 7 + 14 - 3
