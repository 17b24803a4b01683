"""Users, chats, members and messages, and their JSON in the Bot API."""

from __future__ import annotations

import base64
import hashlib
import struct
from dataclasses import dataclass, field
from typing import Any

from telegram import ChatAdministratorRights, ChatPermissions

from .calls import bad_request

Json = dict[str, Any]

#: The rights of a group's admins: those that the library knows, without those that only channels have.
ADMIN_RIGHTS = tuple(
    sorted(
        {*ChatAdministratorRights.__slots__, "can_send_welcome_messages"}
        - {"is_anonymous", "can_post_messages", "can_edit_messages"}
        - {"can_manage_direct_messages", "can_manage_tags"}
    )
)
#: The permissions of members.
PERMISSIONS = tuple(ChatPermissions.__slots__)

#: The sender of an anonymous admin's messages (@GroupAnonymousBot).
ANONYMOUS_ADMIN = 1087968824

#: The senders of messages in a channel's name (@Channel_Bot), and of posts that Telegram forwards from a
#: linked channel.
CHANNEL_BOT = 136817688
TELEGRAM = 777000

#: The thread id of a forum's General topic; messages in it have no thread id.
GENERAL_TOPIC = 1


def given(**fields: Any) -> Json:
    """Return the fields that have a value. The Bot API leaves out those that are empty or false."""
    return {name: value for name, value in fields.items() if value not in (None, False, "", [])}


@dataclass(slots=True, eq=False)
class User:
    """A person or a bot. ``started`` and ``blocked`` refer to our bot."""

    id: int
    first_name: str
    last_name: str | None = None
    username: str | None = None
    language_code: str | None = None
    is_bot: bool = False
    started: bool = False
    blocked: bool = False

    def json(self) -> Json:
        """Return the Bot API's ``User``."""
        shown: Json = {"id": self.id, "is_bot": self.is_bot, "first_name": self.first_name}
        names = given(last_name=self.last_name, username=self.username, language_code=self.language_code)
        return shown | names


@dataclass(slots=True, eq=False)
class Member:
    """A user's status in a group: creator, administrator, member, restricted, left or kicked."""

    user: User
    status: str = "member"
    rights: dict[str, bool] = field(default_factory=dict)
    anonymous: bool = False

    @property
    def present(self) -> bool:
        """Return True if the user is in the group now."""
        return self.status in ("creator", "administrator", "member", "restricted")

    def may(self, right: str) -> bool:
        """Return True if the user has an admin right. A creator has all."""
        return self.status == "creator" or (self.status == "administrator" and self.rights.get(right, False))

    def json(self) -> Json:
        """Return the Bot API's ``ChatMember`` object."""
        shown: Json = {"status": self.status, "user": self.user.json()}
        if self.status == "creator":
            shown["is_anonymous"] = self.anonymous
        elif self.status == "administrator":
            shown |= {"can_be_edited": False, "is_anonymous": self.anonymous}
            shown |= {right: self.rights.get(right, False) for right in ADMIN_RIGHTS}
        elif self.status == "restricted":
            shown |= {"is_member": True, "until_date": 0}
            shown |= {right: self.rights.get(right, True) for right in PERMISSIONS}
        elif self.status == "kicked":
            shown["until_date"] = 0
        return shown


@dataclass(slots=True, eq=False)
class Topic:
    """A topic of a forum. Its id is that of the service message that opened it."""

    id: int
    name: str
    closed: bool = False


@dataclass(slots=True, frozen=True)
class Photo:
    """A picture on Telegram's servers. Equal bytes have the same file id."""

    file_id: str
    width: int
    height: int
    data: bytes = field(repr=False)

    @classmethod
    def of(cls, data: bytes) -> Photo:
        """Return the photo for ``data`` (a PNG). Raises ``Refusal`` 400 if Telegram would not accept it."""
        if not data.startswith(b"\x89PNG\r\n\x1a\n") or data[12:16] != b"IHDR":
            raise bad_request("IMAGE_PROCESS_FAILED")
        width, height = struct.unpack(">II", data[16:24])
        if width + height > 10_000 or max(width, height) > 20 * min(width, height):
            raise bad_request("PHOTO_INVALID_DIMENSIONS")
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        return cls("AgACAgIAAxkD" + digest, width, height, data)

    def sizes(self) -> list[Json]:
        """Return the Bot API's list of ``PhotoSize``, the smallest first."""
        longest = max(self.width, self.height)
        scales = [("s", 320 / longest), ("", 1)] if longest > 320 else [("", 1)]
        return [
            {
                "file_id": self.file_id + suffix,
                "file_unique_id": self.file_id[-11:] + suffix,
                "width": max(1, round(self.width * scale)),
                "height": max(1, round(self.height * scale)),
                "file_size": round(len(self.data) * scale),
            }
            for suffix, scale in scales
        ]


