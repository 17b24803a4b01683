"""Find the entities that Telegram finds in texts: commands, mentions, tags, links, addresses.

The rules come from TDLib, ``td/telegram/MessageEntity.cpp`` (find_entities). Only a few top-level domains are
known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .html import utf16

_TOP = "com|org|net|io|me|de|ru|app|dev|info|example|gg|tv|co|uk|eu|us|cn|fr|it|pl|br|tr|ir|id"
_DOMAIN = rf"(?:[\w-]+\.)+(?:{_TOP})"
_FOUND = re.compile(
    rf"(?P<url>(?:https?|tg|ton)://[^\s<>\"]+|(?<![\w.@/-]){_DOMAIN}(?![\w@-])(?:[/?#][^\s<>\"]*)?)"
    rf"|(?P<email>(?<![\w.-])[\w.+-]+@{_DOMAIN}(?![\w-]))"
    r"|(?<![\w/<>@])(?P<bot_command>/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?)(?![\w/<>])"
    r"|(?<![\w@])(?P<mention>@[A-Za-z0-9_]{2,32})(?!\w)"
    r"|(?<!\w)(?P<hashtag>#(?=\w*[^\W\d])\w{1,256})(?![\w#])"
    r"|(?<![\w$])(?P<cashtag>\$[A-Z]{1,8})(?![\w$])"
)
#: Telegram finds no further entities inside these.
_WHOLE = ("code", "pre", "text_link", "custom_emoji", "date_time")


def detect(text: str, given: Iterable[dict[str, Any]] = ()) -> list[dict[str, Any]]:
    """Return the entities found in ``text`` outside of those ``given``; offsets are in UTF-16 units."""
    taken = [
        range(entity["offset"], entity["offset"] + entity["length"])
        for entity in given
        if entity["type"] in _WHOLE
    ]
    found = []
    for match in _FOUND.finditer(text):
        start, length = utf16(text[: match.start()]), utf16(match.group())
        if not any(start < each.stop and each.start < start + length for each in taken):
            found.append({"type": str(match.lastgroup), "offset": start, "length": length})
    return found
