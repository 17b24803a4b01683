"""The stack's two custom resources, against the Telegram stand-in."""

from __future__ import annotations

import json
import logging
from typing import Any
from unittest.mock import Mock

import pytest
from telegram.error import TimedOut

from bot.display.commands import ALLOWED_UPDATES
from handlers.service import completeness
from handlers.setup import StackSetup
from infra.custom_resource import put_answer
from sandbox.telegram.calls import bad_request, too_many
from sandbox.telegram.core import Telegram
from sandbox.telegram.delivery import Webhook
from sandbox.telegram.transport import StandinRequest
from tests.infra.telegram.loopback import Loopback
from tests.refusing import refuse

URL = "https://abc.lambda-url.eu-central-1.on.aws/"
SIGNED = "https://cloudformation.example/?signature=secret"
SECRET = "s3cret_webhook-token"


class Stack:
    """CloudFormation: sends requests to the entry and keeps its answers."""

    def __init__(self, telegram: Telegram, token: str | None = None) -> None:
        self.telegram = telegram
        self.answers: list[dict[str, Any]] = []
        self.waited: list[float] = []
        secrets = {"token-of-the-bot": token or telegram.token, "secret-of-the-webhook": SECRET}
        self.setup = StackSetup(
            environment={
                "BOT_TOKEN_PARAMETER": "token-of-the-bot",
                "WEBHOOK_SECRET_PARAMETER": "secret-of-the-webhook",
            },
            fetch=lambda name: secrets[name],
            transport=StandinRequest(telegram),
            put=self._keep,
            sleep=self._sleep,
        )

    def _keep(self, address: str, body: bytes) -> None:
        assert address == SIGNED
        self.answers.append(json.loads(body))

    async def _sleep(self, seconds: float) -> None:
        self.waited.append(seconds)

    def ask(self, request: str, kind: str, physical_id: str | None = None, **more: str) -> dict[str, Any]:
        """Send one request; return the answer that CloudFormation got."""
        event: dict[str, Any] = {
            "RequestType": request, "ResponseURL": SIGNED,
            "StackId": "arn:aws:cloudformation:eu-central-1:1:stack/bot/1", "RequestId": "request-1",
            "LogicalResourceId": kind.title(),
            "ResourceProperties": {"Kind": kind, "Url": URL, "MaxConnections": "40", **more},
        }  # fmt: skip
        if physical_id is not None:
            event["PhysicalResourceId"] = physical_id
        self.setup.handle(event, 60.0)
        return self.answers[-1]


@pytest.fixture
def telegram() -> Telegram:
    return Telegram(lambda: 1_800_000_000.0)


@pytest.fixture
def stack(telegram: Telegram) -> Stack:
    return Stack(telegram)


def test_identity_tells_the_template_who_the_bot_is(stack: Stack, telegram: Telegram) -> None:
    answer = stack.ask("Create", "identity")
    assert answer["Status"] == "SUCCESS"
    assert answer["Data"] == {"BotUsername": telegram.bot.username, "BotId": str(telegram.bot.id)}
    assert telegram.delivery.webhook is None


def test_an_answer_names_the_request_that_it_answers(stack: Stack) -> None:
    answer = stack.ask("Create", "identity")
    assert answer["StackId"].endswith("stack/bot/1")
    assert (answer["RequestId"], answer["LogicalResourceId"]) == ("request-1", "Identity")


def test_webhook_registers_address_secret_and_updates(stack: Stack, telegram: Telegram) -> None:
    assert stack.ask("Create", "webhook", MaxConnections="25")["Status"] == "SUCCESS"
    assert telegram.delivery.webhook == Webhook(URL, SECRET, 25)
    assert telegram.delivery.allowed == frozenset(ALLOWED_UPDATES)
    assert telegram.violations == []


def test_a_deploy_needs_everything(stack: Stack, telegram: Telegram, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completeness, "gaps", lambda: iter(["the fact 'x' has no line"]))
    answer = stack.ask("Update", "webhook", "telegram-webhook")
    assert (answer["Status"], answer["Reason"]) == ("FAILED", "the fact 'x' has no line")
    assert [call.method for call in telegram.journal] == []


def test_only_the_webhook_decides_a_deploy(stack: Stack, telegram: Telegram) -> None:
    for method in ("setMyCommands", "setMyDescription", "setMyShortDescription"):
        refuse(telegram, too_many(600), method)
    assert stack.ask("Create", "webhook")["Status"] == "SUCCESS"
    assert [call.method for call in telegram.journal] == ["setWebhook"]


@pytest.mark.parametrize("kind", ["identity", "webhook"])
def test_an_update_keeps_the_physical_id(stack: Stack, kind: str) -> None:
    created = stack.ask("Create", kind)["PhysicalResourceId"]
    moved = stack.ask("Update", kind, created, Url="https://new.lambda-url.eu-central-1.on.aws/")
    assert moved["PhysicalResourceId"] == created


