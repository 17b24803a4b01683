"""Methods that edit the bot's messages."""

from __future__ import annotations

from typing import Any

from .content import Files, caption, message_text, picture
from .errors import bad_request
from .html import Entity
from .keyboard import check
from .members import Members
from .model import Json, Message, Photo
from .params import integer

_SAME = (
    "message is not modified: specified new message content and reply markup are exactly the same as "
    "a current content and reply markup of the message"
)


def _found(tg: Members, params: Json) -> Message:
    if not integer(params, "message_id"):
        raise bad_request("message identifier is not specified")
    message = tg.message_of(tg.chat_of(params), params, "edit")
    if message.sender is not tg.bot or message.service or message.forwarded is not None:
        raise bad_request("message can't be edited")
    return message


def _change(
    tg: Members,
    message: Message,
    words: tuple[str, list[Entity], str],
    photo: Photo | None,
    keyboard: Json | None,
    spoiler: bool,
) -> Json:
    text, entities, html = words
    before = (message.text, message.entities, message.photo, message.keyboard, message.spoiler)
    if before == (text, entities, photo, keyboard, spoiler):
        raise bad_request(_SAME)
    # Telegram marks a message as edited only if its content changes, not its keyboard.
    if before[:3] != (text, entities, photo):
        message.edited = tg.clock()
    message.text, message.entities, message.html = text, entities, html
    message.photo, message.keyboard, message.spoiler = photo, keyboard, spoiler
    tg.touch(message.chat)
    return message.json()


def edit_text(tg: Members, params: Json, files: Files) -> Json:
    """Do ``editMessageText``. Without ``reply_markup``, the keyboard is removed."""
    message = _found(tg, params)
    if message.photo is not None:
        raise bad_request("there is no text in the message to edit")
    return _change(tg, message, message_text(params), None, check(params.get("reply_markup")), False)


def edit_caption(tg: Members, params: Json, files: Files) -> Json:
    """Do ``editMessageCaption``. Without ``reply_markup``, the keyboard is removed."""
    message = _found(tg, params)
    if message.photo is None:
        raise bad_request("there is no caption in the message to edit")
    keyboard = check(params.get("reply_markup"))
    return _change(tg, message, caption(params), message.photo, keyboard, message.spoiler)


def edit_media(tg: Members, params: Json, files: Files) -> Json:
    """Do ``editMessageMedia``: replace the photo and the caption of a message with a photo."""
    message = _found(tg, params)
    if message.photo is None:
        raise bad_request("there is no media in the message to edit")
    media = params.get("media")
    if not isinstance(media, dict) or media.get("type") != "photo":
        raise bad_request("can't parse InputMedia")
    photo = picture(tg, media.get("media"), files, "media")
    return _change(tg, message, caption(media), photo, check(params.get("reply_markup")), False)


def edit_markup(tg: Members, params: Json, files: Files) -> Json:
    """Do ``editMessageReplyMarkup``. Without ``reply_markup``, the keyboard is removed."""
    message = _found(tg, params)
    words = (message.text, message.entities, message.html)
    return _change(tg, message, words, message.photo, check(params.get("reply_markup")), message.spoiler)


METHODS: dict[str, Any] = {
    "editMessageText": edit_text,
    "editMessageCaption": edit_caption,
    "editMessageMedia": edit_media,
    "editMessageReplyMarkup": edit_markup,
}
