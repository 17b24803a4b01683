"""Methods about the bot itself: its user, commands and profile, its webhook and updates."""

from __future__ import annotations

import json
import re
from urllib.parse import urlsplit

from .delivery import Webhook
from .errors import Refusal, bad_request
from .model import Json
from .params import flag, integer, string
from .people import People

_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_LANGUAGE = re.compile(r"(?:[a-z]{2})?")
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
_SCOPES = {
    "default": (), "all_private_chats": (), "all_group_chats": (), "all_chat_administrators": (),
    "chat": ("chat_id",), "chat_administrators": ("chat_id",), "chat_member": ("chat_id", "user_id"),
}  # fmt: skip

_CONFLICT = (
    "Conflict: can't use getUpdates method while webhook is active; "
    "use deleteWebhook to delete the webhook first"
)


def get_me(tg: People, params: Json) -> Json:
    """Do ``getMe``."""
    return tg.bot.json() | {"can_join_groups": True, "can_read_all_group_messages": False}


def _language(params: Json) -> str:
    language = string(params, "language_code")
    if not _LANGUAGE.fullmatch(language):
        raise bad_request("invalid language code specified")
    return language


def _scope(params: Json) -> tuple[str, str]:
    scope = params.get("scope") or {"type": "default"}
    kind = scope.get("type") if isinstance(scope, dict) else None
    if kind not in _SCOPES:
        raise bad_request("unsupported scope type specified")
    if any(name not in scope for name in _SCOPES[kind]):
        raise bad_request("can't parse BotCommandScope: a field is missing")
    return json.dumps(scope, sort_keys=True), _language(params)


def set_my_commands(tg: People, params: Json) -> bool:
    """Do ``setMyCommands``: at most 100 commands with names of a–z 0–9 _."""
    key, commands = _scope(params), params.get("commands")
    if not isinstance(commands, list):
        raise bad_request("can't parse commands: expected an Array of BotCommand")
    if len(commands) > 100:
        raise bad_request("too many bot commands specified")
    for command in commands:
        if not _COMMAND.fullmatch(str(command.get("command", "")).removeprefix("/")):
            raise bad_request("BOT_COMMAND_INVALID")
        if not 1 <= len(str(command.get("description", ""))) <= 256:
            raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    tg.commands[key] = [dict(command) for command in commands]
    return True


def get_my_commands(tg: People, params: Json) -> list[Json]:
    """Do ``getMyCommands``."""
    return tg.commands.get(_scope(params), [])


def delete_my_commands(tg: People, params: Json) -> bool:
    """Do ``deleteMyCommands`` for one scope and language."""
    tg.commands.pop(_scope(params), None)
    return True


def set_my_description(tg: People, params: Json) -> bool:
    """Do ``setMyDescription``."""
    return _set_profile(tg, params, "description", 512)


def set_my_short_description(tg: People, params: Json) -> bool:
    """Do ``setMyShortDescription``."""
    return _set_profile(tg, params, "short_description", 120)


def _set_profile(tg: People, params: Json, name: str, most: int) -> bool:
    if len(string(params, name)) > most:
        raise bad_request(f"{name.upper()}_TOO_LONG")
    tg.profile[name, _language(params)] = string(params, name)
    return True


def set_webhook(tg: People, params: Json) -> bool:
    """Do ``setWebhook`` as a Bot API server in local mode does: it allows http and any port."""
    url, secret = string(params, "url"), string(params, "secret_token")
    if not url:
        return delete_webhook(tg, params)
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    if secret and not _SECRET.fullmatch(secret):
        raise bad_request("secret token contains unallowed characters")
    connections = integer(params, "max_connections", 40)
    if not 1 <= connections <= 100:
        raise bad_request("max_connections must be between 1 and 100")
    _allow(tg, params)
    if flag(params, "drop_pending_updates"):
        tg.delivery.clear()
    tg.delivery.webhook = Webhook(url, secret or None, connections)
    for told in tg.delivery.on_push:
        told()
    return True


def delete_webhook(tg: People, params: Json) -> bool:
    """Do ``deleteWebhook``."""
    if flag(params, "drop_pending_updates"):
        tg.delivery.clear()
    tg.delivery.webhook = None
    return True


def get_webhook_info(tg: People, params: Json) -> Json:
    """Do ``getWebhookInfo``."""
    webhook = tg.delivery.webhook
    shown: Json = {"url": "", "pending_update_count": len(tg.delivery.pending())}
    if webhook is not None:
        shown |= {"url": webhook.url, "max_connections": webhook.max_connections}
        if webhook.last_error is not None:
            shown["last_error_date"] = int(webhook.last_error_time)
            shown["last_error_message"] = webhook.last_error
    if tg.delivery.allowed is not None:
        shown["allowed_updates"] = sorted(tg.delivery.allowed)
    return shown


def get_updates(tg: People, params: Json) -> list[Json]:
    """Do ``getUpdates`` without waiting. The server does the waiting."""
    if tg.delivery.webhook is not None:
        raise Refusal(409, _CONFLICT)
    _allow(tg, params)
    limit = min(max(integer(params, "limit", 100), 1), 100)
    return tg.delivery.pull(integer(params, "offset"), limit)


def _allow(tg: People, params: Json) -> None:
    if (allowed := params.get("allowed_updates")) is not None:
        tg.delivery.allowed = frozenset(allowed) or None


METHODS = (
    get_me, set_my_commands, get_my_commands, delete_my_commands, set_webhook, delete_webhook,
    get_webhook_info, get_updates, set_my_description, set_my_short_description,
)  # fmt: skip