@dataclass(slots=True, eq=False)
class Message:
    """A message in a chat. For a photo, ``text`` is the caption."""

    id: int
    chat: Chat
    date: float
    sender: User | None = None
    sender_chat: Chat | None = None
    text: str = ""
    entities: list[Json] = field(default_factory=list)
    html: str = ""
    photo: Photo | None = None
    keyboard: Json | None = None
    thread: int | None = None
    reply_to: Message | None = None
    edited: float | None = None
    deleted: bool = False
    protected: bool = False
    spoiler: bool = False
    #: For a forward: the original message. Nobody can edit a forward.
    forwarded: Message | None = None
    service: Json | None = None
    #: True if Telegram itself forwarded it from the linked channel.
    automatic: bool = False

    def json(self, *, reply: bool = True) -> Json:
        """Return the Bot API's ``Message`` with the current content."""
        shown: Json = {"message_id": self.id, "date": int(self.date), "chat": self.chat.json()}
        replied = self.reply_to if reply and self.reply_to and not self.reply_to.deleted else None
        shown |= given(
            sender_chat=self.sender_chat and self.sender_chat.json(),
            is_automatic_forward=self.automatic,
            message_thread_id=self.thread,
            is_topic_message=self.thread is not None,
            reply_to_message=replied and replied.json(reply=False),
            edit_date=self.edited and int(self.edited),
            photo=self.photo and self.photo.sizes(),
            has_media_spoiler=self.spoiler and self.photo is not None,
            has_protected_content=self.protected,
            reply_markup=self.keyboard if self.rows else None,
        )
        if self.sender is not None:
            shown["from"] = self.sender.json()
        if self.forwarded is not None and self.forwarded.sender is not None:
            origin = {"type": "user", "sender_user": self.forwarded.sender.json()}
            shown["forward_origin"] = {**origin, "date": int(self.forwarded.date)}
        words = ("caption", "caption_entities") if self.photo else ("text", "entities")
        return (
            shown | given(**dict(zip(words, (self.text, self.entities), strict=True))) | (self.service or {})
        )

    @property
    def mine(self) -> bool:
        """Return True if our bot wrote it."""
        sender = self.sender
        return sender is not None and sender.is_bot and sender.id not in (ANONYMOUS_ADMIN, CHANNEL_BOT)

    @property
    def rows(self) -> list[list[Json]]:
        """Return the current rows of inline buttons."""
        return (self.keyboard or {}).get("inline_keyboard", [])

    def buttons(self) -> list[Json]:
        """Return the current inline buttons, row by row."""
        return [button for row in self.rows for button in row]

    def labels(self) -> list[str]:
        """Return the labels of the buttons, row by row."""
        return [button["text"] for button in self.buttons()]


@dataclass(slots=True, eq=False)
class Chat:
    """A private chat, a group or a supergroup, with its members and messages."""

    id: int
    type: str
    title: str = ""
    user: User | None = None
    forum: bool = False
    topics: dict[int, Topic] = field(default_factory=dict, repr=False)
    members: dict[int, Member] = field(default_factory=dict, repr=False)
    messages: dict[int, Message] = field(default_factory=dict, repr=False)
    next_message: int = 1
    permissions: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(PERMISSIONS, True), repr=False)
    migrated_to: int | None = None
    #: True if the list of members is hidden. Then a bot that is not an admin sees only itself.
    hidden: bool = False
    #: The channel to which this discussion group belongs.
    linked: Chat | None = None
    #: True if the group protects its content, so that nobody can forward its messages.
    protected: bool = False
    #: Seconds between two messages of a member who is not an admin; 0: slow mode is off.
    slow_mode: int = 0

    def json(self) -> Json:
        """Return the Bot API's ``Chat``."""
        shown: Json = {"id": self.id, "type": self.type}
        if self.user is not None:
            return shown | {name: value for name, value in self.user.json().items() if name in _NAMES}
        return shown | {"title": self.title} | given(is_forum=self.forum)

    def member(self, user: User) -> Member:
        """Return the user's membership. The status of somebody who was never here is ``left``."""
        return self.members.get(user.id) or Member(user, "left")


_NAMES = ("first_name", "last_name", "username")


@dataclass(slots=True, frozen=True)
class Toast:
    """The answer to a tap, as the person saw it in a chat. An empty text shows nothing."""

    time: float
    user: int
    chat: int
    text: str
    alert: bool
    url: str | None


@dataclass(slots=True, eq=False)
class Query:
    """A tap on an inline button, and the bot's answer if there is one."""

    id: str
    user: User
    message: Message
    data: str
    time: float
    answer: Toast | None = None
