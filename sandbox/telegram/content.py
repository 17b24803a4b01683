"""Read a message's content from parameters, and check it against Telegram's limits."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from .entities import detect
from .errors import bad_request
from .html import Entity, parse, trim, utf16
from .model import Chat, Message, Photo, Query
from .params import flag, string
from .pictures import upload
from .state import State

MAX_TEXT = 4096
MAX_CAPTION = 1024
MAX_EPHEMERAL = 1024
MAX_TOAST = 200
#: Seconds after a tap within which it can be answered.
QUERY_LIFE = 15.0

Files = Mapping[str, bytes]


def formatted(params: Mapping[str, Any], name: str) -> tuple[str, list[Entity], str]:
    """Return (text, entities, HTML) of a parameter. Raises ``Refusal`` 400 for broken markup."""
    source = string(params, name)
    mode = string(params, "parse_mode").lower()
    if mode == "html":
        text, marked = parse(source)
        return text, [*marked, *detect(text, marked)], source
    if mode:
        raise bad_request("unsupported parse_mode")
    given = params.get("entities" if name == "text" else "caption_entities") or []
    text, trimmed = trim(source, list(given))
    return text, list(trimmed), escape(text, quote=False)


def message_text(params: Mapping[str, Any], limit: int = MAX_TEXT) -> tuple[str, list[Entity], str]:
    """Return (text, entities, HTML) of ``text``: 1 to ``limit`` parsed characters. Raises ``Refusal``."""
    text, entities, html = formatted(params, "text")
    if not text:
        raise bad_request("message text is empty")
    if utf16(text) > limit:
        raise bad_request("message is too long")
    return text, entities, html


def caption(params: Mapping[str, Any]) -> tuple[str, list[Entity], str]:
    """Return (text, entities, HTML) of ``caption``: up to 1024 parsed characters. Raises ``Refusal``."""
    text, entities, html = formatted(params, "caption")
    if utf16(text) > MAX_CAPTION:
        raise bad_request("message caption is too long")
    return text, entities, html


def picture(tg: State, value: Any, files: Files, part: str) -> Photo:
    """Return the photo in ``value``: an upload, or a known file id. Raises ``Refusal`` 400."""
    data = files.get(part) if value is None else None
    if isinstance(value, str) and value.startswith("attach://"):
        data = files.get(value.removeprefix("attach://"))
        if data is None:
            raise bad_request("there is no file attached under that name")
    if data is not None:
        photo = upload(data)
        tg.photos[photo.file_id] = photo
        return photo
    if value is None:
        raise bad_request(f"there is no {part} in the request")
    known = tg.photos.get(value) or tg.photos.get(str(value)[:-1])
    if known is None:
        raise bad_request("wrong file identifier/HTTP URL specified")
    return known


def replied(chat: Chat, params: Mapping[str, Any]) -> Message | None:
    """Return the message in ``reply_parameters``, if any. Raises ``Refusal`` 400 if it must exist."""
    wanted = params.get("reply_parameters")
    if not isinstance(wanted, dict) or "message_id" not in wanted:
        return None
    message = chat.messages.get(wanted["message_id"])
    if message is not None and not message.deleted:
        return message
    if flag(wanted, "allow_sending_without_reply"):
        return None
    raise bad_request("message to be replied not found")


def open_query(tg: State, query_id: str) -> Query:
    """Return the tap with this id if it can still be answered. Raises ``Refusal`` 400."""
    query = tg.queries.get(query_id)
    if query is None or query.answer is not None or tg.clock() - query.time > QUERY_LIFE:
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    return query
