"""Methods that ask about chats and their members."""

from __future__ import annotations

from typing import Any

from .content import Files
from .errors import bad_request
from .members import Members
from .model import Chat, Json
from .params import string


def get_chat(tg: Members, params: Json, files: Files) -> Json:
    """`getChat`: a `ChatFullInfo`."""
    chat = tg.chat_of(params)
    gifts = dict.fromkeys(
        ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels"),
        False,
    )
    shown = chat.json() | {"accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": gifts}
    if chat.user is None:
        shown["permissions"] = dict(chat.permissions)
    pinned = [message for message in map(chat.messages.get, chat.pinned) if message is not None]
    if pinned:
        shown["pinned_message"] = pinned[-1].json(reply=False)
    return shown


def get_chat_member(tg: Members, params: Json, files: Files) -> Json:
    """`getChatMember`: somebody never seen there has left."""
    chat = tg.chat_of(params)
    user = tg.user_of(params)
    if chat.user is not None:
        if user is not chat.user and user is not tg.bot:
            raise bad_request("member not found")
        return {"status": "member", "user": user.json()}
    return chat.member(user).json()


def get_chat_administrators(tg: Members, params: Json, files: Files) -> list[Json]:
    """`getChatAdministrators`: all but other bots."""
    chat = _group(tg, params, "there are no administrators in the private chat")
    return [
        member.json()
        for member in chat.members.values()
        if member.status in ("creator", "administrator") and (not member.user.is_bot or member.user is tg.bot)
    ]


def get_chat_member_count(tg: Members, params: Json, files: Files) -> int:
    """`getChatMemberCount`."""
    chat = tg.chat_of(params)
    return 2 if chat.user is not None else sum(member.present for member in chat.members.values())


def leave_chat(tg: Members, params: Json, files: Files) -> bool:
    """`leaveChat`."""
    tg.leaves(_group(tg, params, "chat member status can't be changed in private chats"))
    return True


def get_file(tg: Members, params: Json, files: Files) -> Json:
    """`getFile`: where a picture can be fetched."""
    file_id = string(params, "file_id")
    photo = tg.photos.get(file_id) or tg.photos.get(file_id[:-1])
    if photo is None:
        raise bad_request("invalid file_id")
    return photo.sizes()[-1] | {"file_path": photo.path, "width": None, "height": None}


def _group(tg: Members, params: Json, refusal: str) -> Chat:
    chat = tg.chat_of(params)
    if chat.user is not None:
        raise bad_request(refusal)
    return chat


METHODS: dict[str, Any] = {
    "getChat": get_chat,
    "getChatMember": get_chat_member,
    "getChatAdministrators": get_chat_administrators,
    "getChatMemberCount": get_chat_member_count,
    "leaveChat": leave_chat,
    "getFile": get_file,
}
