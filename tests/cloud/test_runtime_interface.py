"""The entries under Lambda's real runtime interface, on the bundle that ships; all around it is local."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer

from infra.schema import create_table
from sandbox.lambda_runtime import (
    LambdaRuntime,
    ToolMissing,
    build_bundle,
    emulator,
    function_url_event,
    install_client,
    python,
    update_event,
)
from sandbox.telegram import Telegram
from sandbox.telegram.server import Server
from tests.cloud.conftest import Missing

pytestmark = [pytest.mark.cloud]

SECRET = "a-secret-of-the-webhook"
FLOOR = """
import telegram
import boto3
client = boto3.client("dynamodb")

def handler(event, context):
    return {"statusCode": 200}
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory, missing: Missing) -> Path:
    """What ships, for this machine, as read-only as Lambda mounts it."""
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


@dataclass
class Cloud:
    """AWS and Telegram on loopback ports."""

    aws: str
    telegram: Telegram
    telegram_url: str
    environment: dict[str, str] = field(default_factory=dict)

    def service(self, name: str) -> Any:
        make: Any = boto3.client
        return make(name, endpoint_url=self.aws, region_name="eu-central-1")

    def items(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.service("dynamodb").scan(TableName="rooms")["Items"]
        return found


@contextmanager
def serving(telegram: Telegram) -> Iterator[str]:
    """The stand-in on a loopback port, on an event loop of its own; gives its address."""
    server = Server(telegram)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(10)
    try:
        yield server.url
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cloud]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    aws = ThreadedMotoServer("127.0.0.1", 0)
    aws.start()
    host, port = aws.get_host_and_port()
    # moto's state belongs to the process, not to the server.
    reset = urllib.request.Request(f"http://{host}:{port}/moto-api/reset", method="POST")
    urllib.request.urlopen(reset, timeout=10).close()
    telegram = Telegram(time.time)
    with serving(telegram) as url:
        cloud = Cloud(f"http://{host}:{port}", telegram, url)
        create_table(cloud.service("dynamodb"), "rooms")
        queue = cloud.service("sqs").create_queue(QueueName="wakeups")["QueueUrl"]
        for name, value in (("token", telegram.token), ("secret", SECRET)):
            cloud.service("secretsmanager").create_secret(Name=name, SecretString=value)
        cloud.environment = {
            "AWS_ENDPOINT_URL": cloud.aws,
            "TELEGRAM_API_URL": url,
            "TABLE_NAME": "rooms",
            "QUEUE_URL": queue,
            "BOT_USERNAME": telegram.bot.username or "",
            "BOT_TOKEN_PARAMETER": "token",
            "WEBHOOK_SECRET_PARAMETER": "secret",
            "POWERTOOLS_SERVICE_NAME": "chancellery",
            "POWERTOOLS_METRICS_NAMESPACE": "chancellery/test",
        }
        yield cloud
    aws.stop()


@pytest.fixture
def webhook(bundle: Path, client: Path, cloud: Cloud) -> Iterator[LambdaRuntime]:
    with LambdaRuntime(bundle, "handlers.webhook.handler", cloud.environment, client=client) as runtime:
        yield runtime


def deliver_all(runtime: LambdaRuntime, telegram: Telegram) -> list[int]:
    """Hand everything that waits to the webhook, as Telegram would; returns the statuses."""
    statuses = []
    for pending in telegram.delivery.pending():
        answer = runtime.invoke(update_event(pending.update, SECRET))
        statuses.append(answer["statusCode"])
        telegram.delivery.pull(pending.id + 1, 1)
        if answer.get("body"):
            call = json.loads(answer["body"])
            telegram.call(call.pop("method"), call, via="webhook")
    return statuses


def test_a_wrong_or_missing_secret_is_401_and_nothing_else_happens(
    webhook: LambdaRuntime, cloud: Cloud
) -> None:
    update = {"update_id": 1, "message": {}}
    for secret in (None, "", "wrong", SECRET + "x"):
        assert webhook.invoke(update_event(update, secret)) == {"statusCode": 401}
    assert cloud.items() == []
    assert cloud.telegram.journal.calls == []


