"""Lambda entry of the stack's two custom resources: what Telegram must know before the bot can work.

*identity* asks Telegram who the bot is, before the functions that need its name exist. *webhook* registers
commands, profile and webhook once the Function URL exists, and removes the webhook with the stack. They are
two because one alone would need the address of a function that needs the name.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from telegram import Bot, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats
from telegram.error import InvalidToken, RetryAfter, TelegramError
from telegram.request import BaseRequest, HTTPXRequest

from handlers.commands import ALLOWED_UPDATES, LANGUAGES, Registration
from infra.custom_resource import Put, answer, put_answer
from infra.secrets import Fetch, from_secrets_manager

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

logger = logging.getLogger(__name__)
logger.setLevel(logging.INFO)
for _chatty in ("httpx", "httpcore", "telegram"):  # they log addresses, and the token is part of an address
    logging.getLogger(_chatty).setLevel(logging.WARNING)

_TELEGRAM = "https://api.telegram.org"
_MARGIN = 8.0
"""Seconds of the function's time kept for answering CloudFormation."""
_PATIENCE = 15.0
"""Longest wait, in seconds, that Telegram may ask for between two calls."""


class SetupFailed(Exception):
    """The stack cannot come up; the text says why and is fit for the stack's event list."""


@dataclass(frozen=True)
class Setup:
    """The entry's one app. `request` makes Telegram's transport, `put` delivers answers to CloudFormation."""

    environment: Mapping[str, str]
    fetch: Fetch = from_secrets_manager
    request: Callable[[], BaseRequest] = HTTPXRequest
    put: Put = put_answer
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def handle(self, event: Mapping[str, Any], seconds: float) -> None:
        """Serve one CloudFormation request within `seconds`, and answer it whatever happens.

        A failing Delete is answered as done: a stack must always be removable.
        """
        kind = str(event["ResourceProperties"].get("Kind"))
        deleting = event["RequestType"] == "Delete"
        # The same id for ever: after an update that changes it CloudFormation deletes the "old" resource.
        physical_id = str(event.get("PhysicalResourceId") or f"telegram-{kind}")
        data: dict[str, str] = {}
        failure: str | None = None
        token = ""
        try:
            token = self._secret("BOT_TOKEN_PARAMETER")
            data = asyncio.run(asyncio.wait_for(self._serve(kind, deleting, event, token), seconds - _MARGIN))
        except Exception as error:
            failure = _explain(error, token)
            logger.warning("%s of %s: %s", event["RequestType"], kind, failure)
        self.put(str(event["ResponseURL"]), answer(event, physical_id, None if deleting else failure, data))

    async def _serve(self, kind: str, deleting: bool, event: Mapping[str, Any], token: str) -> dict[str, str]:
        properties: Mapping[str, str] = event["ResourceProperties"]
        if kind not in ("identity", "webhook"):
            raise SetupFailed(f"unknown kind of resource {kind!r}")
        if kind == "identity" and deleting:
            return {}
        base = self.environment.get("TELEGRAM_API_URL", _TELEGRAM).rstrip("/")
        request = self.request()
        async with Bot(token, base_url=f"{base}/bot", request=request, get_updates_request=request) as bot:
            if deleting:
                await self._remove_webhook(bot, properties["Url"])
            elif kind == "webhook":
                await self._register(bot, properties)
            return {"BotUsername": bot.username, "BotId": str(bot.id)}

    async def _register(self, bot: Bot, properties: Mapping[str, str]) -> None:
        """Commands and profile for every language, then the webhook: updates come when all is in place."""
        for language, texts in LANGUAGES.items():
            for call in _registrations(bot, language, texts):
                await self._patiently(call)
        secret = self._secret("WEBHOOK_SECRET_PARAMETER")
        await self._patiently(
            lambda: bot.set_webhook(
                properties["Url"],
                secret_token=secret,
                allowed_updates=list(ALLOWED_UPDATES),
                max_connections=int(properties["MaxConnections"]),
            )
        )

    async def _remove_webhook(self, bot: Bot, url: str) -> None:
        """Remove the webhook if it is this stack's: another stage may have taken the bot over."""
        if (await bot.get_webhook_info()).url == url:
            await self._patiently(bot.delete_webhook)
        else:
            logger.info("the webhook is not this stack's; it stays")

    async def _patiently(self, call: Callable[[], Awaitable[object]]) -> None:
        """Make `call`; when Telegram asks to wait for a bearable time, wait and make it again, once."""
        try:
            await call()
        except RetryAfter as error:
            wait = error.retry_after
            seconds = float(wait) if isinstance(wait, int) else wait.total_seconds()
            if seconds > _PATIENCE:
                raise
            await self.sleep(seconds)
            await call()

    def _secret(self, variable: str) -> str:
        name = self.environment.get(variable)
        if not name:
            raise SetupFailed(f"environment: missing: {variable}")
        return self.fetch(name, True)


def _registrations(bot: Bot, language: str, texts: Registration) -> list[Callable[[], Awaitable[object]]]:
    """The calls that register one language, not yet made."""
    about, description = texts.profile.about, texts.profile.description
    group, private = BotCommandScopeAllGroupChats(), BotCommandScopeAllPrivateChats()
    return [
        lambda: bot.set_my_commands(texts.group, scope=group, language_code=language),
        lambda: bot.set_my_commands(texts.private, scope=private, language_code=language),
        lambda: bot.set_my_description(description, language_code=language),
        lambda: bot.set_my_short_description(about, language_code=language),
    ]


def _explain(error: Exception, token: str) -> str:
    """Why it failed, in a line without the token (PTB puts it into the text of `InvalidToken`)."""
    if isinstance(error, InvalidToken):
        return "Telegram does not accept the bot's token"
    if isinstance(error, TimeoutError):
        return "Telegram did not answer in time"
    if isinstance(error, (SetupFailed, TelegramError)):
        text = str(error)
    else:
        text = f"{type(error).__name__}: {error}"
    return text.replace(token, "<token>") if token else text


_setup: Setup | None = None


def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """Serve a CloudFormation custom-resource request (Create, Update or Delete)."""
    global _setup
    _setup = _setup or Setup(os.environ)
    _setup.handle(event, context.get_remaining_time_in_millis() / 1000)
