"""Read parameters of calls. Forms and query strings carry JSON values as strings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .errors import bad_request

#: The parameters that are strings also in JSON. A string in any other is JSON, or an id such as ``@name``.
_STRINGS = frozenset(
    {
        "text", "caption", "parse_mode", "photo", "action", "callback_query_id", "url", "secret_token",
        "language_code", "description", "short_description",
    }
)  # fmt: skip


def normalise(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters as JSON values, without nulls. Raises ``Refusal`` 400 for a malformed string."""
    return {name: _value(name, value) for name, value in params.items() if value is not None}


def _value(name: str, value: Any) -> Any:
    if not isinstance(value, str) or name in _STRINGS:
        return value
    try:
        return json.loads(value)
    except ValueError:
        if value[:1] in ("{", "["):
            raise bad_request(f"can't parse {name.replace('_', ' ')} JSON object") from None
        return value


def integer(params: Mapping[str, Any], name: str, default: int = 0) -> int:
    """Return a whole number. Anything else counts as ``default``, as in the Bot API."""
    value = params.get(name, default)
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def string(params: Mapping[str, Any], name: str) -> str:
    """Return a parameter as a string; empty if absent."""
    return str(params.get(name, ""))


def flag(params: Mapping[str, Any], name: str) -> bool:
    """Return a boolean; False if absent."""
    return bool(params.get(name, False))
