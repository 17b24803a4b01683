"""Items as JSON, for the store's file and the bot's socket."""

import base64
import json
from typing import Any

_BYTES = "bytes"


def pack(value: Any) -> str:
    """Return an item, or anything made of items, as a line of JSON. Sets become lists, bytes base64."""
    return json.dumps(value, default=_plain)


def unpack(packed: str) -> Any:
    """Return the value that ``pack`` packed; sets stay lists."""
    return json.loads(packed, object_hook=_read)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes | bytearray):
        return {_BYTES: base64.b64encode(value).decode()}
    return list(value)


def _read(value: dict[str, Any]) -> Any:
    # An item's attribute named "bytes" would have a dict as its value, never a text.
    return base64.b64decode(value[_BYTES]) if isinstance(value.get(_BYTES), str) else value
