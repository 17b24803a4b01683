"""The environment is checked at the start, and errors are named without their values."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import Mock

import boto3
import pytest

from bot.rooms.sealing import QUICKNET, quicknet_at
from infra.configuration import NO_BEACON, Configuration, ConfigurationError
from infra.secrets import Secrets, SecretUnavailable, secrets_client

DEPLOYED = {
    "TABLE_NAME": "rooms", "QUEUE_URL": "https://sqs.eu-central-1.amazonaws.com/1/wakeups",
    "BOT_USERNAME": "chancellery_bot", "BOT_TOKEN_PARAMETER": "bot/token",
    "WEBHOOK_SECRET_PARAMETER": "bot/webhook",
}  # fmt: skip
ENVIRONMENT = {
    "TABLE_NAME": "rooms", "QUEUE_URL": "http://127.0.0.1:5000/1/wakeups",
    "BOT_USERNAME": "chancellery_bot", "BOT_TOKEN": "42:abc", "WEBHOOK_SECRET": "s3cret",
    "TELEGRAM_API_URL": "http://127.0.0.1:8081/",
}  # fmt: skip


def test_a_deployed_environment_names_its_secrets() -> None:
    settings = Configuration.from_environment({**DEPLOYED, "PATH": "/bin"})
    assert settings.bot_token_parameter == "bot/token"
    assert settings.bot_token is None
    assert settings.telegram_api_url == "https://api.telegram.org"


def test_a_desk_has_its_secrets_in_clear_and_its_own_telegram() -> None:
    settings = Configuration.from_environment(ENVIRONMENT)
    assert (settings.bot_token, settings.webhook_secret) == ("42:abc", "s3cret")
    assert settings.telegram_api_url == "http://127.0.0.1:8081"


def test_everything_missing_is_named_in_one_line() -> None:
    with pytest.raises(ConfigurationError) as caught:
        Configuration.from_environment({})
    assert str(caught.value) == "environment: missing: BOT_USERNAME, QUEUE_URL, TABLE_NAME"


@pytest.mark.parametrize(("name", "value"), [
    ("TABLE_NAME", "no spaces allowed"), ("QUEUE_URL", "ftp://x"), ("BOT_USERNAME", "@bot"),
    ("BOT_TOKEN", "not-a-token"), ("WEBHOOK_SECRET", "with space"), ("TELEGRAM_API_URL", "telegram"),
    ("ALLOWED_CHATS", "-100, -200"), ("DRAIN", "perhaps"), ("BEACON", "https://api.drand.sh, drand"),
    ("BEACON", "drand"), ("BEACON", "http://api.drand.sh"), ("BEACON", "http://localhost.example"),
])  # fmt: skip
def test_a_malformed_variable_is_named_without_its_value(name: str, value: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Configuration.from_environment({**ENVIRONMENT, name: value})
    assert str(caught.value) == f"environment: malformed: {name}"
    told: BaseException | None = caught.value
    while told is not None:  # not even in the printed chain of exceptions
        assert value not in str(told)
        told = told.__context__


def test_what_is_missing_and_what_is_malformed_is_named_together() -> None:
    with pytest.raises(ConfigurationError) as caught:
        Configuration.from_environment(
            {**ENVIRONMENT, "TABLE_NAME": "", "DRAIN": "perhaps", "QUEUE_URL": "ftp://x"}
        )
    assert str(caught.value) == "environment: missing: TABLE_NAME; malformed: DRAIN, QUEUE_URL"


@pytest.mark.parametrize("name", ["BOT_TOKEN", "WEBHOOK_SECRET"])
def test_each_secret_comes_from_exactly_one_place(name: str) -> None:
    for environment in ({**ENVIRONMENT, f"{name}_PARAMETER": "x"}, {**ENVIRONMENT, name: ""}):
        fault = f"exactly one of {name}_PARAMETER and {name} must be set"
        with pytest.raises(ConfigurationError, match=fault):
            Configuration.from_environment(environment)


def test_without_a_list_all_chats_may_play() -> None:
    settings = Configuration.from_environment({**DEPLOYED, "ALLOWED_CHATS": "", "DRAIN": "false"})
    assert (settings.allowed_chat_ids, settings.drain) == (None, False)


def test_the_beacon_is_drands_unless_set_otherwise() -> None:
    def beacon(value: str) -> str | None:
        return Configuration.from_environment({**DEPLOYED, "BEACON": value}).beacon

    assert quicknet_at(beacon("")) == QUICKNET
    ours = quicknet_at(beacon("https://drand.example/,http://127.0.0.1:8080"))
    assert ours.addresses == ("https://drand.example", "http://127.0.0.1:8080")
    assert ours.chain == QUICKNET.chain
    assert beacon("off") == NO_BEACON


def test_a_list_of_chats_and_a_drain_are_read() -> None:
    settings = Configuration.from_environment({**DEPLOYED, "ALLOWED_CHATS": "-1001,-1002", "DRAIN": "true"})
    assert (settings.allowed_chat_ids, settings.drain) == (frozenset({-1001, -1002}), True)


def test_secrets_are_not_in_what_is_printed() -> None:
    settings = Configuration.from_environment(ENVIRONMENT)
    for text in (repr(settings), str(settings), repr(Secrets(settings))):
        assert "42:abc" not in text
        assert "s3cret" not in text


class TestSecrets:
    @pytest.fixture(autouse=True)
    def _no_client_is_left(self) -> Iterator[None]:
        secrets_client.cache_clear()
        yield
        secrets_client.cache_clear()

    def test_in_clear_are_taken_as_they_are(self) -> None:
        unasked = Mock(side_effect=AssertionError("nothing is to be looked up"))
        secrets = Secrets(Configuration.from_environment(ENVIRONMENT), unasked)
        assert (secrets.bot_token(refresh=True), secrets.webhook_secret) == ("42:abc", "s3cret")

    def test_by_name_are_looked_up_once_until_asked_afresh(self, aws: None) -> None:
        manager = boto3.client("secretsmanager")
        manager.create_secret(Name="bot/token", SecretString="42:old")
        secrets = Secrets(Configuration.from_environment(DEPLOYED))
        assert secrets.bot_token() == "42:old"
        manager.put_secret_value(SecretId="bot/token", SecretString="42:new")
        assert secrets.bot_token() == "42:old"
        assert secrets.bot_token(refresh=True) == "42:new"
        assert secrets.bot_token() == "42:new"

    def test_that_cannot_be_read_are_named(self, aws: None) -> None:
        secrets = Secrets(Configuration.from_environment(DEPLOYED))
        with pytest.raises(SecretUnavailable, match="'bot/webhook' cannot be read"):
            assert secrets.webhook_secret

    def test_that_are_no_text_are_unusable(self, aws: None) -> None:
        boto3.client("secretsmanager").create_secret(Name="bot/token", SecretBinary=b"\x00")
        with pytest.raises(SecretUnavailable, match="'bot/token' is not a text"):
            Secrets(Configuration.from_environment(DEPLOYED)).bot_token()
