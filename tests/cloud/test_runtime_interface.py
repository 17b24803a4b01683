"""The entries under Lambda's real runtime interface, on the bundle that ships; all around it is local."""

from __future__ import annotations

import base64
import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from sandbox.bench.cold import REACH, measure
from sandbox.lambda_runtime import (
    SECRET,
    LambdaRuntime,
    LocalCloud,
    ToolMissing,
    build_bundle,
    emulator,
    install_client,
    local_cloud,
    python,
    running_lambda,
    update_event,
)
from tests.cloud.conftest import Missing

pytestmark = [pytest.mark.cloud]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory, missing: Missing) -> Path:
    """Return what ships, for this machine, as read-only as Lambda mounts it."""
    if sys.version_info[:2] != (3, 13):
        missing("this test under Python 3.13 (make test-cloud)")
    try:
        emulator(), python()
    except ToolMissing as tool:
        missing(str(tool))
    return build_bundle(tmp_path_factory.mktemp("lambda") / "task")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_client(tmp_path_factory.mktemp("runtime-client"))


@pytest.fixture
def cloud() -> Iterator[LocalCloud]:
    with local_cloud() as cloud:
        yield cloud


@pytest.fixture
def webhook(bundle: Path, client: Path, cloud: LocalCloud) -> Iterator[LambdaRuntime]:
    with running_lambda(bundle, "handlers.webhook.handler", cloud.environment, client=client) as runtime:
        yield runtime


def test_a_wrong_or_missing_secret_is_401(webhook: LambdaRuntime, cloud: LocalCloud) -> None:
    update = {"update_id": 1, "message": {}}
    for secret in (None, "", "wrong", SECRET + "x"):
        assert webhook.invoke(update_event(update, secret)) == {"statusCode": 401}
    assert cloud.items() == []
    assert cloud.telegram.journal == []


def test_what_is_no_update_is_taken_and_changes_nothing(webhook: LambdaRuntime, cloud: LocalCloud) -> None:
    event = update_event({}, SECRET)
    for body in ("", "not json", "[]", '{"update_id": "x"}', '{"update_id": 5, "poll": {}}'):
        assert webhook.invoke({**event, "body": body})["statusCode"] == 200
    not_text = {"body": base64.b64encode(b"\xff\xfe{}").decode(), "isBase64Encoded": True}
    assert webhook.invoke({**event, **not_text})["statusCode"] == 200
    assert cloud.items() == []
    assert cloud.telegram.journal == []


def test_newgame_is_stored_and_answered_by_a_lobby(webhook: LambdaRuntime, cloud: LocalCloud) -> None:
    ann = cloud.telegram.add_user("Ann")
    group = cloud.telegram.add_group("The Chancellery", [ann])
    cloud.telegram.send(ann, group, "/newgame")
    assert set(cloud.deliver(webhook)) == {200}
    assert {item["pk"]["S"] for item in cloud.items()} == {"limiter", f"room#{group.id}", f"user#{ann.id}"}
    (lobby,) = [view for view in cloud.telegram.chat_view(group) if view.keyboard]
    assert lobby.text
    assert cloud.telegram.violations == []
    said = webhook.log()
    assert cloud.telegram.token not in said
    assert SECRET not in said
    assert "Ann" not in said


def test_a_wakeup_sends_what_telegram_did_not_take(
    bundle: Path, client: Path, webhook: LambdaRuntime, cloud: LocalCloud
) -> None:
    refused: list[str] = []

    def busy(call: Any) -> dict[str, Any] | None:
        if call.method != "sendMessage" or refused:
            return None
        refused.append(call.method)
        return {"ok": False, "error_code": 500, "description": "Internal Server Error"}

    cloud.telegram.before_call.append(busy)
    ann = cloud.telegram.add_user("Ann")
    group = cloud.telegram.add_group("The Chancellery", [ann])
    cloud.telegram.send(ann, group, "/newgame")
    assert cloud.deliver(webhook) == [200]
    assert not [view for view in cloud.telegram.chat_view(group) if view.keyboard]
    queue = cloud.environment["QUEUE_URL"]
    (message,) = cloud.service("sqs").receive_message(QueueUrl=queue, WaitTimeSeconds=20)["Messages"]
    records = [
        {"messageId": "good", "body": message["Body"]},
        {"messageId": "bad", "body": "no wake-up of ours"},
    ]
    with running_lambda(bundle, "handlers.wakeup.handler", cloud.environment, client=client) as runtime:
        # A record that is not a wake-up will never be one: it is logged, not tried again.
        assert runtime.invoke({"Records": records}) == {"batchItemFailures": []}
        assert runtime.invoke({"source": "aws.events", "detail-type": "Scheduled Event"}) == {}
    assert len([view for view in cloud.telegram.chat_view(group) if view.keyboard]) == 1


