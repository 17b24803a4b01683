"""Lambda handler for Telegram's updates, which arrive by Function URL (payload 2.0)."""

from infra import startup  # must be imported first, see infra/startup.py

# isort: split

import base64
import hmac
import json
from collections.abc import Mapping
from typing import Any

from bot.rooms.codec import NewerSchema
from handlers.service.build import Built, shared
from infra.observability import Watched
from infra.store.table import StoreUnavailable

SECRET_HEADER = "x-telegram-bot-api-secret-token"
#: Sending stops this many milliseconds before Lambda's timeout.
MARGIN_MS = 1_500
#: If only newer code may handle an update, Telegram should send it again after this many seconds.
SECONDS_UNTIL_NEWER_CODE = "5"
#: A longer body is not parsed. Telegram's updates are far smaller.
MAX_BODY_LENGTH = 1_000_000


def handler(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
    """Answer one update, with this process's bot."""
    try:
        reply = respond(shared(), event, context)
        if reply["statusCode"] == 401 and shared().secrets.webhook_secret_changed():
            # The operator has rotated the webhook secret: build the bot again with the new one.
            shared().app.gateway.close()
            shared.cache_clear()
            reply = respond(shared(), event, context)
        return reply
    finally:
        startup.note_answer()


def respond(built: Built, event: Mapping[str, Any], context: Any) -> dict[str, Any]:
    """Answer one update.

    401 for a wrong secret, before anything is parsed. 503 if the store does not answer or if only newer code
    may handle the update, so that Telegram sends it again. That is safe even if the room is saved already,
    because the room remembers its last updates. In all other cases 200, even after an error. With another
    status, Telegram would send the update again, and until that update is delivered, it would hold back the
    later updates of the same chat. Raises SecretUnavailable.
    """
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    given = headers.get(SECRET_HEADER, "")
    if not hmac.compare_digest(str(given).encode(), built.secrets.webhook_secret.encode()):
        return {"statusCode": 401}
    update = _update(event)
    if update is None:
        built.log.note("no_update", {})
        built.log.flush()
        return {"statusCode": 200}
    deadline = built.app.clock() + (context.get_remaining_time_in_millis() - MARGIN_MS) / 1000
    with built.log.invocation(update=update["update_id"]):
        try:
            reply = built.app.on_update(update, deadline)
        except NewerSchema as error:
            # This happens while a new version takes over, or after a rollback. No canary alarm counts it.
            built.log.failure("newer_room", error)
            return {"statusCode": 503, "headers": {"Retry-After": SECONDS_UNTIL_NEWER_CODE}}
        except StoreUnavailable as error:
            built.log.failure(Watched.UPDATE_NOT_STORED, error)
            return {"statusCode": 503, "headers": {"Retry-After": "1"}}
        except Exception as error:  # whatever it is, the chat's next update must get through
            built.log.failure(Watched.UPDATE_FAILED, error)
            return {"statusCode": 200}
    if reply is None:
        return {"statusCode": 200}
    body = json.dumps(reply, ensure_ascii=False)
    return {"statusCode": 200, "headers": {"Content-Type": "application/json"}, "body": body}


def _update(event: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the update in a Function URL's event, or None if there is none."""
    body = event.get("body") or ""
    if len(body) > MAX_BODY_LENGTH:
        return None
    try:
        if event.get("isBase64Encoded"):
            body = base64.b64decode(body).decode()
        update = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(update, dict) or type(update.get("update_id")) is not int:
        return None
    return update
