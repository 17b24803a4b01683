"""An operator's orders at run time."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from infra.store.orders import REMEMBERED_SECONDS, CurrentOrders, Orders
from infra.store.table import DynamoTable, StoreUnavailable
from tests.infra.conftest import Clock


@pytest.fixture
def orders(table: DynamoTable, clock: Clock) -> Orders:
    return Orders(table, clock)


def test_without_an_order_everybody_plays(orders: Orders) -> None:
    assert orders.current() == CurrentOrders()


def test_groups_and_people_are_banned_and_let_in_again(orders: Orders) -> None:
    orders.ban(-100)
    orders.ban(7)
    orders.pause(True)
    assert orders.current() == CurrentOrders(True, frozenset({-100, 7}))
    orders.unban(-100)
    orders.unban(12)
    orders.pause(False)
    assert orders.current() == CurrentOrders(False, frozenset({7}))


def test_a_process_hears_an_order_in_half_a_minute(orders: Orders, table: DynamoTable, clock: Clock) -> None:
    assert not orders.known().paused
    Orders(table, clock).pause(True)
    assert not orders.known().paused
    clock.now += REMEMBERED_SECONDS
    assert orders.known().paused


def test_where_the_store_does_not_answer_the_last_orders_hold(
    orders: Orders, table: DynamoTable, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders.ban(7)
    assert orders.known().banned == {7}
    monkeypatch.setattr(table, "call", Mock(side_effect=StoreUnavailable("get_item: ThrottlingException")))
    clock.now += REMEMBERED_SECONDS
    assert orders.known().banned == {7}