def test_deleting_the_stack_removes_its_webhook(stack: Stack, telegram: Telegram) -> None:
    stack.ask("Create", "webhook")
    assert stack.ask("Delete", "webhook", "telegram-webhook")["Status"] == "SUCCESS"
    assert telegram.delivery.webhook is None


def test_deleting_the_stack_leaves_anothers_webhook(stack: Stack, telegram: Telegram) -> None:
    theirs = telegram.delivery.webhook = Webhook("https://elsewhere.example/", "other", 40)
    assert stack.ask("Delete", "webhook", "telegram-webhook")["Status"] == "SUCCESS"
    assert telegram.delivery.webhook is theirs


def test_deleting_the_identity_asks_telegram_nothing(stack: Stack, telegram: Telegram) -> None:
    assert stack.ask("Delete", "identity", "telegram-identity")["Status"] == "SUCCESS"
    assert telegram.journal == []


def test_a_stack_is_removable_even_when_telegram_is_not_reached(stack: Stack, telegram: Telegram) -> None:
    telegram.before_call.append(Mock(side_effect=TimedOut))
    assert stack.ask("Delete", "webhook", "telegram-webhook")["Status"] == "SUCCESS"
    assert stack.ask("Create", "webhook")["Status"] == "FAILED"


def test_a_wrong_token_fails_and_stays_unnamed(telegram: Telegram, caplog: pytest.LogCaptureFixture) -> None:
    wrong = "987654321:AAwrongwrongwrongwrongwrongwrongwro"
    caplog.set_level(logging.DEBUG)
    answer = Stack(telegram, token=wrong).ask("Create", "identity")
    assert answer["Status"] == "FAILED"
    assert answer["Reason"] == "Telegram does not take the token"
    assert wrong not in caplog.text
    assert SIGNED not in caplog.text


def test_the_token_stays_out_of_every_reason(stack: Stack, telegram: Telegram) -> None:
    error = ValueError(f"cannot reach https://api.telegram.org/bot{telegram.token}/getMe")
    telegram.before_call.append(Mock(side_effect=error))
    answer = stack.ask("Create", "identity")
    assert answer["Status"] == "FAILED"
    assert telegram.token not in json.dumps(answer)


@pytest.mark.parametrize(("kind", "method"), [("identity", "getMe"), ("webhook", "setWebhook")])
def test_a_short_wait_is_waited_as_asked(stack: Stack, telegram: Telegram, kind: str, method: str) -> None:
    refuse(telegram, too_many(3), method, times=1)
    assert stack.ask("Create", kind)["Status"] == "SUCCESS"
    assert stack.waited == [3.0]


def test_a_long_wait_fails_the_stack_and_says_why(stack: Stack, telegram: Telegram) -> None:
    refuse(telegram, too_many(600), "setWebhook")
    answer = stack.ask("Create", "webhook")
    assert answer["Status"] == "FAILED"
    assert answer["Reason"] == "retry after 600 s"
    assert stack.waited == []


def test_a_missing_variable_is_named(stack: Stack) -> None:
    nameless = StackSetup({}, fetch=lambda name: "", put=stack._keep)
    event = {
        "RequestType": "Create", "ResponseURL": SIGNED, "StackId": "stack", "RequestId": "request",
        "LogicalResourceId": "BotIdentity", "ResourceProperties": {"Kind": "identity"},
    }  # fmt: skip
    nameless.handle(event, 60.0)
    assert stack.answers[-1]["Reason"] == "environment: missing: BOT_TOKEN_PARAMETER"


def test_an_unknown_kind_of_resource_is_refused(stack: Stack) -> None:
    assert stack.ask("Create", "teapot")["Status"] == "FAILED"


def test_telegrams_own_refusal_reaches_the_operator(stack: Stack, telegram: Telegram) -> None:
    refuse(telegram, bad_request("bad webhook: IP address 10.0.0.1 is reserved"), "setWebhook")
    assert "bad webhook" in stack.ask("Create", "webhook")["Reason"]


def test_an_undelivered_answer_is_tried_again() -> None:
    waited: list[float] = []
    with pytest.raises(OSError, match="could not be answered") as caught:
        put_answer("http://127.0.0.1:9/?signature=secret", b"{}", waited.append)
    assert waited == [1.0, 2.0, 4.0]
    assert "signature" not in str(caught.value)


def test_an_answer_that_got_lost_is_given_again_and_then_no_more() -> None:
    with Loopback() as cloudformation:
        cloudformation.hang_up = True

        def wait(seconds: float) -> None:
            cloudformation.hang_up = False

        put_answer(f"{cloudformation.url}/?signature=secret", b"{}", wait)
    assert cloudformation.bodies == [b"{}", b"{}"]
