"""Methods that post and delete messages, and answer taps."""

from __future__ import annotations

import re
from typing import Any

from . import ephemeral
from .content import MAX_TEXT, MAX_TOAST, Files, caption, message_text, open_query, picture, replied
from .errors import bad_request
from .html import Entity
from .keyboard import check
from .members import Members
from .model import Chat, Json, Message, Photo, TapAnswer
from .params import flag, string

DELETABLE_FOR = 48 * 3600.0

_ACTIONS = frozenset(
    {
        "typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice",
        "upload_document", "choose_sticker", "find_location", "record_video_note", "upload_video_note",
    }
)  # fmt: skip


def send_message(tg: Members, params: Json, files: Files) -> Json:
    """Do ``sendMessage``."""
    chat, thread = tg.place_of(params, "text messages")
    limit = ephemeral.MAX_EPHEMERAL if ephemeral.wanted(params) else MAX_TEXT
    return _send(tg, chat, params, thread, message_text(params, limit), None)


def send_photo(tg: Members, params: Json, files: Files) -> Json:
    """Do ``sendPhoto``."""
    chat, thread = tg.place_of(params, "photos")
    words, photo = caption(params), picture(tg, params.get("photo"), files, "photo")
    return _send(tg, chat, params, thread, words, photo)


def _send(
    tg: Members,
    chat: Chat,
    params: Json,
    thread: int | None,
    words: tuple[str, list[Entity], str],
    photo: Photo | None,
) -> Json:
    text, entities, html = words
    content: Json = {
        "text": text,
        "entities": entities,
        "html": html,
        "photo": photo,
        "spoiler": flag(params, "has_spoiler"),
        "keyboard": check(params.get("reply_markup")),
        "thread": thread,
        "protected": flag(params, "protect_content"),
    }
    if ephemeral.wanted(params):
        return ephemeral.send(tg, chat, params, content)
    silent = flag(params, "disable_notification")
    return tg.post(chat, tg.bot, reply_to=replied(chat, params), silent=silent, **content).json()


def forward_message(tg: Members, params: Json, files: Files) -> Json:
    """Do ``forwardMessage`` for a text."""
    chat, thread = tg.place_of(params, "text messages")
    source = tg.message_of(tg.chat_of({"chat_id": params.get("from_chat_id")}), params, "forward")
    if source.protected or source.chat.protected or source.service:
        raise bad_request("message can't be forwarded")
    content: Json = {"text": source.text, "entities": source.entities, "html": source.html}
    protected = flag(params, "protect_content")
    forward = tg.post(chat, tg.bot, thread=thread, protected=protected, forwarded=source, **content)
    return forward.json()


def delete_message(tg: Members, params: Json, files: Files) -> bool:
    """Do ``deleteMessage``."""
    chat = tg.chat_of(params)
    _delete(tg, tg.message_of(chat, params, "delete"))
    return True


def _delete(tg: Members, message: Message) -> None:
    chat = message.chat
    ours = message.sender is tg.bot
    if not ours and chat.user is None and not chat.member(tg.bot).may("can_delete_messages"):
        raise bad_request("message can't be deleted")
    admin = chat.user is None and chat.member(tg.bot).may("can_delete_messages")
    if not admin and tg.clock() - message.date > DELETABLE_FOR:
        raise bad_request("message can't be deleted for everyone")
    message.deleted = True
    tg.touch(chat)


def answer_callback_query(tg: Members, params: Json, files: Files) -> bool:
    """Do ``answerCallbackQuery``: once per tap, within 15 seconds."""
    query = open_query(tg, string(params, "callback_query_id"))
    text, url = string(params, "text"), string(params, "url")
    if len(text) > MAX_TOAST:
        raise bad_request("MESSAGE_TOO_LONG")
    name = re.escape(tg.bot.username or "")
    if url and not re.fullmatch(
        rf"(?:https?://)?(?:t|telegram)\.me/{name}\?start(?:group)?=[\w-]{{1,64}}"
        rf"|tg://resolve\?domain={name}&start=[\w-]{{1,64}}",
        url,
        re.IGNORECASE,
    ):
        raise bad_request("URL_INVALID")
    query.answer = TapAnswer(tg.clock(), text, flag(params, "show_alert"), url or None)
    tg.touch(query.message.chat)
    return True


def send_chat_action(tg: Members, params: Json, files: Files) -> bool:
    """Do ``sendChatAction``."""
    tg.place_of(params, "text messages")
    action = string(params, "action")
    if action not in _ACTIONS:
        raise bad_request("wrong parameter action in request")
    return True


METHODS: dict[str, Any] = {
    "sendMessage": send_message,
    "sendPhoto": send_photo,
    "forwardMessage": forward_message,
    "deleteMessage": delete_message,
    "answerCallbackQuery": answer_callback_query,
    "sendChatAction": send_chat_action,
}
