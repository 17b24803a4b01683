"""Ephemeral group messages (Bot API 10.2 and 10.3): one member sees them, right after a tap."""

from __future__ import annotations

from typing import Any

from .content import MAX_EPHEMERAL, QUERY_LIFE, Files, message_text, open_query
from .errors import bad_request
from .keyboard import check
from .members import Members
from .model import Chat, Json, Message
from .params import integer

__all__ = ["MAX_EPHEMERAL", "METHODS", "send", "wanted"]


def wanted(params: Json) -> bool:
    """Return True if the parameters ask for an ephemeral message."""
    return "ephemeral_message_parameters" in params or "receiver_user_id" in params


def send(tg: Members, chat: Chat, params: Json, content: Json) -> Json:
    """Show a message to one member of a group. Raises ``Refusal`` 400 unless that member has just tapped."""
    asked = params.get("ephemeral_message_parameters") or params
    receiver = tg.users.get(integer(asked, "receiver_user_id"))
    if chat.user is not None:
        raise bad_request("ephemeral messages can be sent only to groups and supergroups")
    if receiver is None or not chat.member(receiver).present:
        raise bad_request("USER_NOT_PARTICIPANT")
    if (query_id := asked.get("callback_query_id")) is not None:
        query = open_query(tg, query_id)
        fresh = query.user is receiver and query.message.chat is chat
    else:
        fresh = any(
            query.user is receiver and query.message.chat is chat and tg.clock() - query.time <= QUERY_LIFE
            for query in reversed(tg.queries.values())
        )
    if not fresh:
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    number = len(chat.ephemeral) + 1
    message = Message(0, chat, tg.clock(), tg.bot, **content, receiver=receiver, ephemeral_id=number)
    chat.ephemeral[number] = message
    tg.touch(chat)
    return message.json()


def _found(tg: Members, params: Json) -> Message:
    chat = tg.chat_of(params)
    message = chat.ephemeral.get(integer(params, "ephemeral_message_id"))
    receiver = tg.users.get(integer(params, "receiver_user_id"))
    if message is None or message.receiver is not receiver:
        raise bad_request("message to edit not found")
    return message


def edit_text(tg: Members, params: Json, files: Files) -> bool:
    """Do ``editEphemeralMessageText``."""
    message = _found(tg, params)
    message.text, message.entities, message.html = message_text(params, MAX_EPHEMERAL)
    message.keyboard = check(params.get("reply_markup"))
    message.edited = tg.clock()
    tg.touch(message.chat)
    return True


METHODS: dict[str, Any] = {
    "editEphemeralMessageText": edit_text,
}
