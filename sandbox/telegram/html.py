"""Parse Telegram's HTML into text and entities, with the same errors as Telegram's parser.

The rules come from TDLib, ``td/telegram/MessageEntity.cpp`` (parse_html). Offsets are in UTF-16 units.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .errors import Refusal, bad_request

Entity = dict[str, Any]

_TYPES = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "tg-spoiler": "spoiler",
    "code": "code", "pre": "pre", "blockquote": "blockquote", "a": "text_link", "tg-time": "date_time",
}  # fmt: skip
_ESCAPE = re.compile(r"&(?:#x([0-9a-fA-F]{1,8})|#([0-9]{1,8})|([a-zA-Z]+))(;?)")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_TAG = re.compile(r"<(/?)([^\s>]*)\s*")
_ATTRIBUTE = re.compile(r"""([^\s=>]*)\s*(=\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9.\-]*)))?""")
_DATE_FORMAT = re.compile(r"(?:r|w?[dD]?[tT]?)")
_LINK = re.compile(r"(?:https?|tg|ton|mailto|tel):\S+|(?:[\w-]+\.)+[a-z]{2,}(?:[/?#]\S*)?", re.IGNORECASE)


def utf16(text: str) -> int:
    """Return the length of ``text`` in UTF-16 units, as Telegram counts offsets."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def unescape(text: str) -> str:
    """Replace numeric and the four named HTML entities. Others stay as they are."""
    return _ESCAPE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    hexadecimal, decimal, name, _ = match.groups()
    if name:
        return _NAMED[name] if name in _NAMED else match.group()
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    return chr(code) if 0 < code < 0x10FFFF else match.group()


@dataclass(slots=True)
class _Open:
    tag: str
    offset: int
    argument: dict[str, str]
    start: int


class _Parser:
    def __init__(self, source: str) -> None:
        self.source = source
        self.out: list[str] = []
        self.length = 0
        self.stack: list[_Open] = []
        self.entities: list[Entity] = []

    def run(self) -> tuple[str, list[Entity]]:
        position = 0
        for tag in _TAG.finditer(self.source):
            if tag.start() < position:
                continue  # inside of an attribute's value
            self._plain(self.source[position : tag.start()])
            position = self._close(tag) if tag[1] else self._open(tag)
        self._plain(self.source[position:])
        if self.stack:
            raise _unparsable(f'Can\'t find end tag corresponding to start tag "{self.stack[-1].tag}"')
        self.entities.sort(key=lambda entity: (entity["offset"], -entity["length"]))
        return "".join(self.out), self.entities

    def _plain(self, chunk: str) -> None:
        if chunk:
            text = unescape(chunk)
            self.out.append(text)
            self.length += utf16(text)

    def _at(self, position: int) -> str:
        return f"at byte offset {len(self.source[:position].encode('utf-8', 'surrogatepass'))}"

    def _open(self, match: re.Match[str]) -> int:
        begin, position, tag = match.start(), match.end(), match[2].lower()
        unclosed = _unparsable(f"Unclosed start tag {self._at(begin)}")
        if match.end(2) == len(self.source):
            raise unclosed
        if tag not in _TYPES:
            raise _unparsable(f'Unsupported start tag "{tag}" {self._at(begin)}')
        arguments: dict[str, str] = {}
        while not self.source.startswith(">", position):
            found = _ATTRIBUTE.match(self.source, position)
            assert found is not None
            name, given, *values = found.groups()
            after = self.source[found.end() : found.end() + 1]
            if not name and position < len(self.source):
                raise _unparsable(f'Empty attribute name in the tag "{tag}" {self._at(begin)}')
            if not after or (given is not None and after in "\"'"):
                raise unclosed
            if given is None and (tag, name) != ("blockquote", "expandable"):
                what = f'Expected equal sign in declaration of an attribute of the tag "{tag}"'
                raise _unparsable(f"{what} {self._at(begin)}")
            if values[2:] != [None] and not after.isspace() and after != ">":
                raise _unparsable(f"Unexpected end of name token {self._at(found.start(5))}")
            arguments[name.lower()] = unescape(next((value for value in values if value is not None), ""))
            position = found.end()
            while self.source[position : position + 1].isspace():
                position += 1
        self.stack.append(_Open(tag, self.length, arguments, len(self.out)))
        return position + 1

    def _close(self, match: re.Match[str]) -> int:
        begin, found = match.start(), match[2].lower()
        if not self.stack:
            raise _unparsable(f"Unexpected end tag {self._at(begin)}")
        if not self.source.startswith(">", match.end()):
            raise _unparsable(f"Unclosed end tag {self._at(begin)}")
        opened = self.stack.pop()
        if found and found != opened.tag:
            expected = f'expected "</{opened.tag}>", found "</{found}>"'
            raise _unparsable(f"Unmatched end tag {self._at(begin)}, {expected}")
        if self.length > opened.offset:
            self._entity(opened)
        return match.end() + 1

    def _entity(self, opened: _Open) -> None:
        length = self.length - opened.offset
        entity: Entity = {"type": _TYPES[opened.tag], "offset": opened.offset, "length": length}
        if opened.tag == "a":
            target = opened.argument.get("href") or "".join(self.out[opened.start :])
            if not _LINK.fullmatch(target):
                return  # Telegram keeps the text and silently drops an invalid link
            entity["url"] = target
        elif opened.tag == "tg-time":
            entity |= _moment(opened.argument)
        elif opened.tag == "blockquote" and "expandable" in opened.argument:
            entity["type"] = "expandable_blockquote"
        self.entities.append(entity)


def _moment(arguments: dict[str, str]) -> Entity:
    unix, form = arguments.get("unix", ""), arguments.get("format", "")
    if not unix.isdigit() or not 0 < int(unix) < 2**31:
        raise _unparsable("Invalid date specified")
    if not _DATE_FORMAT.fullmatch(form):
        raise _unparsable("Invalid date format specified")
    return {"unix_time": int(unix), "date_time_format": form} if form else {"unix_time": int(unix)}


def _unparsable(what: str) -> Refusal:
    return bad_request(f"can't parse entities: {what}")


@lru_cache(maxsize=8192)
def _parsed(source: str) -> tuple[str, tuple[Entity, ...]]:
    text, entities = _Parser(source).run() if "<" in source else (unescape(source), [])
    return trim(text, entities)


def parse(source: str) -> tuple[str, list[Entity]]:
    """Return (text, entities) of an HTML message. Raises ``Refusal`` 400 if Telegram cannot parse it."""
    text, entities = _parsed(source)
    return text, list(entities)


def trim(text: str, entities: list[Entity]) -> tuple[str, tuple[Entity, ...]]:
    """Remove white space at both ends, as Telegram does, and adjust the entities."""
    right = text.rstrip()
    bare = right.lstrip()
    if len(bare) == len(text):
        return text, tuple(entities[:MAX_ENTITIES])
    shift, end = utf16(right) - utf16(bare), utf16(bare)
    kept = []
    for entity in entities:
        start = max(0, entity["offset"] - shift)
        stop = min(end, entity["offset"] + entity["length"] - shift)
        if stop > start:
            kept.append(entity | {"offset": start, "length": stop - start})
    return bare, tuple(kept[:MAX_ENTITIES])


#: Telegram silently ignores entities beyond this number.
MAX_ENTITIES = 100
