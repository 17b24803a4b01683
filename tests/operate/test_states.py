"""An operator is told of rooms and bots as they are; changes meet other writers."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError
from rich.console import Console

from bot.display.commands import registrations
from bot.rooms.codec import SCHEMA, decode, encode
from bot.rooms.model import Room
from bot.rooms.names import ChatId, RoomName, from_key
from infra.beacon import BeaconRound, BeaconUnavailable
from infra.queue import QueueUnavailable, Wakeup, WakeupQueue
from infra.store.archives import Document
from infra.store.items import Change, OutboxEntry, RoomItem
from infra.store.rooms import Rooms
from infra.store.table import StoreRefused
from infra.telegram.errors import AnswerLost
from operate import changes, doctor
from operate.bot import Bot, CannotRun, NotDone, at_home, stack
from operate.doctor import Finding
from operate.output import Output
from operate.rooms import in_detail
from tests.operate.conftest import Cloud, Operator


@pytest.fixture
def here(operator: Operator) -> Iterator[Bot]:
    with ExitStack() as leaving:
        yield operator.opened(leaving)


@pytest.fixture
def item(operator: Operator) -> RoomItem:
    return operator.item()


def write(operator: Operator, **changed: Any) -> None:
    item = operator.item()
    room = replace(decode(item.body, item.schema), **changed)
    operator.rooms.save(item, Change(body=encode(room)))


def does(operator: Operator) -> str:
    (row,) = [row for row in operator.json("rooms") if row["room"] == operator.key]
    return str(row["does"])


class TestRooms:
    def test_a_row_says_what_goes_on_in_the_room(self, operator: Operator) -> None:
        table = operator.table
        table.cancel(table.seat(0).user)
        assert does(operator) == "game 1 is over"
        assert operator.json("room", operator.key)["waits for"] is None
        table.say(table.seat(0).user, "/newgame")
        assert does(operator).startswith("a lobby of ")
        assert operator.json("room", operator.key)["since"].startswith("2027-01-15")
        for seat in range(1, 5):
            table.press(table.seat(seat).user, "join")
        table.press(table.seat(0).user, "start")
        assert does(operator) == "game 2 is sealed"
        write(operator, match=None, sealed=None)
        assert does(operator) == "nothing yet"
        assert operator.json("room", operator.key)["since"] is None
        write(operator, bot_removed=True)
        assert does(operator) == "the bot is not in the group"

    def test_nothing_shown_tells_secret_answers_apart(self, operator: Operator, item: RoomItem) -> None:
        # Each secret answer raises the version and may change the size; private messages may wait for one.
        private = OutboxEntry(operator.table.seat(0).user.id, "sendMessage", {"text": "x"})
        secret = replace(item, version=item.version + 1, outbox={"1.0": private})
        other = replace(secret, body=encode(replace(decode(item.body, item.schema), title="longer")))
        assert in_detail(item, 0.0) == in_detail(secret, 0.0) == in_detail(other, 0.0)

    @pytest.mark.parametrize(
        "change", [Change(schema=SCHEMA + 1), Change(body=b"{"), Change(body=b'{"a": 1}')]
    )
    def test_a_newer_or_torn_room_is_hidden(self, operator: Operator, item: RoomItem, change: Change) -> None:
        operator.rooms.save(item, change)
        assert does(operator) == "cannot be read"
        assert operator.json("room", operator.key)["waits for"] is None
        refused = operator("--yes", "room", operator.key, "--reveal")
        assert (refused.exit_code, "cannot read the room" in refused.output) == (1, True)

    def test_a_secret_question_is_unnamed(self, operator: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("operate.rooms.question_for", lambda game, seat: None)
        assert operator.json("room", operator.key)["waits for"] == "something that the group is not told of"

    def test_who_sends_from_a_room_is_told_by_the_time_alone(self, operator: Operator, here: Bot) -> None:
        app = operator.harness.built.app
        lease = app.outbox_service.outbox_sender.lease("sender-of-no-name")
        app.rooms.take_lease(operator.key, lease)
        now = here.clock()
        assert in_detail(operator.item(), now)["sender until"] is not None
        assert "sender-of-no-name" not in operator("room", operator.key).output
        assert in_detail(operator.item(), lease.until + 1)["sender until"] is None


class TestTheDoctorsFindings:
    def find(self, operator: Operator, what: str) -> Finding:
        row = operator.findings()[what]
        return Finding(what, doctor.Verdict(row["verdict"]), row["found"], row["to do"])

    @pytest.mark.parametrize(("said", "verdict", "word"), [
        ({"can_join_groups": False}, "bad", "/setjoingroups"),
        ({"can_read_all_group_messages": True}, "look", "/setprivacy"),
    ])  # fmt: skip
    def test_a_bot_whose_rights_are_not_those_it_needs(
        self, here: Bot, monkeypatch: pytest.MonkeyPatch, said: dict[str, bool], verdict: str, word: str
    ) -> None:
        monkeypatch.setattr(Bot, "call", lambda *what: {"username": "some_bot", **said})
        found = next(iter(doctor.examine(here)))
        assert (found.what, found.verdict, word in found.do) == ("bot", verdict, True)

    def test_a_webhook_that_is_not_set_or_asks_for_other_updates(self, operator: Operator) -> None:
        operator.harness.telegram.call("deleteWebhook", {})
        assert self.find(operator, "webhook").found == "not set"
        said = {"url": "https://bot.invalid/", "allowed_updates": ["message"], "secret_token": "desk-secret"}
        operator.harness.telegram.call("setWebhook", said)
        found = self.find(operator, "webhook")
        assert (found.verdict, found.found) == ("bad", "other kinds of updates are asked for")

    @pytest.mark.parametrize(("waiting", "verdict"), [(0, "look"), (3, "bad")])
    def test_a_secret_that_is_not_the_stored_one(
        self, here: Bot, monkeypatch: pytest.MonkeyPatch, waiting: int, verdict: str
    ) -> None:
        said = "Wrong response from the webhook: 401 Unauthorized"
        hook = {"last_error_message": said, "last_error_date": here.clock(), "url": here.stack["webhook"]}
        hook["pending_update_count"] = waiting
        monkeypatch.setattr(Bot, "call", lambda *what: hook)
        found = {one.what: one for one in doctor.examine(here)}["webhook"]
        assert (found.verdict, "operate rotate secret" in found.do) == (verdict, verdict == "bad")

    def test_updates_that_wait_at_telegram(self, here: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
        hook = {"url": here.stack["webhook"], "pending_update_count": doctor.PENDING + 1}
        monkeypatch.setattr(Bot, "call", lambda *what: hook)
        found = {one.what: one for one in doctor.examine(here)}["webhook"]
        assert (found.verdict, found.found) == ("look", "51 updates wait")

    def test_commands_of_this_version_and_of_another(self, operator: Operator) -> None:
        scope = {"type": "all_group_chats"}
        names = [{"command": name, "description": name} for name, _ in registrations()[""].group]
        operator.harness.telegram.call("setMyCommands", {"commands": names, "scope": scope})
        assert self.find(operator, "commands").verdict == "fine"
        operator.harness.telegram.call("setMyCommands", {"commands": names[:3], "scope": scope})
        assert self.find(operator, "commands").found == "not those of this version"

    def test_rooms_that_nobody_looked_after(self, operator: Operator) -> None:
        app = operator.harness.built.app
        app.rooms.save(operator.item(), Change(due=operator.harness.clock() - 901))
        found = self.find(operator, "rooms")
        assert (found.verdict, found.found) == ("bad", "1 room due for a quarter of an hour")

    def test_wake_ups_that_wait(self, operator: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(doctor, "WAKEUPS", 1)
        for _ in range(2):
            body = Wakeup(operator.key, 1.0, "clock").pack()
            queue = operator.cloud.outputs["WakeupQueueUrl"]
            operator.cloud("sqs").send_message(QueueUrl=queue, MessageBody=body)
        found = self.find(operator, "queue")
        assert (found.verdict, found.found) == ("look", "2 wake-ups wait")

    def test_messages_that_wait_longer_than_a_new_lobby_does(self, operator: Operator) -> None:
        operator.harness.built.app.room_service.lookups.pace.take(27 * 40)
        found = self.find(operator, "pace")
        assert (found.verdict, "Thirty messages" in found.do) == ("look", True)

    def test_what_is_unseen_is_a_finding(self, operator: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Rooms, "due", Mock(side_effect=StoreRefused("the table is not there")))
        monkeypatch.setattr(doctor, "count_messages", Mock(side_effect=RuntimeError(operator.table.tg.token)))
        said = operator("doctor")
        assert said.exit_code == 1
        assert operator.table.tg.token not in said.output
        assert self.find(operator, "rooms").found == "the table is not there"
        found = self.find(operator, "dead_letters")
        assert (found.found, found.do) == ("RuntimeError", "look at the rights of who asks")

    def test_rooms_of_newer_code_are_counted(self, operator: Operator, item: RoomItem) -> None:
        assert self.find(operator, "rooms that can be read").found == "all 1"
        operator.rooms.save(item, Change(schema=SCHEMA + 1))
        found = self.find(operator, "rooms that can be read")
        assert (found.verdict, "1 of 1 room cannot be read" in found.found) == ("bad", True)
        assert "Back to the release before" in found.do

    @pytest.mark.parametrize(("parameters", "variables", "verdict", "word"), [
        ({"Drain": "true"}, {"DRAIN": "true"}, "fine", "version 7"),
        ({"Drain": "true"}, {"DRAIN": "false"}, "bad", "another Drain"),
        ({"AllowedChats": ""}, {"ALLOWED_CHATS": "1"}, "bad", "another AllowedChats"),
        ({"Beacon": "off"}, {"BEACON": "https://x"}, "bad", "another Beacon"),
        ({"SetupRevision": "2"}, {"SETUP_REVISION": "1"}, "bad", "another SetupRevision"),
        ({"Stage": "test"}, {"POWERTOOLS_METRICS_NAMESPACE": "chancellery/a"}, "bad", "another Stage"),
        ({"Stage": "a"}, {"POWERTOOLS_METRICS_NAMESPACE": "chancellery/a"}, "fine", "version 7"),
    ])  # fmt: skip
    def test_what_runs_is_held_against_the_stacks_parameters(
        self,
        operator: Operator,
        parameters: dict[str, str],
        variables: dict[str, str],
        verdict: str,
        word: str,
    ) -> None:
        operator.cloud.parameters, operator.cloud.variables = parameters, variables
        for function in doctor.FUNCTIONS:
            found = self.find(operator, function)
            assert (found.verdict, word in found.found) == (verdict, True)

    def test_a_deploy_under_way_and_one_that_went_back_are_said(self, operator: Operator) -> None:
        operator.cloud.code[None] = "other"
        found = self.find(operator, "webhook function")
        assert (found.verdict, "newer code" in found.found) == ("look", True)
        operator.cloud.alias["RoutingConfig"] = {"AdditionalVersionWeights": {"8": 0.1}}
        found = self.find(operator, "webhook function")
        assert (found.verdict, "8 takes over" in found.found) == ("look", True)

    def test_a_stack_without_a_beacon_is_not_asked_for_one(self, operator: Operator) -> None:
        operator.cloud.parameters["Beacon"] = "off"
        assert "off" in self.find(operator, "beacon").found

    def test_without_a_network_it_blames_only_that(self, here: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Bot, "call", Mock(side_effect=AnswerLost("ConnectError")))
        found = {one.what: one for one in doctor.examine(here)}
        assert found["network"].verdict == "bad"
        assert "out of reach from here" in found["network"].found
        assert {"bot", "webhook", "commands", "beacon"}.isdisjoint(found)

    def test_a_beacon_that_answers(self, here: Bot) -> None:
        class Answering:
            said: BeaconRound | Exception = BeaconRound(7, b"", b"")

            async def fetch(self, number: int, addresses: object, **times: float) -> BeaconRound:
                if isinstance(self.said, Exception):
                    raise self.said
                return self.said

        def beacon(bot: Bot) -> doctor.Finding:
            found = [*doctor.examine(bot, answering)]  # type: ignore[arg-type]
            return next(one for one in found if one.what == "beacon")

        answering = Answering()
        row = beacon(here)
        assert (row.verdict, row.found.startswith("round ")) == ("fine", True)
        alone = beacon(replace(here, beacon="https://api.drand.sh"))
        assert (alone.verdict, alone.found.endswith("of one operator alone")) == ("look", True)
        for lying in (BeaconRound(7, b"", b"", ("api.drand.sh",)), BeaconUnavailable("x", ("a", "b"))):
            answering.said = lying
            assert beacon(here).verdict == "bad"


class TestAnotherWriter:
    def test_a_room_written_since_is_not_unstuck(self, operator: Operator, here: Bot, item: RoomItem) -> None:
        write(operator, title="Another title")
        with pytest.raises(NotDone, match="written meanwhile"):
            changes.unstick(here, item)

    def test_a_room_written_since_is_told_anyway(self, operator: Operator, here: Bot, item: RoomItem) -> None:
        write(operator, title="Another title")
        assert changes.tell(here, [item], "hello") == (1, 0)
        assert len(operator.item().outbox) == 1

    def test_a_room_that_is_gone_or_never_rests_misses_it(
        self, operator: Operator, here: Bot, item: RoomItem, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        honest = Rooms.save

        def busy(self: Rooms, before: RoomItem, change: Change) -> Any:
            honest(self, before, Change())
            return honest(self, before, change)

        with monkeypatch.context() as patch:
            patch.setattr(Rooms, "save", busy)
            assert changes.tell(here, [item], "hello") == (0, 1)
        changes.purge(here, operator.key, lambda things: things)
        assert changes.tell(here, [item], "hello") == (0, 1)

    def test_what_was_saved_and_could_not_be_queued_is_told_once(
        self, operator: Operator, here: Bot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(WakeupQueue, "send", Mock(side_effect=QueueUnavailable("ServiceUnavailable")))
        assert operator.json("tell", "hello") == {"told": 1, "missed": 0}
        assert operator.json("unstick", operator.key)["woken"]
        due = [key for key, _ in here.rooms.due(here.clock())]
        assert (due, len(operator.item().outbox)) == ([operator.key], 1)

    def test_what_comes_during_the_question_is_purged_too(
        self, operator: Operator, here: Bot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def meanwhile(*_: object) -> None:
            operator.table.elect(1)
            operator.table.finish()

        monkeypatch.setattr(Output, "confirm", meanwhile)
        assert operator.json("purge", operator.key)["deleted"] == 3
        assert changes.items_of_room(here, operator.key) == []

    def test_a_group_that_migrates_meanwhile_is_purged_whole(
        self, operator: Operator, here: Bot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        new = RoomName(ChatId(operator.table.group.id - 1000))

        def meanwhile(*_: object) -> None:
            operator.harness.built.app.outbox_service.move(operator.table.name, new.chat)

        monkeypatch.setattr(Output, "confirm", meanwhile)
        operator.json("purge", operator.key)
        assert changes.items_of_room(here, new.key) == changes.items_of_room(here, operator.key) == []

    def test_rooms_without_game_or_bot_are_told_nothing(self, operator: Operator, here: Bot) -> None:
        assert len(changes.running(here)) == 1
        write(operator, bot_removed=True)
        assert changes.running(here) == []
        write(operator, bot_removed=False, match=None)
        assert changes.running(here) == []

    def test_dead_letters_others_took_do_not_count(self, here: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(changes, "_PATIENCE", 0)
        assert changes.replay(here, 20, lambda all: all) == 0


class TestAGroupThatMoved:
    def moved(self, operator: Operator) -> str:
        operator.table.elect(1)
        operator.table.finish()
        new = RoomName(ChatId(operator.table.group.id - 1000))
        assert operator.harness.built.app.outbox_service.move(operator.table.name, new.chat) is not None
        return new.key

    def test_is_exported_whole_from_before_and_after(self, operator: Operator, tmp_path: Path) -> None:
        old, new = operator.key, self.moved(operator)
        assert operator.json("export", new, "--to", str(tmp_path / "all.json"))["room"] == new
        kept = changes.items_of_room
        with ExitStack() as leaving:
            keys = {(one["pk"]["S"], one["sk"]["S"][:4]) for one in kept(operator.opened(leaving), new)}
        assert keys == {(new, "room"), (old, "room"), (old, "game"), (old, "lead")}

    def test_is_purged_whole_by_either_key(self, operator: Operator) -> None:
        old, new = operator.key, self.moved(operator)
        assert operator.json("purge", old)["deleted"] == 4
        with ExitStack() as leaving:
            assert changes.items_of_room(operator.opened(leaving), new) == []

    def test_is_read_in_pages(self, operator: Operator, here: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
        new = self.moved(operator)
        # Something follows the room, so that the last page does not show its former place.
        here.archives.save_document(Document(new, "~"))
        whole, honest = changes.items_of_room(here, new), here.store.call
        assert {one["pk"]["S"] for one in whole} == {operator.key, new}

        def one_by_one(operation: str, **arguments: Any) -> Any:
            """Answer as DynamoDB does with anything larger than a page."""
            begun = arguments.pop("ExclusiveStartKey", None)
            answer = honest(operation, **arguments)
            items = answer["Items"]
            number = 0 if begun is None else 1 + [each["sk"] for each in items].index(begun["sk"])
            answer["Items"] = items[number : number + 1]
            if number + 1 < len(items):
                answer["LastEvaluatedKey"] = {"pk": items[number]["pk"], "sk": items[number]["sk"]}
            return answer

        monkeypatch.setattr(here.store, "call", one_by_one)
        assert changes.items_of_room(here, new) == whole

    def test_an_unreadable_room_is_purged_without_people(self, operator: Operator, item: RoomItem) -> None:
        operator.rooms.save(item, Change(body=b"{"))
        assert operator.json("purge", operator.key)["deleted"] == 1


class TestAForum:
    @pytest.fixture
    def topics(self, operator: Operator, here: Bot) -> list[str]:
        """Return keys of two of its topics, which the chat's own note knows."""
        keys = [RoomName(ChatId(operator.table.group.id), topic).key for topic in (5, 7)]
        for key in keys:
            room = Room(ChatId(operator.table.group.id), from_key(key).topic)
            here.rooms.create(key, Change(body=encode(room), schema=SCHEMA))
        here.users.save(operator.table.group.id, add_rooms=keys)
        return keys

    def test_a_purge_names_rooms_that_stay(self, operator: Operator, here: Bot, topics: list[str]) -> None:
        other = RoomName(ChatId(operator.table.group.id - 5), 5).key
        room = Room(ChatId(operator.table.group.id - 5), 5)
        here.rooms.create(other, Change(body=encode(room), schema=SCHEMA))
        asked = operator("purge", topics[0], input="n\n").output
        assert f"rooms of the same group that stay: {operator.key}, {topics[1]}" in asked
        staying = [operator.key, topics[1]]
        assert operator.json("purge", topics[0]) == {"room": topics[0], "deleted": 1, "staying": staying}
        assert {item.key for item in here.rooms.every()} == {operator.key, topics[1], other}

    def test_a_purged_topic_leaves_its_chat(self, operator: Operator, here: Bot, topics: list[str]) -> None:
        operator.json("purge", topics[0])
        assert here.users.load(operator.table.group.id).rooms == {topics[1]}

    def test_a_group_without_topics_leaves_nothing_to_speak_of(self, operator: Operator) -> None:
        assert "that stay" not in operator("--yes", "purge", operator.key).output


