"""Our table in memory does what DynamoDB does for all the bot's requests, compared with dynoxide."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from bot.rooms.names import ChatId, RoomName, from_key
from infra.store.archives import Archive, Archives, Document
from infra.store.items import Change, Lease, OutboxEntry, Picture, RoomItem
from infra.store.people import Users
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable
from local.dynamodb import Client, LocalTable
from local.dynamodb.expressions import condition, update
from local.dynamodb.values import Invalid
from sandbox.dynoxide import create_table
from tests.installed import dynoxide_running

NOW = 1_800_000_000.0
NAME = "both"


@pytest.fixture(scope="module")
def server() -> Iterator[dict[str, Any]]:
    with dynoxide_running() as server:
        yield server


class Both:
    """A client that asks both and insists that they say the same."""

    def __init__(self, ours: Any, theirs: Any, name: str) -> None:
        self.ours, self.theirs, self.name = ours, theirs, name
        self.asked: list[str] = []

    def __getattr__(self, operation: str) -> Any:
        def call(**arguments: Any) -> dict[str, Any]:
            self.asked.append(operation)
            if operation == "transact_write_items":
                for action in arguments["TransactItems"]:
                    for body in action.values():
                        body["TableName"] = self.name
                theirs = _outcome(self.theirs, operation, arguments)
            else:
                theirs = _outcome(self.theirs, operation, {**arguments, "TableName": self.name})
            ours = _outcome(self.ours, operation, arguments)
            assert ours[0] == theirs[0], (operation, arguments)
            if isinstance(ours[1], ClientError):
                raise ours[1]
            return ours[1]

        return call


def _outcome(client: Any, operation: str, arguments: dict[str, Any]) -> tuple[Any, Any]:
    """(what can be compared, what came)."""
    try:
        answer = getattr(client, operation)(**arguments)
    except ClientError as error:
        said: dict[str, Any] = dict(error.response)
        reasons = [(r.get("Code"), _plain(r.get("Item"))) for r in said.get("CancellationReasons", [])]
        return (said["Error"]["Code"], _plain(said.get("Item")), reasons), error
    kept = {name: answer[name] for name in ("Item", "Items", "Attributes") if answer.get(name)}
    return _plain(kept), answer


def _plain(value: Any) -> Any:
    """Return a value without irrelevant differences: the order of sets, kinds of bytes, forms of numbers."""
    if isinstance(value, dict):
        if set(value) == {"SS"}:
            return {"SS": sorted(value["SS"])}
        if set(value) == {"N"}:
            return {"N": float(value["N"])}
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


@pytest.fixture
def both(server: dict[str, Any]) -> Iterator[Both]:
    theirs = boto3.client("dynamodb", **server)
    name = f"{NAME}-{uuid.uuid4()}"
    create_table(theirs, name)
    yield Both(Client(LocalTable()), theirs, name)
    theirs.close()


def _change(rng: random.Random) -> Change:
    some = range(rng.randrange(3))
    entries = [OutboxEntry(rng.randrange(3), "sendMessage", {"text": str(rng.random())}) for _ in some]
    return Change(
        body=rng.choice([None, rng.randbytes(20)]),
        schema=1,
        update_id=rng.choice([None, rng.randrange(10**9)]),
        entries=entries,
        remembered={
            "message_ids": {f"seat{seat}/a.b": rng.choice([None, 5]) for seat in rng.sample(range(3), k=2)},
            "pictures": rng.choice([{}, {"a.b": None}, {"a.b": Picture(name=None, id="x")}]),
        },
        lease=rng.choice([None, Lease(rng.choice("ab"), NOW + rng.randrange(-50, 50))]),
        # Never two of the same time: nobody promises their order in the index.
        due=rng.choice([None, NOW + rng.randrange(-100_000, 100_000) / 1000]),
    )


def _step(
    rng: random.Random, rooms: Rooms, table: DynamoTable, seen: dict[str, RoomItem], clock: Any
) -> None:
    key = f"room#{rng.choice([-1, -2, -3])}"
    item = seen.get(key)
    act = rng.randrange(9)
    result: Any = None
    if act == 0 or item is None:
        result = rooms.create(key, _change(rng))
    elif act in (1, 2, 3):
        result = rooms.save(item, _change(rng))
    elif act == 4:
        ids = {f"seat{rng.randrange(3)}/a.b": rng.choice([None, rng.randrange(99)])}
        due = rng.choice([None, NOW + rng.random()])
        done = rng.sample(sorted(item.outbox), k=len(item.outbox) // 2)
        result = rooms.finish_sending(key, rng.choice("ab"), done, {"message_ids": ids}, due)
    elif act == 5:
        result = rooms.take_lease(key, Lease(rng.choice("ab"), NOW + rng.randrange(-50, 50)))
    elif act == 6:
        rooms.wake_by(key, NOW + rng.randrange(-100_000, 100_000) / 1000)
    elif act == 7:
        list(rooms.due(NOW + rng.randrange(-100, 100), rng.choice([1, 100])))
    elif rng.random() < 0.3 and item.moved_to is None:
        result = rooms.move(
            item,
            RoomName(to := ChatId(-rng.randrange(10, 14))).key,
            Change(),
            chats=(from_key(item.key).chat, to),
            owner=rng.choice("ab"),
        )
    else:
        result = rooms.load(key)
    fresh = result if isinstance(result, RoomItem) else getattr(result, "item", None)
    # Sometimes an earlier read is kept, so that writes meet conditions that do not hold.
    if fresh is not None and rng.random() < 0.8:
        seen[fresh.key] = fresh


@pytest.mark.parametrize("seed", range(6))
def test_rooms_fare_the_same_on_ours_and_on_dynoxide(both: Both, seed: int) -> None:
    table = DynamoTable(both, NAME)  # type: ignore[arg-type]
    rng = random.Random(seed)
    seen: dict[str, RoomItem] = {}
    rooms = Rooms(table, lambda: NOW)
    for _ in range(150):
        _step(rng, rooms, table, seen, lambda: NOW)
    assert {"get_item", "put_item", "update_item", "query", "transact_write_items"} <= set(both.asked)


def test_users_archives_and_documents_fare_the_same(both: Both) -> None:
    table = DynamoTable(both, NAME)  # type: ignore[arg-type]
    users, archives = Users(table), Archives(table)
    users.load(5)
    options = {"theme": {"a": [1]}}
    users.save(5, language="de", may_write=True, add_rooms=["room#-1", "room#-2"], options=options)
    users.save(5, language=None, options={"theme": None, "never": None})
    users.save(5)
    archive = Archive("room#-1", "0001", b"body", {"0": 5, "1": 6}, {"rounds": 3, "won": "liberal"})
    board = Document("room#-1", "board", 0, b"ranks")
    assert archives.finish(archive, {5: {"games": 1, "won": 2}, 6: {"games": 1}}, [board])
    assert archives.finish(archive, {5: {"games": 1}})
    second = Archive("room#-1", "0002", b"body")
    assert not archives.finish(second, {5: {"games": 1}}, [board])
    read = archives.load_document("room#-1", "board")
    assert archives.finish(second, {5: {"games": 1}}, [read])
    assert [game.game for game in archives.latest("room#-1")] == ["0002", "0001"]
    assert [game.game for game in archives.latest("room#-1", 1, before="0002")] == ["0001"]
    archives.forget("room#-1", "0001", 6, -6)
    assert archives.save_document(read) is False
    assert users.forget(5, users.load(5).finished)
    assert users.load(5).counts == {}


@pytest.mark.parametrize("wrong", [
    {"UpdateExpression": "SET a.b = :v"}, {"UpdateExpression": "SET a = :v, a = :v"},
    {"UpdateExpression": "SET a = :v REMOVE a.b"}, {"UpdateExpression": "SET a = b"},
    {"UpdateExpression": "ADD t :v"}, {"UpdateExpression": "SET pk = :t"},
    {"UpdateExpression": "SET a :v"}, {"UpdateExpression": "SET #unknown = :v"},
    {"UpdateExpression": "SET a = :unknown"},
])  # fmt: skip
def test_what_dynamodb_refuses_is_refused(both: Both, wrong: dict[str, Any]) -> None:
    key = {"pk": {"S": "p"}, "sk": {"S": "s"}}
    both.put_item(Item={**key, "t": {"S": "text"}})
    values: dict[str, Any] = {}
    for name, value in ((":v", {"N": "1"}), (":t", {"S": "x"})):
        if name in wrong["UpdateExpression"]:
            values[name] = value
    with pytest.raises(ClientError, match="ValidationException"):
        both.update_item(Key=key, **wrong, **({"ExpressionAttributeValues": values} if values else {}))


@pytest.mark.parametrize("text", [
    "a = :one", "a <> :one", "nothing <> :one", "nothing = :one", "a < :two AND NOT a > :two",
    "a BETWEEN :one AND :two OR attribute_exists(nothing)",
    "(a = :two OR a = :one) AND attribute_not_exists(m.y)", "contains(s, :x)", "contains(t, :x)",
    "begins_with(t, :x)", "m.x >= :one", "a > :x", "t < :x",
])  # fmt: skip
def test_conditions_hold_and_fail_alike(both: Both, text: str) -> None:
    key = {"pk": {"S": "p"}, "sk": {"S": "s"}}
    item = {
        **key, "a": {"N": "1"}, "t": {"S": "xyz"}, "s": {"SS": ["x", "w"]},
        "m": {"M": {"x": {"N": "2.50"}}},
    }  # fmt: skip
    both.put_item(Item=item)
    every = {":one": {"N": "1.0"}, ":two": {"N": "2"}, ":x": {"S": "x"}}
    used = {name: value for name, value in every.items() if name in text}
    request = {"Key": key, "UpdateExpression": "SET b = :b", "ConditionExpression": text}
    values = {**used, ":b": {"BOOL": True}}
    for more in ({"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}, {"ReturnValues": "ALL_NEW"}):
        with suppress(ClientError):  # as long as both raise the same
            both.update_item(**request, ExpressionAttributeValues=values, **more)


def test_numbers_sets_and_deletions_fare_the_same(both: Both) -> None:
    key = {"pk": {"S": "p"}, "sk": {"S": "s"}}
    steps: list[tuple[str, dict[str, Any]]] = [
        ("SET a = if_not_exists(a, :n), m = :m", {":n": {"N": "3"}, ":m": {"M": {"x": {"N": "1"}}}}),
        ("SET b = a, m.y = :n REMOVE m.x", {":n": {"N": "0.5"}}),
        ("ADD a :n, s :s", {":n": {"N": "-4"}, ":s": {"SS": ["b", "c"]}}),
        ("ADD s :s", {":s": {"SS": ["c", "d"]}}),
        ("DELETE s :s REMOVE nothing, m.nothing", {":s": {"SS": ["b", "x"]}}),
        ("DELETE s :s", {":s": {"SS": ["c", "d"]}}),
    ]
    for text, values in steps:
        both.update_item(
            Key=key, UpdateExpression=text, ExpressionAttributeValues=values, ReturnValues="ALL_NEW"
        )
    both.delete_item(Key=key, ReturnValues="ALL_OLD")
    both.delete_item(Key=key)


def test_a_transaction_that_boto3_repeats_is_done_once() -> None:
    client = Client(LocalTable())
    put = {"Item": {"pk": {"S": "p"}, "sk": {"S": "s"}}, "ConditionExpression": "attribute_not_exists(pk)"}
    action = {"Put": put}
    for _ in range(2):
        client.transact_write_items(TransactItems=[action], ClientRequestToken="once")
    with pytest.raises(ClientError, match="TransactionCanceled"):
        client.transact_write_items(TransactItems=[action])


@pytest.mark.parametrize("second", [
    {"Update": {"UpdateExpression": "ADD t :one"}},
    {"Update": {"UpdateExpression": "SET nothing.a = :one"}},
    {"Update": {"UpdateExpression": "SET a = :unknown"}},
    {"Update": {"UpdateExpression": "SET a :one"}},
    {"Update": {"UpdateExpression": "SET a = :one", "ConditionExpression": "t = "}},
    {"Delete": {"ConditionExpression": "t = :one"}},
], ids=str)  # fmt: skip
def test_of_a_transaction_that_is_refused_nothing_is_done(both: Both, second: dict[str, Any]) -> None:
    first, other = ({"pk": {"S": key}, "sk": {"S": "s"}} for key in ("first", "other"))
    both.put_item(Item={**other, "t": {"S": "text"}})
    ((kind, body),) = second.items()
    action: dict[str, Any] = {**body, "Key": other, "ExpressionAttributeValues": {":one": {"N": "1"}}}
    with pytest.raises(ClientError):
        both.transact_write_items(TransactItems=[{"Put": {"Item": {**first}}}, {kind: action}])
    both.get_item(Key=other)
    assert "Item" not in both.get_item(Key=first)


def test_a_transaction_does_not_act_twice_on_one_item(both: Both) -> None:
    item = {"pk": {"S": "p"}, "sk": {"S": "s"}}
    with pytest.raises(ClientError, match="ValidationException"):
        both.transact_write_items(TransactItems=[{"Put": {"Item": item}}, {"Delete": {"Key": item}}])
    assert "Item" not in both.get_item(Key=item)


@pytest.mark.parametrize(
    "text", ["", "a =", "a = :b c", "(a = :b", "a ! :b", "attribute_exists(:a)", "size a > :b"]
)
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        condition(text)


@pytest.mark.parametrize("text", ["GET a", "SET a :b", "SET a = ", "REMOVE :a", "REMOVE a,"])
def test_what_is_no_update_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        update(text)


def test_every_room_is_read_page_by_page_and_nothing_else(both: Both) -> None:
    def put(client: Any, key: str, sort: str, **more: Any) -> None:
        item: dict[str, Any] = {"pk": {"S": key}, "sk": {"S": sort}, "v": {"N": "1"}, "schema": {"N": "1"}}
        item |= {"outbox": {"M": {}}, "remembered": {"M": {}}, **more}
        client.put_item(TableName=both.name, Item=item)

    found = []
    for client in (both.ours, both.theirs):
        for number in range(7):
            put(client, f"room#-{number}", "room")
            put(client, f"room#-{number}", "leaderboard")
        put(client, "room#-9", "room", moved_to={"S": "room#-1"})
        rooms = Rooms(DynamoTable(client, both.name), lambda: NOW)
        found.append([sorted(item.key for item in rooms.every(page=page)) for page in (1, 3, 200)])
        order = [item.key for item in rooms.every()]
        client.delete_item(TableName=both.name, Key={"pk": {"S": order[2]}, "sk": {"S": "room"}})
        for number, key in enumerate(order):
            behind = [item.key for item in rooms.every(key, page=2)]
            assert behind == [one for one in order[number + 1 :] if one != order[2]]
    assert found == [[[f"room#-{number}" for number in range(7)]] * 3] * 2
