"""The bot's token and the webhook's secret: looked up once, kept for the life of the process."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from infra.settings import Settings

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.parameters import SecretsProvider

Fetch = Callable[[str, bool], str]
"""(name of the secret, fresh from the source?) -> its value"""

_MAX_AGE = 3600
"""Seconds a looked-up secret stays cached; a rotated token is noticed earlier, by Telegram's 401."""


class SecretUnavailable(RuntimeError):
    """A secret could not be read. Carries the secret's name, never its value."""


def from_secrets_manager(name: str, fresh: bool) -> str:
    """Read a text secret from AWS Secrets Manager, through the cache of powertools."""
    # Imported here because it costs 100 ms and a desk, which has its secrets in clear, never needs it.
    from aws_lambda_powertools.utilities import parameters

    try:
        value = secrets_provider().get(name, max_age=_MAX_AGE, force_fetch=fresh)
    except parameters.GetParameterError:
        raise SecretUnavailable(f"secret {name!r} cannot be read") from None
    if not isinstance(value, str) or not value:
        raise SecretUnavailable(f"secret {name!r} is not a text")
    return value


@cache
def secrets_provider() -> SecretsProvider:
    """The one client of Secrets Manager, with time-outs short enough for a webhook."""
    from aws_lambda_powertools.utilities import parameters
    from botocore.config import Config

    config = Config(connect_timeout=2, read_timeout=3, retries={"mode": "standard", "total_max_attempts": 2})
    return parameters.SecretsProvider(boto_config=config)


class Secrets:
    """The two secrets, each from its parameter or, on a desk, from the settings."""

    def __init__(self, settings: Settings, fetch: Fetch = from_secrets_manager) -> None:
        self._settings = settings
        self._fetch = fetch

    def __repr__(self) -> str:
        return "Secrets(…)"

    def bot_token(self, *, refresh: bool = False) -> str:
        """The token; `refresh=True` after Telegram answered 401, because it may have been rotated.

        Raises:
            SecretUnavailable: the secret cannot be read.
        """
        return self._value(self._settings.bot_token, self._settings.bot_token_parameter, refresh)

    def webhook_secret(self, *, refresh: bool = False) -> str:
        """What Telegram sends in `X-Telegram-Bot-Api-Secret-Token`. Raises as `bot_token` does."""
        return self._value(self._settings.webhook_secret, self._settings.webhook_secret_parameter, refresh)

    def _value(self, clear: str | None, parameter: str | None, refresh: bool) -> str:
        if parameter is not None:
            return self._fetch(parameter, refresh)
        assert clear is not None  # the settings checked that one of the two is there
        return clear
