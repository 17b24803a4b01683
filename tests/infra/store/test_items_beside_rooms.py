"""Users, finished games, and a room that moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from bot.rooms.names import ChatId, RoomName
from infra.store.archives import Archive, Archives, Document
from infra.store.items import Change, Conflict, Lease, OutboxEntry, Remembered
from infra.store.people import UserItem, Users, user_primary_key
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable, StoreRefused, StoreUnavailable, dynamodb_client
from sandbox.item_size import item_size
from tests.infra.conftest import NOW, Clock
from tests.infra.store.test_rooms import stored

CHATS = (-100, -1000000000100)
OLD, NEW = (RoomName(ChatId(chat)).key for chat in CHATS)
ARCHIVE = Archive(OLD, "0001", b"events" * 100, {"0": 11, "1": 12}, {"ruleset": "classic@1", "ended": 5})


class TestUsers:
    @pytest.fixture
    def users(self, table: DynamoTable) -> Users:
        return Users(table)

    def test_are_merged_attribute_by_attribute(self, users: Users) -> None:
        users.save(7, language="de", may_write=True, add_rooms=[OLD], options={"statistics": False})
        users.save(7, add_rooms=[NEW, OLD], options={"pings": [1, 2]})
        after = users.save(7, language=None, may_write=False, options={"statistics": None})
        assert after == UserItem(7, None, False, frozenset({OLD, NEW}), options={"pings": [1, 2]})
        assert users.load(7) == after

    def test_are_forgotten(self, users: Users) -> None:
        users.save(7, language="de")
        assert users.forget(7, 0)
        assert users.load(7) == UserItem(7)
        assert users.forget(7, 0)

    def test_are_forgotten_but_for_where_they_sit(self, users: Users) -> None:
        users.save(7, language="de", options={"statistics": False}, add_rooms=[OLD, NEW])
        assert users.forget(7, 0, [NEW])
        assert users.load(7) == UserItem(7, may_write=True, rooms=frozenset({NEW}))

    def test_are_not_forgotten_while_their_archives_grow(self, users: Users, table: DynamoTable) -> None:
        Archives(table).finish(ARCHIVE, {11: {"games": 1}})
        assert not users.forget(11, 0)
        assert not users.forget(11, 2)
        assert users.load(11).counts == {"games": 1}
        assert users.forget(11, 1)
        assert users.load(11) == UserItem(11)
        assert users.forget(11, 1)


class TestArchives:
    @pytest.fixture
    def archives(self, table: DynamoTable) -> Archives:
        return Archives(table)

    def test_a_game_comes_back_as_it_was(self, archives: Archives) -> None:
        assert archives.finish(ARCHIVE)
        assert archives.load(OLD, "0001") == ARCHIVE
        assert archives.load(OLD, "0002") is None

    def test_a_game_counts_once_however_often_it_ends(self, archives: Archives, table: DynamoTable) -> None:
        counts = {11: {"games": 1, "won": 1}, 12: {"games": 1}}
        assert archives.finish(ARCHIVE, counts)
        assert archives.finish(ARCHIVE, counts), "it is there already"
        archives.finish(Archive(OLD, "0002", b""), {11: {"games": 1}})
        users = Users(table)
        assert users.load(11).counts == {"games": 2, "won": 1}
        assert users.finished_games(11) == {f"{OLD}|0001", f"{OLD}|0002"}
        assert users.load(12).counts == {"games": 1}
        users.unlink(11, (), {f"{OLD}|0001"})
        assert users.finished_games(11) == {f"{OLD}|0002"}

    def test_a_persons_item_keeps_its_size_over_games(self, archives: Archives, table: DynamoTable) -> None:
        """A set of them once cost 92 write units a game at 1,000, and could not be written at 8,700."""
        sizes = []
        for number in range(30):
            archives.finish(Archive(OLD, f"{number:04}", b""), {11: {"games": 1}})
            item = table.call("get_item", Key=user_primary_key(11), ConsistentRead=True)["Item"]
            sizes.append(item_size(item))
        assert sizes[-1] <= sizes[0] + 2
        assert len(Users(table).finished_games(11)) == 30

    def test_a_document_changed_meanwhile_stops_all(self, archives: Archives, table: DynamoTable) -> None:
        board = archives.load_document(OLD, "ratings")
        assert board == Document(OLD, "ratings")
        assert archives.save_document(Document(OLD, "ratings", 0, b"theirs"))
        document = Document(OLD, "ratings", board.version, b"ours")
        assert not archives.finish(ARCHIVE, {11: {"games": 1}}, [document])
        assert archives.load(OLD, "0001") is None
        assert Users(table).load(11).counts == {}
        fresh = archives.load_document(OLD, "ratings")
        assert (fresh.version, fresh.body) == (1, b"theirs")
        assert archives.finish(ARCHIVE, {}, [Document(OLD, "ratings", 1, b"ours")])
        assert archives.load_document(OLD, "ratings") == Document(OLD, "ratings", 2, b"ours")
        assert not archives.save_document(Document(OLD, "ratings", 1, b"late"))

    def test_the_latest_games_come_page_by_page(self, archives: Archives) -> None:
        for number in range(5):
            archives.finish(Archive(OLD, f"{number:04}", b"x"))
        archives.finish(Archive(NEW, "9999", b"x"))
        assert [game.game for game in archives.latest(OLD, 2)] == ["0004", "0003"]
        assert [game.game for game in archives.latest(OLD, 2, before="0003")] == ["0002", "0001"]
        assert [game.game for game in archives.latest(OLD, 9, before="0001")] == ["0000"]

    def test_a_person_is_taken_out_and_the_game_stays(self, archives: Archives) -> None:
        archives.finish(ARCHIVE)
        for user in (11, 99):
            archives.forget(OLD, "0001", user, -5)
        archives.forget(OLD, "never", 11, -5)
        after = archives.load(OLD, "0001")
        assert after is not None
        assert (after.people, after.body) == ({"0": -5, "1": 12}, ARCHIVE.body)

    def test_forgetting_finds_a_game_that_has_just_ended(
        self, archives: Archives, table: DynamoTable, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        honest = table.call

        def behind(operation: str, **arguments: Any) -> dict[str, Any]:
            """Answer as DynamoDB may: an inconsistent read returns an earlier state."""
            if operation in ("get_item", "query") and not arguments.get("ConsistentRead"):
                return {"Items": []}
            return honest(operation, **arguments)

        archives.finish(ARCHIVE)
        monkeypatch.setattr(table, "call", behind)
        assert archives.latest(OLD) == [ARCHIVE]
        archives.forget(OLD, "0001", 11, -5)
        after = archives.load(OLD, "0001")
        assert after is not None
        assert after.people == {"0": -5, "1": 12}


class TestMoving:
    """A group becomes a supergroup."""

    def test_takes_everything_along_and_leaves_a_sign(self, rooms: Rooms) -> None:
        change = Change(
            body=b"one",
            schema=2,
            update_id=9,
            due=NOW + 60,
            remembered={"message_ids": {"lobby": 5, "prompt": 6}},
            entries=[
                OutboxEntry(-100, "sendMessage", {"text": "a"}),
                OutboxEntry(11, "sendMessage", {"text": "b"}),
            ],
        )
        before = stored(rooms.create(OLD, change))
        kept = Remembered(message_ids={"prompt": 6})
        room = replace(before, remembered=kept)
        moved = stored(rooms.move(room, NEW, Change(body=b"two"), chats=CHATS, owner="me"))
        assert rooms.load(NEW) == moved
        assert rooms.load_following(OLD) == moved
        assert (moved.key, moved.version, moved.schema, moved.body) == (NEW, 2, 2, b"two")
        assert (moved.updates, moved.moved_from, moved.remembered) == ((9,), OLD, kept)
        assert moved.due == NOW + 60
        assert [entry.chat for entry in moved.outbox.values()] == [-1000000000100, 11]
        assert list(rooms.due(NOW + 99)) == [(NEW, NOW + 60)]
        sign = rooms.load(OLD)
        assert sign is not None
        assert (sign.moved_to, sign.version, sign.body, dict(sign.outbox)) == (NEW, 2, b"", {})

    def test_a_move_leaves_what_was_sent_and_cleared(self, rooms: Rooms) -> None:
        waiting = Change(entries=[OutboxEntry(-100, "sendMessage")], lease=Lease("sender", NOW + 30))
        before = stored(rooms.create(OLD, waiting))
        cleared = rooms.finish_sending(OLD, "sender", list(before.outbox))
        assert rooms.move(before, NEW, Change(), chats=CHATS, owner="me") == Conflict(cleared)

    def test_has_said_behind_what_waited_what_is_said_of_it(self, rooms: Rooms) -> None:
        before = stored(rooms.create(OLD, Change(body=b"one", entries=[OutboxEntry(-100, "sendMessage")])))
        change = Change(body=b"two", entries=[OutboxEntry(-1000000000100, "sendPhoto")])
        moved = stored(rooms.move(before, NEW, change, chats=CHATS, owner="me"))
        methods = {key: entry.method for key, entry in moved.outbox.items()}
        assert methods == {"000000001.000": "sendMessage", "000000002.000": "sendPhoto"}

    def test_leads_who_saves_too_late_to_where_it_went(self, rooms: Rooms) -> None:
        before = stored(rooms.create(OLD, Change(body=b"one")))
        moved = stored(rooms.move(before, NEW, Change(), chats=CHATS, owner="me"))
        assert rooms.save(before, Change(body=b"two")) == Conflict(moved)
        assert rooms.create(OLD, Change(body=b"two")) == Conflict(moved)

    def test_is_a_conflict_when_the_room_changed(self, rooms: Rooms) -> None:
        before = stored(rooms.create(OLD, Change(body=b"one")))
        after = stored(rooms.save(before, Change(body=b"two")))
        assert rooms.move(before, NEW, Change(), chats=CHATS, owner="me") == Conflict(after)
        assert rooms.load(NEW) is None

    def test_is_a_conflict_when_there_is_a_room_already(self, rooms: Rooms) -> None:
        before = stored(rooms.create(OLD, Change(body=b"one")))
        there = stored(rooms.create(NEW, Change(body=b"new")))
        assert rooms.move(before, NEW, Change(), chats=CHATS, owner="me") == Conflict(there)
        assert rooms.load(OLD) == before

    def test_waits_for_whoever_is_sending(self, rooms: Rooms) -> None:
        change = Change(entries=[OutboxEntry(1, "sendMessage")], lease=Lease("busy", NOW + 30))
        before = stored(rooms.create(OLD, change))
        assert rooms.move(before, NEW, Change(), chats=CHATS, owner="me") == Conflict(before)
        assert stored(rooms.move(before, NEW, Change(), chats=CHATS, owner="busy")).lease is None


def test_the_deployed_client_gives_up_soon(table: DynamoTable, clock: Clock) -> None:
    arguments: dict[str, Any] = {}
    if "127.0.0.1" in table.client.meta.endpoint_url:
        arguments = {
            "endpoint_url": table.client.meta.endpoint_url,
            "region_name": "eu-central-1",
            "aws_access_key_id": "nobody",
            "aws_secret_access_key": "nothing",
        }
    client = dynamodb_client(**arguments)
    config: Any = client.meta.config
    worst = config.retries["total_max_attempts"] * (config.connect_timeout + config.read_timeout)
    assert worst < 10
    rooms = Rooms(DynamoTable(client, table.name), clock)
    made = stored(rooms.create(OLD, Change(body=b"one", update_id=1)))
    change = Change(body=b"two", update_id=2, entries=[OutboxEntry(1, "sendMessage")])
    saved = stored(rooms.save(made, change))
    assert rooms.load(OLD) == saved
    client.close()


class TestErrors:
    """DynamoDB's refusals are sorted without their own words."""

    def fail(self, table: DynamoTable, monkeypatch: pytest.MonkeyPatch, response: dict[str, Any]) -> None:
        def call(**arguments: Any) -> None:
            raise ClientError(response, "GetItem")  # type: ignore[arg-type]

        monkeypatch.setattr(table.client, "get_item", call)
        monkeypatch.setattr(table.client, "transact_write_items", call)

    @pytest.mark.parametrize(("code", "status", "kind"), [
        ("ProvisionedThroughputExceededException", 400, StoreUnavailable),
        ("ThrottlingException", 400, StoreUnavailable),
        ("SomethingNew", 503, StoreUnavailable),
        # Somebody can fix these errors, and what could not be stored meanwhile comes again.
        ("AccessDeniedException", 400, StoreUnavailable),
        ("ResourceNotFoundException", 400, StoreUnavailable),
        ("ExpiredTokenException", 400, StoreUnavailable),
        ("KMSAccessDeniedException", 400, StoreUnavailable),
        ("SomethingNew", 400, StoreUnavailable),
        ("ValidationException", 400, StoreRefused),
        ("SerializationException", 400, StoreRefused),
    ])  # fmt: skip
    def test_by_code(
        self,
        table: DynamoTable,
        rooms: Rooms,
        monkeypatch: pytest.MonkeyPatch,
        code: str,
        status: int,
        kind: type[Exception],
    ) -> None:
        error = {"Code": code, "Message": "Anna is Hitler"}
        self.fail(table, monkeypatch, {"Error": error, "ResponseMetadata": {"HTTPStatusCode": status}})
        with pytest.raises(kind, match=f"^get_item: {code}$"):
            rooms.load(OLD)

    def test_what_botocore_itself_does_not_take_will_never_be_taken(self, table: DynamoTable) -> None:
        with pytest.raises(StoreRefused, match=r"^get_item: ParamValidationError$"):
            table.call("get_item", Key="Anna is Hitler")

    @pytest.mark.parametrize(("reason", "kind"), [
        ("TransactionConflict", StoreUnavailable), ("ThrottlingError", StoreUnavailable),
        ("ValidationError", StoreRefused),
    ])  # fmt: skip
    def test_of_a_transaction_by_its_reasons(
        self, table: DynamoTable, monkeypatch: pytest.MonkeyPatch, reason: str, kind: type[Exception]
    ) -> None:
        error = {"Code": "TransactionCanceledException"}
        reasons = [{"Code": "None"}, {"Code": reason, "Message": "Anna is Hitler"}]
        self.fail(table, monkeypatch, {"Error": error, "CancellationReasons": reasons})
        with pytest.raises(kind) as caught:
            Archives(table).finish(ARCHIVE)
        assert "Anna" not in str(caught.value)
