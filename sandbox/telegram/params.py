"""Read parameters of calls. Forms and query strings carry JSON values as strings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .errors import bad_request

_STRUCTURES = frozenset(
    {
        "reply_markup", "entities", "caption_entities", "media", "commands", "scope", "allowed_updates",
        "reply_parameters", "message_ids", "link_preview_options", "ephemeral_message_parameters",
        "suggested_post_parameters", "rich_message",
    }
)  # fmt: skip
_INTEGERS = frozenset(
    {
        "message_id", "message_thread_id", "user_id", "offset", "limit", "timeout", "max_connections",
        "cache_time", "receiver_user_id", "ephemeral_message_id", "direct_messages_topic_id",
        "reply_to_message_id",
    }
)  # fmt: skip
_FLAGS = frozenset(
    {
        "disable_notification", "protect_content", "show_alert", "has_spoiler", "show_caption_above_media",
        "drop_pending_updates", "allow_paid_broadcast", "return_bots", "disable_web_page_preview",
        "allow_sending_without_reply",
    }
)  # fmt: skip


def normalise(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters as JSON values, without nulls. Raises ``Refusal`` 400 for a malformed string."""
    return {name: _value(name, value) for name, value in params.items() if value is not None}


def _value(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if name in _STRUCTURES:
        try:
            return json.loads(value)
        except ValueError:
            raise bad_request(f"can't parse {name.replace('_', ' ')} JSON object") from None
    if name in _INTEGERS or name == "chat_id":
        try:
            return int(value)
        except ValueError:
            return value
    if name in _FLAGS:
        return value.strip().lower() in ("true", "yes", "1")
    return value


def integer(params: Mapping[str, Any], name: str, default: int = 0) -> int:
    """Return a whole number. Anything else counts as ``default``, as in the Bot API."""
    value = params.get(name, default)
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def string(params: Mapping[str, Any], name: str) -> str:
    """Return a parameter as a string; empty if absent."""
    value = params.get(name, "")
    return value if isinstance(value, str) else str(value)


def flag(params: Mapping[str, Any], name: str) -> bool:
    """Return a boolean; False if absent."""
    return bool(params.get(name, False))
