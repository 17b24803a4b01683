"""Methods that ask about chats and their members."""

from __future__ import annotations

from typing import Any

from .content import Files
from .errors import bad_request
from .members import Members
from .model import Json


def get_chat_member(tg: Members, params: Json, files: Files) -> Json:
    """Do ``getChatMember``. The status of somebody who was never in the chat is ``left``."""
    chat = tg.chat_of(params)
    user = tg.user_of(params)
    if chat.user is not None:
        if user is not chat.user and user is not tg.bot:
            raise bad_request("member not found")
        return {"status": "member", "user": user.json()}
    if chat.hidden and user is not tg.bot and chat.member(tg.bot).status != "administrator":
        raise bad_request("CHAT_ADMIN_REQUIRED")
    return chat.member(user).json()


def get_chat(tg: Members, params: Json, files: Files) -> Json:
    """Do ``getChat``, with the fields that the bot uses."""
    chat = tg.chat_of(params)
    linked = {} if chat.linked is None else {"linked_chat_id": chat.linked.id}
    slow = {"slow_mode_delay": chat.slow_mode} if chat.slow_mode else {}
    return {**chat.json(), "accent_color_id": 0, "max_reaction_count": 11, **linked, **slow}


METHODS: dict[str, Any] = {
    "getChat": get_chat,
    "getChatMember": get_chat_member,
}