class TestPlaces:
    def test_a_stack_that_is_not_there_says_what_aws_says(self, operator: Operator) -> None:
        made = Cloud(operator.harness.client)
        with pytest.raises(CannotRun, match="stack 'other': does not exist"), stack("other", made):
            pass

    def test_a_cloud_that_is_out_of_reach_is_named_by_its_kind(self) -> None:
        lost = Mock(side_effect=EndpointConnectionError(endpoint_url="https://secret.invalid/"))
        with pytest.raises(CannotRun, match="out of reach from here"), stack("game", lost):
            pass

    def test_the_bot_at_home_needs_its_token(self, tmp_path: Path) -> None:
        with pytest.raises(CannotRun, match="BOT_TOKEN is not set"), at_home(tmp_path, ""):
            pass

    def test_an_aws_refusal_is_only_a_code(self, operator: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
        def refused(self: Bot, name: str) -> Any:
            response: Any = {"Error": {"Code": "AccessDenied", "Message": "quotes a secret"}}
            raise ClientError(response, "GetQueueAttributes")

        monkeypatch.setattr(Bot, "cloud", refused)
        said = operator("replay")
        assert (said.exit_code, "AWS refuses: AccessDenied" in said.output) == (1, True)
        assert "quotes" not in said.output

    def test_the_module_is_the_command(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "argv", ["operate", "--help"])
        with pytest.raises(SystemExit) as ended:
            runpy.run_module("operate", run_name="__main__")
        assert ended.value.code == 0


def test_a_rooms_key_is_whole_in_a_narrow_terminal_too(operator: Operator) -> None:
    console = Console(width=60, force_terminal=False)
    with console.capture() as shown:
        Output(console=console).rows(operator.json("rooms"), "none")
    assert shown.get().count(operator.key) == 1
