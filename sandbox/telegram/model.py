"""Users, chats, members and messages, and their JSON in the Bot API."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .rights import ADMIN_RIGHTS, PERMISSIONS

Json = dict[str, Any]

#: The sender of an anonymous admin's messages (@GroupAnonymousBot).
ANONYMOUS_ADMIN = 1087968824

#: The senders of messages in a channel's name (@Channel_Bot), and of posts that Telegram forwards from a
#: linked channel.
CHANNEL_BOT = 136817688
TELEGRAM = 777000

#: The thread id of a forum's General topic; messages in it have no thread id.
GENERAL_TOPIC = 1


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
    deleted: bool = False

    def json(self) -> Json:
        """Return the Bot API's ``User``. A deleted account has no name."""
        if self.deleted:
            return {"id": self.id, "is_bot": self.is_bot, "first_name": ""}
        shown: Json = {"id": self.id, "is_bot": self.is_bot, "first_name": self.first_name}
        more = {name: getattr(self, name) for name in ("last_name", "username", "language_code")}
        return shown | {name: value for name, value in more.items() if value}


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
    unique_id: str
    width: int
    height: int
    data: bytes = field(repr=False)

    def sizes(self) -> list[Json]:
        """Return the Bot API's list of ``PhotoSize``, the smallest first."""
        names, scale = ("file_id", "file_unique_id", "width", "height", "file_size"), 320
        own = (self.file_id, self.unique_id, self.width, self.height, len(self.data))
        sizes = [dict(zip(names, own, strict=True))]
        if (longest := max(self.width, self.height)) > scale:
            width, height = (max(1, round(side * scale / longest)) for side in (self.width, self.height))
            small = (self.file_id + "s", self.unique_id + "s", width, height, len(self.data) // 8)
            sizes.insert(0, dict(zip(names, small, strict=True)))
        return sizes


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
    silent: bool = False
    #: For a forward: the original message. Nobody can edit a forward.
    forwarded: Message | None = None
    service: Json | None = None
    #: True if Telegram itself forwarded it from the linked channel.
    automatic: bool = False

    def json(self, *, reply: bool = True) -> Json:
        """Return the Bot API's ``Message`` with the current content."""
        shown: Json = {"message_id": self.id, "date": int(self.date), "chat": self.chat.json()}
        if self.sender is not None:
            shown["from"] = self.sender.json()
        if self.sender_chat is not None:
            shown["sender_chat"] = self.sender_chat.json()
        if self.automatic:
            shown["is_automatic_forward"] = True
        if self.thread is not None:
            shown |= {"message_thread_id": self.thread, "is_topic_message": True}
        if self.reply_to is not None and reply and not self.reply_to.deleted:
            shown["reply_to_message"] = self.reply_to.json(reply=False)
        if self.edited is not None:
            shown["edit_date"] = int(self.edited)
        if self.forwarded is not None and self.forwarded.sender is not None:
            origin = {"type": "user", "sender_user": self.forwarded.sender.json()}
            shown["forward_origin"] = {**origin, "date": int(self.forwarded.date)}
        if self.photo is not None:
            shown["photo"] = self.photo.sizes()
            if self.spoiler:
                shown["has_media_spoiler"] = True
        if self.text:
            shown["caption" if self.photo else "text"] = self.text
        if self.entities:
            shown["caption_entities" if self.photo else "entities"] = self.entities
        if self.protected:
            shown["has_protected_content"] = True
        if self.keyboard is not None and "inline_keyboard" in self.keyboard:
            shown["reply_markup"] = self.keyboard
        return shown | (self.service or {})

    @property
    def author(self) -> str:
        """Return the name that the chat shows above the message."""
        if self.sender_chat is not None:
            return self.sender_chat.title
        return "" if self.sender is None else self.sender.first_name

    @property
    def rows(self) -> list[list[Json]]:
        """Return the current rows of inline buttons."""
        return (self.keyboard or {}).get("inline_keyboard", [])

    def buttons(self) -> list[Json]:
        """Return the current inline buttons, row by row."""
        return [button for row in self.rows for button in row]


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
    deleted: bool = False
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
        if self.user is not None:
            shown = {key: value for key, value in self.user.json().items() if key in _NAMES}
            return {"id": self.id, "type": self.type, **shown}
        shown = {"id": self.id, "type": self.type, "title": self.title}
        if self.forum:
            shown["is_forum"] = True
        return shown

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