def test_setup_identifies_the_bot_and_sets_its_webhook(bundle: Path, client: Path, cloud: LocalCloud) -> None:
    answers: list[dict[str, Any]] = []

    class CloudFormation(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            answers.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Silence."""

    signed = HTTPServer(("127.0.0.1", 0), CloudFormation)
    thread = threading.Thread(target=signed.serve_forever, daemon=True)
    thread.start()
    event = {
        "RequestType": "Create", "ResponseURL": f"http://127.0.0.1:{signed.server_port}/?signature=1",
        "StackId": "stack", "RequestId": "request", "LogicalResourceId": "Webhook",
        "ResourceProperties": {"Url": "http://127.0.0.1:9/hook", "MaxConnections": "40"},
    }  # fmt: skip
    try:
        with running_lambda(bundle, "handlers.setup.handler", cloud.environment, client=client) as runtime:
            for kind in ("identity", "webhook"):
                event["ResourceProperties"]["Kind"] = kind  # type: ignore[index]
                assert runtime.invoke(event) is None
            said = runtime.log()
    finally:
        signed.shutdown()
        thread.join(10)
        signed.server_close()
    assert [answer["Status"] for answer in answers] == ["SUCCESS", "SUCCESS"]
    assert answers[0]["Data"]["BotUsername"] == cloud.telegram.bot.username
    assert cloud.telegram.delivery.webhook is not None
    assert cloud.telegram.delivery.webhook.secret == SECRET
    assert cloud.telegram.token not in said
    assert SECRET not in said


def test_the_watchdog_registers_commands_and_counts_its_round(
    bundle: Path, client: Path, cloud: LocalCloud
) -> None:
    environment = {**cloud.environment, "SETUP_REVISION": "1", "WEBHOOK_URL": "http://127.0.0.1:9/"}
    with running_lambda(bundle, "handlers.wakeup.handler", environment, client=client) as runtime:
        for _ in range(2):
            assert runtime.invoke({"source": "aws.events", "detail-type": "Scheduled Event"}) == {}
        said = runtime.log()
    assert said.count('"WatchdogRound"') >= 2
    calls = [call.method for call in cloud.telegram.journal]
    assert calls.count("setMyDescription") == len({language for _, language in cloud.telegram.commands})
    assert {item["sk"]["S"] for item in cloud.items()} == {"registering", "daily"}


def test_an_alarm_is_told_in_the_operators_chat(bundle: Path, client: Path, cloud: LocalCloud) -> None:
    olga = cloud.telegram.add_user("Olga", started=True)
    alarm = {"AlarmName": "game-OutboxAge", "NewStateValue": "ALARM", "AlarmDescription": "Messages wait."}
    event = {"Records": [{"Sns": {"Message": json.dumps(alarm)}}]}
    environment = {**cloud.environment, "ALARM_CHAT": str(olga.id)}
    with running_lambda(bundle, "handlers.alarm.handler", environment, client=client) as runtime:
        assert runtime.invoke(event) is None
    (told,) = cloud.telegram.private_view(olga)
    assert told.text == "🔴 game-OutboxAge: ALARM\nMessages wait."


def test_the_cold_start_is_near_the_floor_of_its_imports(
    bundle: Path, client: Path, cloud: LocalCloud, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = measure(bundle, client, cloud, tmp_path, rounds=3)
    with capsys.disabled():
        print(f"\ncold start: {measured}")
    # The goal is for a quiet machine and `make bench`. Here, a round beside other work may take much longer,
    # so the bound is loose: tests/infra/test_startup.py says which modules a tap may import, and this test
    # only catches the cost of a mistake, such as a bundle that is compiled at each start. A command posts its
    # lobby, so its floor posts a message, too.
    assert measured["command"] / measured["posting"] <= REACH + 0.75
    assert measured["tap"] / measured["floor"] <= REACH + 0.75
    assert measured["MB"] <= 160