def test_what_is_no_update_is_taken_and_changes_nothing(webhook: LambdaRuntime, cloud: Cloud) -> None:
    header = {"x-telegram-bot-api-secret-token": SECRET}
    for body in (b"", b"not json", b"[]", b'{"update_id": "x"}', b'{"update_id": 5, "poll": {}}'):
        assert webhook.invoke(function_url_event(body, header))["statusCode"] == 200
    not_text = function_url_event(b"\xff\xfe{}", header, encoded=True)
    assert webhook.invoke(not_text)["statusCode"] == 200
    assert cloud.items() == []
    assert cloud.telegram.journal.calls == []


def test_newgame_in_a_group_is_stored_and_answered_by_a_lobby(webhook: LambdaRuntime, cloud: Cloud) -> None:
    ann = cloud.telegram.add_user("Ann")
    group = cloud.telegram.add_group("The Chancellery", [ann])
    cloud.telegram.send(ann, group, "/newgame")
    assert set(deliver_all(webhook, cloud.telegram)) == {200}
    assert [item["pk"]["S"] for item in cloud.items()] == [f"room#{group.id}"]
    (lobby,) = [view for view in cloud.telegram.chat_view(group) if view.keyboard]
    assert lobby.text
    assert cloud.telegram.violations == []
    said = webhook.log()
    assert cloud.telegram.token not in said
    assert SECRET not in said
    assert "Ann" not in said


def test_a_wake_up_sends_what_telegram_did_not_take_and_the_schedule_finds_nothing_more(
    bundle: Path, client: Path, webhook: LambdaRuntime, cloud: Cloud
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
    assert deliver_all(webhook, cloud.telegram) == [200]
    assert not [view for view in cloud.telegram.chat_view(group) if view.keyboard]
    queue = cloud.environment["QUEUE_URL"]
    (message,) = cloud.service("sqs").receive_message(QueueUrl=queue, WaitTimeSeconds=20)["Messages"]
    records = [
        {"messageId": "good", "body": message["Body"]},
        {"messageId": "bad", "body": "no wake-up of ours"},
    ]
    with LambdaRuntime(bundle, "handlers.wakeup.handler", cloud.environment, client=client) as runtime:
        assert runtime.invoke({"Records": records}) == {"batchItemFailures": [{"itemIdentifier": "bad"}]}
        assert runtime.invoke({"source": "aws.events", "detail-type": "Scheduled Event"}) == {}
    assert len([view for view in cloud.telegram.chat_view(group) if view.keyboard]) == 1


def test_setup_identifies_the_bot_and_sets_its_webhook(bundle: Path, client: Path, cloud: Cloud) -> None:
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
        "RequestType": "Create",
        "ResponseURL": f"http://127.0.0.1:{signed.server_port}/?signature=1",
        "StackId": "stack",
        "RequestId": "request",
        "LogicalResourceId": "Webhook",
        "ResourceProperties": {"Url": "http://127.0.0.1:9/hook", "MaxConnections": "40"},
    }
    try:
        with LambdaRuntime(bundle, "handlers.setup.handler", cloud.environment, client=client) as runtime:
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


def test_the_cold_start_is_near_the_floor_of_its_imports(
    bundle: Path, client: Path, cloud: Cloud, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "floor.py").write_text(FLOOR)
    ann = cloud.telegram.add_user("Ann")
    group = cloud.telegram.add_group("The Chancellery", [ann])
    floors, colds, warms = [], [], []
    for _ in range(3):
        with LambdaRuntime(
            tmp_path, "floor.handler", cloud.environment, client=client, path=(bundle,)
        ) as runtime:
            runtime.invoke({})
            floors.append(runtime.usage())
        with LambdaRuntime(bundle, "handlers.webhook.handler", cloud.environment, client=client) as runtime:
            cloud.telegram.send(ann, group, "/newgame")
            deliver_all(runtime, cloud.telegram)
            colds.append(runtime.usage())
            began = time.perf_counter()
            for _ in range(10):
                cloud.telegram.send(ann, group, "/status")
                deliver_all(runtime, cloud.telegram)
            warms.append((time.perf_counter() - began) * 100)
    floor, cold = min(usage.cpu_ms for usage in floors), min(usage.cpu_ms for usage in colds)
    peak = max(usage.peak_mb for usage in colds)
    with capsys.disabled():
        print(
            f"\ncold start: {cold:.0f} ms of processor to the first answer, floor {floor:.0f} ms "
            f"({cold / floor:.2f}); peak {peak:.0f} MB; warm update {min(warms):.1f} ms in all"
        )
    # The figure to reach is 1.3 (`make bench`). Compiling at the start, which this guards against, costs 5.
    assert cold <= 2.5 * floor
    assert peak <= 160
