"""Units and sizes as DynamoDB bills them, by the examples of its documentation and by arithmetic."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from local.dynamodb.table import Failed, LocalTable
from sandbox.bench.cost import Units, write_units
from sandbox.bench.measured_games import MeasuredHarness
from sandbox.item_size import item_size
from sandbox.telegram import VirtualClock


@pytest.mark.parametrize(("attribute", "size"), [
    ({"S": "über"}, 5),
    ({"N": "27"}, 2),
    ({"N": "-27"}, 3),
    ({"N": "1700000000"}, 2),  # zeros at the end take no space
    ({"N": "0.5"}, 2), ({"B": b"\0" * 100}, 100), ({"B": base64.b64encode(b"\0" * 100).decode()}, 100),
    ({"BOOL": True}, 1), ({"NULL": True}, 1), ({"M": {}}, 3),
    ({"M": {"ab": {"S": "c"}}}, 3 + 1 + 2 + 1),
    ({"L": [{"S": "c"}, {"S": "d"}]}, 3 + 2 * (1 + 1)),
], ids=repr)  # fmt: skip
def test_an_item_weighs_its_names_and_values(attribute: dict[str, Any], size: int) -> None:
    assert item_size({"name": attribute}) == 4 + size


def test_each_kilobyte_begun_is_a_unit_to_write() -> None:
    assert [write_units({"a": {"S": "x" * size}}) for size in (0, 1023, 1024, 2047, 2048)] == [1, 1, 2, 2, 3]


def item(key: str, size: int = 0, **more: dict[str, Any]) -> dict[str, Any]:
    return {"pk": {"S": key}, "sk": {"S": "x"}, "body": {"S": "x" * size}, **more}


@pytest.fixture
def harness() -> Any:
    """Return a harness on which nothing happens but the test's requests."""
    harness = MeasuredHarness(LocalTable(), VirtualClock(), 1)
    yield harness
    harness.close()


def test_reads_and_writes_are_counted_by_size(harness: MeasuredHarness) -> None:
    units = Units()
    units.watch(harness)
    run = harness.table.run
    run("put_item", {"Item": item("a", 2000)})
    assert (units.reads, units.writes, units.index_writes) == (0, 2, 0)
    run("get_item", {"Key": {"pk": {"S": "a"}, "sk": {"S": "x"}}})
    run("get_item", {"Key": {"pk": {"S": "nobody"}, "sk": {"S": "x"}}})
    assert units.reads == 2
    new = {
        "ConditionExpression": "attribute_not_exists(pk)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    with pytest.raises(Failed):
        run("put_item", {"Item": item("a"), **new})
    assert units.writes == 4


def test_a_changed_due_time_is_two_writes_of_the_index(harness: MeasuredHarness) -> None:
    units = Units()
    units.watch(harness)
    five, six = {"due": {"N": "5"}}, {"due": {"N": "6"}}
    for due, writes in ((five, 1), (five, 1), (six, 3), ({}, 4)):
        harness.table.run("put_item", {"Item": item("a", 0, **due)})
        assert units.index_writes == writes


def test_a_transaction_costs_twice(harness: MeasuredHarness) -> None:
    units = Units()
    units.watch(harness)
    actions = [{"Put": {"Item": item("a", 1500)}}, {"Put": {"Item": item("b")}}]
    harness.table.run("transact_write_items", {"TransactItems": actions})
    assert units.writes == 2 * (2 + 1)
    harness.table.run("put_item", {"Item": item("c")})
    assert units.writes == 7
