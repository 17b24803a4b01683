"""Replace the token or the webhook secret. Neither is ever shown or passed on a command line."""

from __future__ import annotations

import re
import secrets
from contextlib import closing, suppress

from botocore.exceptions import BotoCoreError, ClientError

from handlers.setup import webhook_parameters
from infra.telegram.errors import AnswerLost, WireError
from infra.telegram.gateway import Gateway
from operate.bot import Bot, CannotRun, NotDone

_TOKEN = re.compile(r"[0-9]{5,20}:[A-Za-z0-9_-]{30,64}")
#: How often to try to set the webhook if Telegram's answer is lost. Setting it twice does no harm.
_TRIES = 3


def new_secret(bot: Bot) -> None:
    """Make a secret, store it, and tell Telegram.

    A process that still has the old secret reads the stored one when it gets an update with another secret.
    Then it takes the update. It reads at most once in 20 seconds. In between it refuses updates, and Telegram
    sends them again. If Telegram does not take the new secret, the old one is stored again. Raises NotDone,
    CannotRun.
    """
    old, fresh = _read_secret(bot, "secret"), secrets.token_urlsafe(48)
    _store_secret(bot, "secret", fresh)
    try:
        _register(bot, bot.gateway, fresh)
    except WireError as error:
        try:
            _store_secret(bot, "secret", old)
        except (ClientError, BotoCoreError):
            why = "Telegram does not take the new secret, and the old one could not be put back"
            raise NotDone(f"{why}: every update is refused until you rotate the secret again") from None
        do = "rotate the secret again later"
        if isinstance(error, AnswerLost):
            do = "if operate doctor then finds updates refused, rotate the secret again"
        raise NotDone(f"Telegram: {error}; the old secret is back in the store; {do}") from None


def new_token(bot: Bot, token: str) -> None:
    """Store BotFather's new token, and set the webhook again.

    If the webhook cannot be set, the new token stays stored, as the old one is dead. Raises NotDone then, and
    CannotRun if the text is not a token of this bot, or if Telegram does not take it.
    """
    if not _TOKEN.fullmatch(token):
        raise CannotRun("that is no token")
    if _read_secret(bot, "token").partition(":")[0] != token.partition(":")[0]:
        raise CannotRun("that is another bot's token: another bot is another stack")
    with closing(Gateway(lambda fresh: token, bot.api_url, bot.request)) as gateway:
        try:
            gateway.run(gateway.call("getMe", {}))
        except WireError:
            raise CannotRun("Telegram does not take that token") from None
        secret = _read_secret(bot, "secret")
        _store_secret(bot, "token", token)
        try:
            _register(bot, gateway, secret)
        except WireError as error:
            why = f"Telegram: {error}; the token is in the store, the webhook may not be set"
            raise NotDone(f"{why}: operate rotate secret sets it") from None


def _read_secret(bot: Bot, what: str) -> str:
    vault = bot.cloud("secretsmanager")
    return str(vault.get_secret_value(SecretId=bot.stack[what])["SecretString"])


def _store_secret(bot: Bot, what: str, value: str) -> None:
    bot.cloud("secretsmanager").put_secret_value(SecretId=bot.stack[what], SecretString=value)


def _register(bot: Bot, gateway: Gateway, secret: str) -> None:
    webhook = webhook_parameters(bot.stack["webhook"], secret, int(bot.stack["connections"]))
    for _ in range(_TRIES - 1):
        with suppress(AnswerLost):
            gateway.run(gateway.call("setWebhook", webhook))
            return
    gateway.run(gateway.call("setWebhook", webhook))
