"""Another token, another secret: by the secrets store alone, never on a command line and never shown."""

from __future__ import annotations

import re
import secrets

from handlers.display.commands import ALLOWED_UPDATES
from infra.telegram.errors import WireError
from infra.telegram.gateway import Gateway
from operate.place import NotThere, Place

_TOKEN = re.compile(r"[0-9]{5,20}:[A-Za-z0-9_-]{30,64}")


def new_secret(place: Place) -> None:
    """Make a secret, put it into the store, and tell Telegram.

    Functions that still have the old one refuse an update, read the new one and take it when Telegram brings
    it again. Raises NotThere, WireError.
    """
    fresh = secrets.token_urlsafe(48)
    place.cloud("secretsmanager").put_secret_value(SecretId=place.stack["secret"], SecretString=fresh)
    _register(place, place.gateway, fresh)


def new_token(place: Place, token: str) -> None:
    """Put the token that BotFather gave into the store, and tell Telegram where the bot is.

    Raises NotThere for what is no token of this bot.
    """
    if not _TOKEN.fullmatch(token):
        raise NotThere("that is no token")
    old = place.cloud("secretsmanager").get_secret_value(SecretId=place.stack["token"])["SecretString"]
    if old.partition(":")[0] != token.partition(":")[0]:
        raise NotThere("that is another bot's token: another bot is another stack")
    gateway = Gateway(lambda fresh: token, place.api_url, place.request)
    try:
        _take_over(place, token, gateway)
    finally:
        gateway.close()


def _take_over(place: Place, token: str, gateway: Gateway) -> None:
    vault = place.cloud("secretsmanager")
    try:
        gateway.run(gateway.call("getMe", {}))
    except WireError:
        raise NotThere("Telegram does not take that token") from None
    vault.put_secret_value(SecretId=place.stack["token"], SecretString=token)
    secret = vault.get_secret_value(SecretId=place.stack["secret"])["SecretString"]
    _register(place, gateway, secret)


def _register(place: Place, gateway: Gateway, secret: str) -> None:
    webhook = {
        "url": place.stack["webhook"],
        "secret_token": secret,
        "allowed_updates": list(ALLOWED_UPDATES),
        "max_connections": int(place.stack["connections"]),
    }
    gateway.run(gateway.call("setWebhook", webhook))
