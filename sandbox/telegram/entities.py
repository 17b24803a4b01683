"""What Telegram's clients find by themselves in what people type: commands, mentions, links."""

from __future__ import annotations

import re
from typing import Any

from .html import utf16

_FOUND = re.compile(
    r"(?P<url>https?://[^\s<>\"]+)"
    r"|(?<![\w/@])(?P<bot_command>/[A-Za-z0-9_]{1,32}(?:@[A-Za-z0-9_]{3,32})?)(?![\w/])"
    r"|(?<![\w@])(?P<mention>@[A-Za-z][A-Za-z0-9_]{3,31})(?!\w)"
)


def detect(text: str) -> list[dict[str, Any]]:
    """The ``MessageEntity`` list of a text that a person typed; offsets in UTF-16 units."""
    return [
        {
            "type": str(match.lastgroup),
            "offset": utf16(text[: match.start()]),
            "length": utf16(match.group()),
        }
        for match in _FOUND.finditer(text)
    ]
