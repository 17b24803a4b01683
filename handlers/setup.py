"""Lambda handler for the stack's two custom resources, which connect the bot and Telegram during a deploy.

*identity* asks Telegram who the bot is, before the functions that need its name exist. *webhook* sets the
webhook once the Function URL exists, and removes it with the stack. One resource for both would depend on
itself: it would need the function's address, the function needs the bot's name, and the same resource would
supply that name. A deploy does not register the commands and the profile. The watchdog does that
(``handlers.service.upkeep``).
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

from telegram.request import BaseRequest

from bot.display.commands import ALLOWED_UPDATES
from engine.frozen import frozen
from handlers.service import completeness
from infra.configuration import TELEGRAM_API_URL
from infra.custom_resource import Put, answer, put_answer
from infra.secrets import Fetch, from_secrets_manager
from infra.telegram.errors import RetryLater
from infra.telegram.gateway import Gateway

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

logger = logging.getLogger(__name__)
logger.setLevel(logging.INFO)

#: Seconds of the function's time reserved for answering CloudFormation.
_MARGIN_SECONDS = 8.0
#: The longest wait, in seconds, before a call is repeated. If Telegram asks for more, the set-up fails.
_PATIENCE = 15.0


class SetupFailed(Exception):
    """The set-up failed. The text says why, and may be shown in the stack's events."""


@frozen
class StackSetup:
    """Handle requests for the two custom resources.

    ``transport`` carries the calls to Telegram (None: HTTP). ``put`` delivers answers to CloudFormation.
    """

    environment: Mapping[str, str]
    fetch: Fetch = from_secrets_manager
    transport: BaseRequest | None = None
    put: Put = put_answer
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def handle(self, event: Mapping[str, Any], seconds: float) -> None:
        """Serve one CloudFormation request within ``seconds``, and answer it whatever happens.

        A failing Delete is answered as done: a stack must always be removable.
        """
        kind = str(event["ResourceProperties"].get("Kind"))
        deleting = event["RequestType"] == "Delete"
        # Keep the id: if an update changed it, CloudFormation would delete the "old" resource.
        physical_id = str(event.get("PhysicalResourceId") or f"telegram-{kind}")
        data: dict[str, str] = {}
        failure: str | None = None
        token = ""
        try:
            token = self._secret("BOT_TOKEN_PARAMETER")
            url = self.environment.get("TELEGRAM_API_URL", TELEGRAM_API_URL).rstrip("/")
            with closing(Gateway(lambda fresh: token, url, self.transport)) as gateway:
                work = self._serve(gateway, kind, deleting, event["ResourceProperties"])
                data = gateway.run(asyncio.wait_for(work, seconds - _MARGIN_SECONDS))
        except Exception as error:
            failure = str(error) or type(error).__name__
            failure = failure.replace(token, "<token>") if token else failure
            logger.warning("%s of %s: %s", event["RequestType"], kind, failure)
        self.put(str(event["ResponseURL"]), answer(event, physical_id, None if deleting else failure, data))

    async def _serve(
        self, gateway: Gateway, kind: str, deleting: bool, properties: Mapping[str, str]
    ) -> dict[str, str]:
        match kind, deleting:
            case "identity", False:
                bot = await self._call_with_retry(gateway, "getMe", {})
                return {"BotUsername": bot["username"], "BotId": str(bot["id"])}
            case "webhook", False:
                completeness.check()
                secret = self._secret("WEBHOOK_SECRET_PARAMETER")
                webhook = webhook_parameters(properties["Url"], secret, int(properties["MaxConnections"]))
                await self._call_with_retry(gateway, "setWebhook", webhook)
            case "webhook", True:
                # Another stack may use this bot now.
                if (await gateway.call("getWebhookInfo", {}))["url"] == properties["Url"]:
                    await self._call_with_retry(gateway, "deleteWebhook", {})
                else:
                    logger.info("the webhook is not this stack's; it stays")
            case "identity", True:
                pass
            case _:
                raise SetupFailed(f"unknown kind of resource {kind!r}")
        return {}

    async def _call_with_retry(self, gateway: Gateway, method: str, params: Mapping[str, Any]) -> Any:
        """Make a call. If Telegram asks for a short wait, wait and make it once more."""
        try:
            return await gateway.call(method, params)
        except RetryLater as later:
            if later.after > _PATIENCE:
                raise
            await self.sleep(later.after)
            return await gateway.call(method, params)

    def _secret(self, variable: str) -> str:
        name = self.environment.get(variable)
        if not name:
            raise SetupFailed(f"environment: missing: {variable}")
        return self.fetch(name)


def webhook_parameters(url: str, secret: str, connections: int) -> dict[str, Any]:
    """Return the parameters of ``setWebhook``: address, secret, and how many connections at a time."""
    limits = {"allowed_updates": list(ALLOWED_UPDATES), "max_connections": connections}
    return {"url": url, "secret_token": secret, **limits}


def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """Serve a CloudFormation custom-resource request (Create, Update or Delete)."""
    StackSetup(os.environ).handle(event, context.get_remaining_time_in_millis() / 1000)
