"""The bot's token and the webhook's secret. A process reads each of them once, and again only on request."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from functools import cache, cached_property
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from infra.aws import client
from infra.configuration import Configuration

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager.client import SecretsManagerClient

#: Reads a secret's value from the source, by the secret's name.
Fetch = Callable[[str], str]


#: Look for a changed secret at most once in this many seconds. Anybody can send a wrong secret, and each look
#: is a request.
_CHECK_INTERVAL = 20.0


class SecretUnavailable(RuntimeError):
    """A secret could not be read. The text has the secret's name, never its value."""


def from_secrets_manager(name: str) -> str:
    """Read a text secret from AWS Secrets Manager. Raises SecretUnavailable."""
    try:
        value = secrets_client().get_secret_value(SecretId=name).get("SecretString")
    except (BotoCoreError, ClientError):
        raise SecretUnavailable(f"secret {name!r} cannot be read") from None
    if not value:
        raise SecretUnavailable(f"secret {name!r} is not a text")
    return value


@cache
def secrets_client() -> SecretsManagerClient:
    """Return the one client of Secrets Manager, with time-outs short enough for a webhook."""
    made: SecretsManagerClient = client("secretsmanager", connect=2, read=3, tries=2)
    return made


def link_key_of(token: str) -> bytes:
    """Return the key that signs the deep links of the bot with this token."""
    return hmac.digest(token.encode(), b"deep links", "sha256")


class Secrets:
    """The two secrets, each from Secrets Manager or, in a local run, from the configuration."""

    def __init__(
        self,
        configuration: Configuration,
        fetch: Fetch = from_secrets_manager,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._configuration = configuration
        self._fetch = fetch
        self._clock = clock
        self._checked_at = -_CHECK_INTERVAL
        self._token: str | None = None

    def __repr__(self) -> str:
        return "Secrets(…)"

    def bot_token(self, *, refresh: bool = False) -> str:
        """Return the token. With ``refresh``, read it again: after a 401, because it may have been rotated.

        Raises SecretUnavailable if the secret cannot be read.
        """
        if refresh or self._token is None:
            settings = self._configuration
            self._token = self._read(settings.bot_token, settings.bot_token_parameter)
        return self._token

    @cached_property
    def webhook_secret(self) -> str:
        """The secret that Telegram sends in ``X-Telegram-Bot-Api-Secret-Token``. Read at its first use.

        Raises SecretUnavailable if the secret cannot be read.
        """
        settings = self._configuration
        return self._read(settings.webhook_secret, settings.webhook_secret_parameter)

    def webhook_secret_changed(self) -> bool:
        """Return True if the webhook's secret in Secrets Manager differs from this process's.

        Asks at most once in ``_CHECK_INTERVAL`` seconds. In between, and if the secret cannot be read,
        returns False. This object keeps the old secret: after True, the caller builds the bot again.
        """
        parameter, now = self._configuration.webhook_secret_parameter, self._clock()
        if parameter is None or 0 <= now - self._checked_at < _CHECK_INTERVAL:
            return False
        self._checked_at = now
        try:
            return self._fetch(parameter) != self.webhook_secret
        except SecretUnavailable:
            return False

    def _read(self, clear: str | None, parameter: str | None) -> str:
        if parameter is None:
            assert clear is not None  # the configuration has checked that one of the two is set
            return clear
        return self._fetch(parameter)
