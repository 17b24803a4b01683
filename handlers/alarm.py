"""Lambda handler that tells the operator's chat when an alarm of the stack changes its state.

The message has the alarm's name, its state, and its description from the template. It says nothing about any
game.
"""

import json
import os
from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

from telegram.request import BaseRequest

from infra.configuration import TELEGRAM_API_URL
from infra.secrets import Fetch, from_secrets_manager
from infra.telegram.gateway import Gateway

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

#: The beginning of a message, by the alarm's state.
_SIGNS = {"ALARM": "🔴", "OK": "🟢"}
#: Characters at which a message is cut. Telegram refuses more than 4096.
_LONGEST = 4000


def handler(event: Mapping[str, Any], context: "LambdaContext") -> None:
    """Post an SNS event's alarms in the operator's chat. Failures are raised, so that Lambda tries again."""
    post_alarms(event, os.environ)


def post_alarms(
    event: Mapping[str, Any],
    environment: Mapping[str, str],
    fetch: Fetch = from_secrets_manager,
    transport: BaseRequest | None = None,
) -> None:
    """Post each record of an SNS event to ``ALARM_CHAT``. Raises WireError."""
    url = environment.get("TELEGRAM_API_URL", TELEGRAM_API_URL).rstrip("/")
    token = environment["BOT_TOKEN_PARAMETER"]
    with closing(Gateway(lambda fresh: fetch(token), url, transport)) as gateway:
        for record in event["Records"]:
            message = {"chat_id": int(environment["ALARM_CHAT"]), "text": message_text(record["Sns"])}
            gateway.run(gateway.call("sendMessage", message))


def message_text(notice: Mapping[str, Any]) -> str:
    """Turn an alarm's notice into a message. Of any other notice, return the text. Cut both if too long."""
    try:
        alarm = json.loads(notice["Message"])
        name, state, why = alarm["AlarmName"], alarm["NewStateValue"], alarm.get("AlarmDescription") or ""
    except (ValueError, KeyError, TypeError):
        return str(notice.get("Message", ""))[:_LONGEST]
    return f"{_SIGNS.get(state, '⚪')} {name}: {state}\n{why}"[:_LONGEST]
