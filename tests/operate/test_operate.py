"""Every command, in the cloud and at home: what it does, what it refuses, and that it says no secret."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest
from botocore.exceptions import ClientError
from click.testing import CliRunner

from ai import explain
from infra.queue import Wakeup
from infra.store.items import Change, Patch
from infra.store.orders import Audit
from infra.store.table import ROOM, StoreUnavailable
from local.bot_socket import serve_socket, socket_path
from local.dynamodb import Client
from local.sqlite_table import open_table
from operate import changes
from operate.bot import Bot, CannotRun, at_home, user_name
from operate.commands import main
from sandbox.__main__ import main as sandbox
from sandbox.harness import TABLE, harness_in_memory
from sandbox.telegram import VirtualClock
from sandbox.telegram.calls import Refusal, bad_request, too_many
from sandbox.telegram.transport import StandinRequest
from tests.operate.conftest import Operator, secrets_of
from tests.refusing import refuse
from tests.system.table import Table, deal

#: Every command that shows or changes something, with what it needs to do so without a question.
SILENT = (
    ("doctor",), ("rooms",), ("room", "{room}"), ("unstick", "{room}"), ("aside",), ("retry",),
    ("drop", "{aside}"), ("replay",), ("ban", "-1001"), ("unban", "-1001"), ("banned",),
    ("allow", "-1001"), ("disallow", "-1001"), ("allowed",), ("pause",), ("resume",), ("reset-pace",),
    ("tell", "The bot sleeps from three to four."), ("audit",), ("rotate", "secret"),
    ("export", "{room}", "--reveal", "--to", "{folder}/group.json"), ("purge", "{room}"),
)  # fmt: skip

#: Arguments that each command refuses, and the text of the refusal.
WRONG = (
    (("doctor", "me"), "unexpected extra argument"), (("rooms", "here"), "unexpected extra argument"),
    (("room",), "Missing argument 'KEY'"), (("room", "-5"), "there is no room#-5"),
    (("room", "room#x", "--revael"), "unexpected extra argument"),
    (("unstick", "-5"), "there is no room#-5"), (("aside", "5"), "unexpected extra argument"),
    (("retry", "x|record|1"), "nothing is set aside as x|record|1"),
    (("drop",), "Missing argument 'KEY'"),
    (("drop", "x|record|1"), "nothing is set aside as x|record|1"), (("replay", "--most", "0"), "x>=1"),
    (("ban", "Anna"), "not a valid integer"), (("unban", "Anna"), "not a valid integer"),
    (("banned", "5"), "unexpected extra argument"), (("allow", "Anna"), "not a valid integer"),
    (("allow", "77"), "not in the range"), (("disallow", "Anna"), "not a valid integer"),
    (("allowed", "5"), "unexpected extra argument"), (("pause", "5"), "unexpected extra argument"),
    (("resume", "5"), "unexpected extra argument"), (("reset-pace", "5"), "unexpected extra argument"),
    (("tell",), "Missing argument 'TEXT'"), (("tell", "x" * 1001), "1 to 1000 characters"),
    (("export", "{room}"), "Missing option '--to'"),
    (("export", "{room}", "--reveal", "--to", "{folder}/none/x"), "none/x: No such file or directory"),
    (("purge", "-5"), "there is no room#-5"), (("rotate", "keys"), "is not one of 'secret', 'token'"),
    (("audit", "me"), "unexpected extra argument"),
)  # fmt: skip
LOOKING = ("doctor", "rooms", "room", "aside", "banned", "allowed", "audit")
CHANGING = [command for command in SILENT if command[0] not in LOOKING]


@pytest.fixture(params=["operator", "at_the_desk"])
def anywhere(request: pytest.FixtureRequest) -> Operator:
    found: Operator = request.getfixturevalue(request.param)
    return found


def arguments_of(operator: Operator, command: tuple[str, ...], folder: Path) -> list[str]:
    return [part.format(room=operator.key, folder=folder, aside=operator.aside) for part in command]


@pytest.mark.parametrize("as_json", [False, True], ids=["table", "json"])
def test_no_output_holds_a_role_hand_name_or_token(operator: Operator, as_json: bool, tmp_path: Path) -> None:
    for command in SILENT:
        operator.set_aside()
        result = operator("--yes", *arguments_of(operator, command, tmp_path), json_=as_json)
        assert result.exit_code in (0, 1), result.output
        said = (result.output + result.stdout).lower()
        assert said.strip()
        assert [secret for secret in secrets_of(operator.table) if secret.lower() in said] == []
        if as_json:
            json.loads(result.stdout)


def test_a_superfluous_argument_is_refused(operator: Operator, tmp_path: Path) -> None:
    for command, why in WRONG:
        result = operator("--yes", *arguments_of(operator, command, tmp_path))
        said = result.output
        assert (result.exit_code in (1, 2), why in said, "Traceback" in said) == (True, True, False), said
        assert isinstance(result.exception, SystemExit)
        assert [secret for secret in secrets_of(operator.table) if secret.lower() in said.lower()] == []


def test_every_command_is_known_to_keep_silent_and_to_refuse() -> None:
    assert {command[0] for command in SILENT} == set(main.commands)
    assert {command[0] for command, _ in WRONG} == set(main.commands)


def test_nothing_changes_before_it_is_confirmed(operator: Operator, tmp_path: Path) -> None:
    before = operator.harness.client.scan(TableName=TABLE)["Items"]
    for command in CHANGING:
        result = operator(*arguments_of(operator, command, tmp_path), input="n\n")
        if command[0] == "replay":
            assert "0 sent again" in result.stdout, "there is nothing to ask about"
            continue
        assert result.exit_code == 1
        assert "About to: " in result.output
        assert operator.harness.client.scan(TableName=TABLE)["Items"] == before, command


def test_nothing_is_done_that_could_not_be_written_down_before(
    operator: Operator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, harness = operator.cloud, operator.harness
    operator.send_dead_letters(1)
    monkeypatch.setattr(Audit, "record", Mock(side_effect=StoreUnavailable("put_item: ThrottlingException")))

    def everything() -> Any:
        queues = [made.outputs[name] for name in ("WakeupQueueUrl", "DeadLetterQueueUrl")]
        names = ["ApproximateNumberOfMessages"]
        waiting = [made("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=names) for url in queues]
        return (
            harness.client.scan(TableName=TABLE)["Items"],
            [queue["Attributes"] for queue in waiting],
            operator.secret(),
            harness.telegram.delivery.webhook,
            list(tmp_path.iterdir()),
        )

    before = everything()
    for command in CHANGING:
        result = operator("--yes", *arguments_of(operator, command, tmp_path))
        assert (result.exit_code, "ThrottlingException" in result.output) == (1, True), result.output
        assert everything() == before, command


class TestLooking:
    def test_a_rooms_row_says_what_it_does_and_since_when(self, anywhere: Operator) -> None:
        (row,) = [row for row in anywhere.json("rooms") if row["room"] == anywhere.key]
        assert (row["does"], row["unsent"]) == ("game 1, round 1", 0)
        assert row["since"].startswith("2027-01-15")

    def test_a_room_says_for_whose_seats_it_waits(self, anywhere: Operator) -> None:
        detail = anywhere.json("room", anywhere.key)
        assert anywhere.president is not None
        assert detail["waits for"] == f"nominate, of seats {anywhere.president + 1}"
        assert detail["ruleset"].startswith("classic@")

    def test_a_room_is_found_by_its_chats_number_alone(self, operator: Operator) -> None:
        assert operator.json("room", str(operator.table.group.id))["room"] == operator.key

    def test_revealing_shows_the_roles_and_leaves_a_record_before(self, anywhere: Operator) -> None:
        refused = anywhere("room", anywhere.key, "--reveal", input="n\n")
        assert refused.exit_code == 1
        assert "hitler" not in refused.output
        shown = anywhere("--yes", "room", anywhere.key, "--reveal")
        assert "hitler" in shown.stdout
        assert "Anastasia" in shown.stdout
        (record,) = anywhere.json("audit")
        assert (record["who"], record["what"], record["whom"]) == ("olga", "reveal", anywhere.key)


class TestTheDoctor:
    def test_the_doctor_finds_a_good_bot_fine(self, operator: Operator) -> None:
        found = operator.findings()
        looks = {what for what, row in found.items() if row["verdict"] != "fine"}
        assert looks <= {"beacon", "commands"}, found
        assert found["webhook"]["found"] == "0 updates wait"
        assert found["concurrency"]["found"] == "10 for 10 of 10"

    def test_says_that_the_webhook_is_somebody_elses(self, operator: Operator) -> None:
        operator.harness.telegram.call("setWebhook", {"url": "https://elsewhere.invalid/"})
        row = operator.findings()["webhook"]
        assert (row["verdict"], row["found"]) == ("bad", "not this stack's")
        assert operator("doctor").exit_code == 1

    def test_counts_dead_letters_and_the_accounts_concurrency(self, operator: Operator) -> None:
        operator.send_dead_letters(1)
        operator.cloud.concurrency = 9
        found = operator.findings()
        assert found["dead letters"]["found"] == "1"
        said = found["concurrency"]
        assert (said["verdict"], "MaxConnections=3" in said["to do"]) == ("look", True)

    @pytest.mark.parametrize(("reserved", "verdict"), [(3, "look"), (4, "fine")])
    def test_only_the_webhook_uses_its_reserve(self, operator: Operator, reserved: int, verdict: str) -> None:
        operator.cloud.outputs.update(ReservedConcurrency=str(reserved), MaxConnections="4")
        row = operator.findings()["concurrency"]
        assert (row["verdict"], row["found"]) == (verdict, f"{reserved} for 4 reserved")

    def test_at_home_looks_at_what_there_is(self, at_the_desk: Operator) -> None:
        at_the_desk.harness.telegram.call("deleteWebhook", {})
        found = at_the_desk.findings()
        assert found["webhook"]["verdict"] == "fine"
        assert not {"queue", "rooms"} & set(found), "it stands still meanwhile"


class TestChanging:
    def test_what_is_set_aside_is_listed_sent_again_or_dropped(self, operator: Operator) -> None:
        (one,) = operator.json("aside")
        assert (one["key"], one["why"]) == (operator.aside, "sendMessage to a private chat: NetworkError")
        before = len(operator.table.seat(1).texts())
        assert operator.json("retry", operator.aside) == {"retried": 1}
        assert operator.json("aside") == []
        operator.table.harness.watch()
        assert operator.table.seat(1).texts()[before:] == ["You are Hitler."]
        operator.set_aside()
        assert operator.json("drop", operator.aside) == {"dropped": operator.aside}
        assert operator.json("aside") == []

    def test_an_edit_that_was_set_aside_is_only_dropped(self, operator: Operator) -> None:
        operator.set_aside(method="editMessageText", target="seat1")
        operator.json("retry")
        assert operator.json("aside") == []
        assert operator.table.item().outbox == {}

    def test_unsticking_ends_a_rooms_waits_and_wakes_it(self, operator: Operator) -> None:
        group, later = operator.table.group.id, operator.harness.clock() + 9999
        stuck: Patch = {"pauses": {group: later}, "slot_runs": [(1.0, 2)], "next_wakeup_at": later}
        operator.rooms.save(operator.item(), Change(remembered=stuck))
        assert operator.json("unstick", operator.key)["woken"]
        assert not set(stuck) & set(operator.item().remembered.as_patch())

    def test_of_dead_letters_no_more_are_sent_again_than_was_said(self, operator: Operator) -> None:
        sqs, dead = operator.send_dead_letters(25, Wakeup(operator.key, 1.0, "clock").pack())
        assert operator.json("replay", "--most", "13") == {"sent": 13, "dead": 25}
        left = sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["ApproximateNumberOfMessages"])
        assert left["Attributes"]["ApproximateNumberOfMessages"] == "12"

    def test_slow_dead_letters_are_awaited(self, operator: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
        sqs, _ = operator.send_dead_letters(12, Wakeup(operator.key, 1.0, "clock").pack())
        honest = sqs.receive_message

        def receive(**arguments: Any) -> Any:
            """As SQS: a few at a time, and who does not wait may get none though there are some."""
            return honest(**{**arguments, "MaxNumberOfMessages": 1}) if "WaitTimeSeconds" in arguments else {}

        monkeypatch.setattr(sqs, "receive_message", receive)
        assert operator.json("replay")["sent"] == 12

    def test_orders_hold_without_a_deploy(self, anywhere: Operator) -> None:
        assert anywhere.harness.built.app.admission.orders is not None
        group = str(anywhere.table.group.id)
        anywhere.json("ban", "--", group)
        anywhere.json("pause")
        assert anywhere.findings()["orders"]["found"] == "no new games; 1 banned"
        assert anywhere.json("banned") == [{"who": int(group), "what": "group"}]
        anywhere.json("unban", group)
        assert anywhere.json("banned") == []
        anywhere.json("resume")
        kinds = [record["what"] for record in anywhere.json("audit")]
        assert kinds == ["resume", "unban", "pause", "ban"]

    def test_a_list_of_groups_is_kept_without_a_deploy(self, anywhere: Operator) -> None:
        assert "not listed get no answer" in anywhere("allow", "-5", input="n\n").output
        anywhere.json("allow", "--", "-5")
        anywhere.json("allow", "--", "-6")
        assert anywhere.json("allowed") == [{"group": -6}, {"group": -5}]
        anywhere.json("disallow", "--", "-6")
        assert "all groups may play" in anywhere("disallow", "-5", input="n\n").output
        anywhere.json("disallow", "--", "-5")
        assert anywhere.json("allowed") == []

    def test_a_list_is_not_kept_where_the_stacks_own_counts(self, operator: Operator) -> None:
        operator.cloud.parameters["AllowedChats"] = "-1"
        refused = operator("--yes", "allow", "-5")
        assert (refused.exit_code, "AllowedChats" in refused.output) == (1, True)

    def test_what_is_told_stands_in_the_group_as_it_was_written(self, operator: Operator) -> None:
        assert operator.json("tell", "Back at <four> & not before") == {"told": 1, "missed": 0}
        operator.harness.clock.advance(200)  # type: ignore[attr-defined]
        operator.harness.watch()
        assert operator.table.group_text() == "Back at <four> & not before"

    def test_a_group_is_exported_once_its_game_is_over(self, operator: Operator, tmp_path: Path) -> None:
        file = tmp_path / "group.json"
        refused = operator("--yes", "export", operator.key, "--to", str(file))
        assert (refused.exit_code, file.exists()) == (1, False)
        operator.table.elect(1)
        operator.table.finish()
        file.touch(mode=0o644)
        said = operator.json("export", operator.key, "--to", str(file))
        assert said["items"] == len(json.loads(file.read_text())) == 3
        assert file.stat().st_mode & 0o077 == 0

    def test_an_exported_game_is_looked_into(
        self, operator: Operator, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        operator.table.elect(1)
        operator.table.finish()
        group, game = tmp_path / "group.json", tmp_path / "game.json"
        operator.json("export", operator.key, "--to", str(group))
        assert sandbox(["explainable", "--archive", str(group), "--game", "99", str(game)]) == 1
        with deal(operator.table.match().game.chance):
            assert sandbox(["explainable", "--archive", str(group), str(game)]) == 0
        assert game.stat().st_mode & 0o077 == 0
        explain.main([str(game), "--seat", "1", "--round", "1"])
        told = capsys.readouterr().out
        assert "Round 1, seat 1 (" in told
        assert "because" in told

    def test_a_purged_group_is_gone_with_all_that_pointed_to_it(self, operator: Operator) -> None:
        operator.table.elect(1)
        operator.table.finish()
        assert operator.json("purge", operator.key)["deleted"] == 3
        app = operator.harness.built.app
        assert app.rooms.load(operator.key) is None
        for user in operator.table.people:
            kept = app.users.load(user.id)
            assert (kept.rooms, app.users.finished_games(user.id)) == (frozenset(), frozenset())
            assert kept.counts, "what somebody played stays theirs"

    def test_the_room_is_the_last_that_is_purged(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A stopped purge of a group that had become a supergroup could not be repeated."""
        kinds = [("room#-2", ROOM), ("room#-1", "game#1"), ("room#-1", "leaderboard"), ("room#-1", ROOM)]
        items: list[dict[str, dict[str, Any]]] = [
            {"pk": {"S": key}, "sk": {"S": kind}, "moved_to": {"S": "x"}, "people": {"M": {}}}
            for key, kind in kinds
        ]
        deleted = []
        bot = SimpleNamespace(
            set_aside=SimpleNamespace(all=lambda: ()),
            store=SimpleNamespace(
                call=lambda name, **given: deleted.append(tuple(one["S"] for one in given["Key"].values()))
            ),
        )
        monkeypatch.setattr(changes, "find_room", lambda *given: SimpleNamespace(key="room#-2"))
        monkeypatch.setattr(changes, "items_of_room", lambda *given: items)
        monkeypatch.setattr(changes, "_forget", lambda *given: None)
        changes.purge(cast(Bot, bot), "-2", lambda found: found)
        assert sorted(deleted) == sorted(kinds)
        assert deleted[-1] == ("room#-2", ROOM)

    def test_a_new_secret_is_stored_and_registered_only(self, operator: Operator) -> None:
        operator.json("rotate", "secret")
        fresh = operator.secret()
        assert (operator.hook.secret == fresh, fresh != "desk-secret", len(fresh) >= 48) == (True, True, True)

    @pytest.mark.parametrize(
        ("answer", "times"),
        [(too_many(7), 1), (bad_request("bad webhook"), 1), (Refusal(502, "Bad Gateway"), 9)],
    )
    def test_a_refused_secret_is_not_kept(self, operator: Operator, answer: Refusal, times: int) -> None:
        refuse(operator.harness.telegram, answer, "setWebhook", times=times)
        result = operator("--yes", "rotate", "secret")
        assert result.exit_code == 1
        assert re.search("the old secret is back in the store|rotate the secret again", result.output)
        assert operator.secret() == "desk-secret"
        assert operator.hook.secret == "desk-secret"

    def test_an_unconfirmed_secret_is_told_once_more(self, operator: Operator) -> None:
        refuse(operator.harness.telegram, Refusal(502, "Bad Gateway"), "setWebhook", times=2)
        operator.json("rotate", "secret")
        kept = operator.secret()
        assert (operator.hook.secret == kept, kept != "desk-secret") == (True, True)

    def test_a_lost_secret_is_explained(self, operator: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
        vault = operator.cloud("secretsmanager")
        honest = vault.put_secret_value

        def once(**arguments: Any) -> Any:
            if arguments["SecretString"] == "desk-secret":
                response: Any = {"Error": {"Code": "Throttled", "Message": "quotes desk-secret"}}
                raise ClientError(response, "PutSecretValue")
            return honest(**arguments)

        monkeypatch.setattr(vault, "put_secret_value", once)
        refuse(operator.harness.telegram, too_many(7), "setWebhook", times=1)
        said = operator("--yes", "rotate", "secret").output
        assert "every update is refused until you rotate the secret again" in said
        assert "desk-secret" not in said

    @pytest.mark.parametrize(("token", "why"), [
        ("hello", "that is no token"),
        ("99999:" + "x" * 35, "another bot's token"),
        ("424242:" + "x" * 35, "does not take that token"),
    ])  # fmt: skip
    def test_another_bots_token_changes_nothing(self, operator: Operator, token: str, why: str) -> None:
        result = operator("--yes", "rotate", "token", input=f"{token}\n")
        assert (result.exit_code, why in result.output, token in result.output) == (1, True, False)
        assert operator.secret("token") == operator.harness.telegram.token

    def test_the_bots_new_token_is_typed_in_and_put_into_the_store(self, operator: Operator) -> None:
        fresh = operator.harness.telegram.token = "424242:" + "y" * 35
        result = operator("--yes", "rotate", "token", input=f"{fresh}\n")
        assert (result.exit_code, fresh in result.output) == (0, False)
        assert operator.secret("token") == fresh

    def test_at_home_what_is_ordered_holds_once_the_bot_runs_again(self, at_the_desk: Operator) -> None:
        for command in (("pause",), ("ban", "5"), ("unban", "5"), ("resume",), ("unstick", at_the_desk.key)):
            assert "once the bot runs again" in at_the_desk("--yes", *command).stdout
        assert "told once the bot runs again: 1 room;" in at_the_desk("--yes", "tell", "hello").stdout

    def test_at_home_there_is_nothing_to_rotate_or_to_replay(self, at_the_desk: Operator) -> None:
        for command in (("rotate", "secret"), ("replay",)):
            result = at_the_desk("--yes", *command)
            assert (result.exit_code, "Traceback" in result.output) == (1, False)


class TestABotThatRunsAtHome:
    """The operator's commands go through the socket, and the bot need not be stopped."""

    @pytest.fixture
    def running(self, tmp_path: Path) -> Iterator[Operator]:
        clock, path = VirtualClock(), tmp_path / "424242.sqlite3"
        with open_table(path) as kept, harness_in_memory(clock, client=Client(kept)) as harness:
            table = Table(harness).add_people("Anna", "Ben", "Clara", "David", "Emma").open(5)
            serving = serve_socket(socket_path(tmp_path, "424242"), kept.run, harness.queue.put)

            def opened(leaving: ExitStack) -> Any:
                more = {"clock": clock, "request": StandinRequest(harness.telegram), "beacon": "off"}
                return leaving.enter_context(at_home(tmp_path, "424242:x", operator="olga", **more))

            with serving:
                yield Operator(harness, table, opened)

    def test_what_is_ordered_holds_at_once(self, running: Operator) -> None:
        assert "within half a minute" in running("--yes", "pause").stdout
        running.harness.clock.advance(31)  # type: ignore[attr-defined]
        running.table.cancel(running.table.people[0])
        running.table.say(running.table.people[0], "/newgame")
        assert running.table.room().lobby is None
        running.json("resume")
        running.json("ban", "--", str(running.table.group.id))
        running.harness.clock.advance(31)  # type: ignore[attr-defined]
        running.table.say(running.table.people[0], "/newgame")
        assert running.table.room().lobby is None

    def test_what_is_told_is_sent_by_the_bot(self, running: Operator) -> None:
        assert running.json("tell", "Back at four") == {"told": 1, "missed": 0}
        running.harness.settle()
        assert running.table.group_text() == "Back at four"


class TestPlaces:
    def test_one_of_the_two_must_be_named(self) -> None:
        result = CliRunner().invoke(main, ["rooms"])
        assert (result.exit_code, "--stack NAME or --home FOLDER" in result.output) == (2, True)

    def test_a_stack_of_an_older_version_says_what_it_lacks(self, operator: Operator) -> None:
        del operator.cloud.outputs["WebhookUrl"]
        result = operator("rooms")
        assert (result.exit_code, "has no output WebhookUrl" in result.output) == (1, True)

    def test_a_foreign_store_is_left_alone(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BOT_TOKEN", "5:x")
        with open_table(tmp_path / "5.sqlite3"):
            result = CliRunner().invoke(main, ["--home", str(tmp_path), "rooms"])
        assert (result.exit_code, "is in use" in result.output) == (1, True)

    @pytest.mark.parametrize("place", [("--stack", "x"), ("--home", "y")])
    def test_telegram_is_reached_alike(self, place: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
        asked: dict[str, Any] = {}

        def opened(*_: Any, **more: Any) -> Any:
            asked.update(more)
            raise CannotRun("enough is known")

        monkeypatch.setattr("operate.commands.stack", opened)
        monkeypatch.setattr("operate.commands.at_home", opened)
        monkeypatch.setenv("TELEGRAM_API_URL", "http://127.0.0.1:8081/")
        assert "enough is known" in CliRunner().invoke(main, [*place, "rooms"]).output
        assert asked["api_url"] == "http://127.0.0.1:8081"

    def test_a_bot_that_never_ran_is_not_made(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BOT_TOKEN", "5:x")
        result = CliRunner().invoke(main, ["--home", str(tmp_path), "rooms"])
        assert (result.exit_code, list(tmp_path.iterdir())) == (1, [])


def test_a_user_without_a_name_is_recorded_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = Mock(side_effect=KeyError("getpwuid(): uid not found: 10001"))
    monkeypatch.setattr("operate.bot.getpass.getuser", unknown)
    assert user_name().isdigit()
