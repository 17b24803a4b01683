"""Find the entities of texts: those marked in Telegram's HTML, and those that Telegram finds by itself.

The rules come from TDLib, ``td/telegram/MessageEntity.cpp`` (parse_html, find_entities). The parser takes
only quoted attributes. Only a few top-level domains are known. Offsets are in UTF-16 units.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from html import unescape
from typing import Any

from .calls import Refusal, bad_request

Entity = dict[str, Any]

#: Telegram silently ignores entities beyond this number.
MAX_ENTITIES = 100
_TYPES = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "tg-spoiler": "spoiler",
    "code": "code", "pre": "pre", "blockquote": "blockquote", "a": "text_link", "tg-time": "date_time",
}  # fmt: skip
_TAG = re.compile(r"""<(/?)([A-Za-z-]+)((?:\s+(?:expandable|[a-z]+=(?:"[^"]*"|'[^']*')))*)\s*>""")
_ATTRIBUTE = re.compile(r"""([a-z]+)(?:=(?:"([^"]*)"|'([^']*)'))?""")
_ESCAPE = re.compile(r"&(?:#x[0-9a-fA-F]{1,8}|#[0-9]{1,8}|(?:lt|gt|amp|quot)(?![a-zA-Z]));?")
_DATE_FORMAT = re.compile(r"(?:r|w?[dD]?[tT]?)")
_LINK = re.compile(r"(?:https?|tg|ton|mailto|tel):\S+|(?:[\w-]+\.)+[a-z]{2,}(?:[/?#]\S*)?", re.IGNORECASE)

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


def utf16(text: str) -> int:
    """Return the length of ``text`` in UTF-16 units, as Telegram counts offsets."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def detect(text: str, given: Iterable[Entity] = ()) -> list[Entity]:
    """Return the entities found in ``text`` outside of those ``given``."""
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


def parse(source: str) -> tuple[str, list[Entity]]:
    """Return (text, entities) of an HTML message. Raises ``Refusal`` 400 if Telegram cannot parse it."""
    text, entities = _parsed(source)
    return text, list(entities)


@lru_cache(maxsize=8192)
def _parsed(source: str) -> tuple[str, tuple[Entity, ...]]:
    text = ""
    #: Each entity's start and end, in characters of ``text``.
    marked: list[tuple[int, int, Entity]] = []
    opened: list[tuple[str, str, int]] = []
    position = 0
    for tag in [*_TAG.finditer(source), None]:
        plain = source[position : tag.start() if tag else None]
        if "<" in plain:
            raise _unparsable(f"Unsupported tag in {plain[plain.index('<') :]!r}")
        text += _unescape(plain)
        if tag is None:
            break
        position, name = tag.end(), tag[2].lower()
        if not tag[1]:
            if name not in _TYPES:
                raise _unparsable(f'Unsupported start tag "{name}"')
            opened.append((name, tag[3], len(text)))
            continue
        if not opened or opened[-1][0] != name or tag[3]:
            raise _unparsable(f'Unexpected end tag "{name}"')
        _, attributes, start = opened.pop()
        if len(text) > start and (more := _details(name, attributes, text[start:])) is not None:
            marked.append((start, len(text), {"type": _TYPES[name]} | more))
    if opened:
        raise _unparsable(f'Can\'t find end tag corresponding to start tag "{opened[-1][0]}"')
    # Telegram removes white space at both ends.
    trimmed, cut = text.strip(), len(text) - len(text.lstrip())
    entities = []
    for start, stop, entity in sorted(marked, key=lambda each: (each[0], -each[1])):
        inside = trimmed[max(0, start - cut) : max(0, stop - cut)]
        if inside:
            offset = utf16(trimmed[: max(0, start - cut)])
            entities.append(entity | {"offset": offset, "length": utf16(inside)})
    return trimmed, tuple(entities[:MAX_ENTITIES])


def _details(tag: str, attributes: str, text: str) -> Entity | None:
    """Return what a tag's attributes add to its entity; None for a bad link, of which only the text stays."""
    given = {found[1]: _unescape(found[2] or found[3] or "") for found in _ATTRIBUTE.finditer(attributes)}
    if tag == "a":
        target = given.get("href") or text
        return {"url": target} if _LINK.fullmatch(target) else None
    if tag == "tg-time":
        unix, form = given.get("unix", ""), given.get("format", "")
        if not unix.isdigit() or not 0 < int(unix) < 2**31:
            raise _unparsable("Invalid date specified")
        if not _DATE_FORMAT.fullmatch(form):
            raise _unparsable("Invalid date format specified")
        return {"unix_time": int(unix)} | ({"date_time_format": form} if form else {})
    return {"type": "expandable_blockquote"} if tag == "blockquote" and "expandable" in given else {}


def _unescape(text: str) -> str:
    """Replace numeric and the four named HTML entities. Others stay as they are."""
    return _ESCAPE.sub(lambda found: unescape(found.group()), text)


def _unparsable(what: str) -> Refusal:
    return bad_request(f"can't parse entities: {what}")
