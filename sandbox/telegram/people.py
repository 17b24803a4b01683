"""A Telegram with one bot: its users, chats and queues, and what people do there.

Each act of people queues its updates. People can do only what a Telegram client allows.
"""

import re
import threading
from collections.abc import Callable, Mapping
from html import escape
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .calls import Flood, Journal, Refusal, bad_request, forbidden, integer
from .delivery import CALLBACK_LIFE, MESSAGE_LIFE, Delivery, Pending
from .html import detect
from .model import (
    ADMIN_RIGHTS,
    ANONYMOUS_ADMIN,
    CHANNEL_BOT,
    GENERAL_TOPIC,
    PERMISSIONS,
    TELEGRAM,
    Chat,
    Json,
    Member,
    Message,
    Photo,
    Query,
    Topic,
    User,
)

#: Updates that a bot gets only if it requests them.
ON_REQUEST = ("chat_member", "message_reaction", "message_reaction_count")
_PAYLOAD = re.compile(r"[A-Za-z0-9_-]{1,64}")


class People:
    """The state of the stand-in, acts of people, and look-ups that refuse as Telegram does."""

    def __init__(self, clock: Callable[[], float], execute: Callable[[str, Json], object]) -> None:
        """``execute`` does a method call with its parameters that came in a webhook's reply."""
        self.clock = clock
        self.token = "424242:desk-token-of-no-value"
        self.bot = User(424242, "Chancellery", username="chancellery_bot", is_bot=True)
        self.anonymous = User(ANONYMOUS_ADMIN, "Group", username="GroupAnonymousBot", is_bot=True)
        self.channel_bot = User(CHANNEL_BOT, "Channel", username="Channel_Bot", is_bot=True)
        self.service = User(TELEGRAM, "Telegram")
        machines = (self.bot, self.anonymous, self.channel_bot, self.service)
        self.users: dict[int, User] = {user.id: user for user in machines}
        self.chats: dict[int, Chat] = {}
        self.photos: dict[str, Photo] = {}
        self.queries: dict[str, Query] = {}
        self.commands: dict[tuple[str, str], list[Json]] = {}
        self.profile: dict[tuple[str, str], str] = {}
        self.journal = Journal()
        self.flood = Flood()
        self.delivery = Delivery(clock, execute)
        self.on_change: list[Callable[[Chat], None]] = []
        self._lock = threading.RLock()
        self._next_user, self._next_group, self._next_query = 1001, 1, 1

    # --- adding people and chats, without updates ----------------------------------------------------------

    def add_user(self, first_name: str, **details: Any) -> User:
        """Add a user. ``details``: ``id``, or further attributes of ``User``."""
        user_id = details.pop("id", None)
        if user_id is None:
            user_id, self._next_user = self._next_user, self._next_user + 1
        if user_id in self.users:
            raise ValueError(f"user {user_id} exists")
        user = self.users[user_id] = User(user_id, first_name, **details)
        self.chats[user_id] = Chat(user_id, "private", user=user)
        return user

    def add_group(
        self,
        title: str,
        people: tuple[User, ...] | list[User] = (),
        *,
        type: str = "supergroup",
        forum: bool = False,
        bot: bool = True,
        admin: bool = False,
        id: int | None = None,
    ) -> Chat:
        """Add a group, or a channel, owned by the first of ``people``.

        ``bot``: add our bot; ``admin``: as an admin. Set ``Chat.linked`` to link a group to a channel.
        """
        if id is None:
            id = (-1_001_000_000_000 if type == "supergroup" else -4_000_000) - self._next_group
            self._next_group += 1
        if id in self.chats or id >= 0 or type not in ("group", "supergroup", "channel"):
            raise ValueError("a group needs a new negative id and a type")
        # In a forum, the first message id belongs to the General topic.
        first = GENERAL_TOPIC + 1 if forum else 1
        chat = self.chats[id] = Chat(id, type, title=title, forum=forum, next_message=first)
        for index, user in enumerate(people):
            chat.members[user.id] = Member(user, "member" if index else "creator")
        if bot:
            rights = dict.fromkeys(ADMIN_RIGHTS, True) if admin else {}
            chat.members[self.bot.id] = Member(self.bot, "administrator" if admin else "member", rights)
        return chat

    # --- look-ups for the bot's calls, which may raise Refusal ---------------------------------------------

    def chat_of(self, params: Mapping[str, Any]) -> Chat:
        """Return the chat in a call. Raises ``Refusal`` if the bot has no access to it."""
        if params.get("chat_id") in (None, ""):
            raise bad_request("chat_id is empty")
        chat = self.chats.get(integer(params, "chat_id"))
        if chat is None:
            raise bad_request("chat not found")
        if chat.migrated_to is not None:
            what = "Bad Request: group chat was upgraded to a supergroup chat"
            raise Refusal(400, what, migrate_to_chat_id=chat.migrated_to)
        if (closed := self._closed(chat)) is not None:
            raise forbidden(closed)
        return chat

    def _closed(self, chat: Chat) -> str | None:
        """Return why the bot may not write in a chat, or None."""
        if (user := chat.user) is not None:
            reasons = {
                "bot can't send messages to bots": user.is_bot,
                "bot was blocked by the user": user.blocked,
                "bot can't initiate conversation with a user": not user.started,
            }
        else:
            status = chat.member(self.bot).status
            reasons = {
                f"bot was kicked from the {chat.type} chat": status == "kicked",
                f"bot is not a member of the {chat.type} chat": status == "left",
            }
        return next((reason for reason, holds in reasons.items() if holds), None)

    def place_of(self, params: Mapping[str, Any], what: str) -> tuple[Chat, int | None]:
        """Return (chat, thread) where the bot wants to post. Raises ``Refusal`` if it may not.

        ``what``: ``text messages`` or ``photos``, for Telegram's error.
        """
        chat = self.chat_of(params)
        member = chat.member(self.bot)
        right = "can_send_photos" if what == "photos" else "can_send_messages"
        may = chat.permissions.get(right, True) and member.rights.get(right, True)
        if chat.user is None and not may and member.status != "administrator":
            raise bad_request(f"not enough rights to send {what} to the chat")
        thread = integer(params, "message_thread_id") or None
        if thread is None or (chat.forum and thread == GENERAL_TOPIC):
            return chat, None
        topic = chat.topics.get(thread)
        if topic is None:
            raise bad_request("message thread not found")
        if topic.closed and not member.may("can_manage_topics"):
            raise bad_request("TOPIC_CLOSED")
        return chat, thread

    def message_of(self, chat: Chat, params: Mapping[str, Any], purpose: str) -> Message:
        """Return the message in a call. Raises ``Refusal``, which names ``purpose`` (such as ``edit``)."""
        message = chat.messages.get(integer(params, "message_id"))
        if message is None or message.deleted:
            raise bad_request(f"message to {purpose} not found")
        return message

    # --- changes -------------------------------------------------------------------------------------------

    def touch(self, chat: Chat) -> None:
        """Tell all watchers that ``chat`` changed."""
        for watcher in self.on_change:
            watcher(chat)

    def post(self, chat: Chat, sender: User | None, **fields: Any) -> Message:
        """Add a message to a chat, without an update."""
        message = Message(chat.next_message, chat, self.clock(), sender, **fields)
        chat.next_message += 1
        chat.messages[message.id] = message
        self.touch(chat)
        return message

    def tell(
        self, kind: str, content: Json, queue: tuple[str, int], life: float = MESSAGE_LIFE
    ) -> Pending | None:
        """Queue an update for the bot if it gets this kind."""
        allowed = self.delivery.allowed
        wanted = kind not in ON_REQUEST if allowed is None else kind in allowed
        return self.delivery.push(kind, content, queue, life) if wanted else None

    def tell_message(self, message: Message, kind: str = "message") -> Pending | None:
        """Queue a ``message`` (or ``edited_message``) if the bot gets such messages in its chat."""
        chat = message.chat
        if chat.user is None and not (chat.member(self.bot).present and self._gets_message(message)):
            return None
        return self.tell(kind, message.json(), ("chat", chat.id))

    def _gets_message(self, message: Message) -> bool:
        """Return True unless privacy mode hides the message from the bot.

        A bot that is not an admin gets commands, replies to its messages and service messages.
        """
        if message.service or message.chat.member(self.bot).status == "administrator":
            return True
        if message.reply_to is not None and message.reply_to.sender is self.bot:
            return True
        for entity in message.entities:
            if entity["type"] not in ("bot_command", "mention"):
                continue
            raw, start = message.text.encode("utf-16-le"), entity["offset"] * 2
            _, at, bot = raw[start : start + entity["length"] * 2].decode("utf-16-le").partition("@")
            if not at or bot.lower() == (self.bot.username or "").lower():
                return True
        return False

    # --- people ---------------------------------------------------------------------------------------------

    def private(self, user: User) -> Chat:
        """Return the private chat of ``user`` with the bot."""
        return self.chats[user.id]

    def send(
        self,
        user: User,
        chat: Chat,
        text: str,
        topic: int | None = None,
        *,
        reply_to: Message | None = None,
        channel: Chat | None = None,
    ) -> Message:
        """Write ``text`` as ``user``, with its commands and mentions as entities. Return the message.

        An anonymous admin writes as the group. Anybody may write in the name of their own ``channel``.
        Writing in the private chat starts the bot. Raises ``PermissionError`` if the user cannot write there.
        """
        if chat.migrated_to is not None:
            chat = self.chats[chat.migrated_to]
        sender, sender_chat = user, None
        if chat.user is not None:
            if chat.user is not user:
                raise PermissionError("this is somebody else's private chat")
            if user.blocked:
                raise PermissionError("unblock the bot first")
            user.started = True
        else:
            member = chat.member(user)
            if not member.present:
                raise PermissionError(f"{user.first_name} is not in {chat.title}")
            if member.anonymous:
                sender, sender_chat = self.anonymous, chat
            if channel is not None:
                sender, sender_chat = self.channel_bot, channel
        return self._write(chat, sender, text, sender_chat=sender_chat, thread=topic, reply_to=reply_to)

    def forward_automatically(self, chat: Chat, text: str) -> Message:
        """Post in the linked channel. Telegram forwards the post to the discussion group, ``chat``."""
        return self._write(chat, self.service, text, sender_chat=chat.linked, automatic=True)

    def _write(self, chat: Chat, sender: User, text: str, **details: Any) -> Message:
        html = escape(text, quote=False)
        message = self.post(chat, sender, text=text, entities=detect(text), html=html, **details)
        self.tell_message(message)
        return message

    def edit(self, user: User, message: Message, text: str) -> Message:
        """Edit a message as ``user``. Raises ``PermissionError`` if it is not theirs."""
        if message.sender not in (user, self.channel_bot) or message.deleted:
            raise PermissionError("not theirs to edit")
        message.text, message.entities, message.html = text, detect(text), escape(text, quote=False)
        message.edited = self.clock()
        self.touch(message.chat)
        self.tell_message(message, "edited_message")
        return message

    def tap(self, user: User, message: Message, data: str, *, forged: bool = False) -> Query:
        """Tap the inline button with this data as ``user``; return the query that the bot must answer.

        Raises ``LookupError`` if the button is not under the message now, and ``PermissionError`` if the user
        does not see the message. ``forged`` allows anything: invented data, old buttons, strangers.
        """
        chat = message.chat
        if not forged:
            if not (chat.user is user if chat.user is not None else chat.member(user).present):
                raise PermissionError(f"{user.first_name} does not see this message")
            if message.deleted or all(button.get("callback_data") != data for button in message.buttons()):
                raise LookupError(f"no such button under message {message.id}")
        query = Query(str(5_000_000_000_000 + self._next_query), user, message, data, self.clock())
        self._next_query += 1
        self.queries[query.id] = query
        gone = {"chat": chat.json(), "message_id": message.id, "date": 0}
        content = {
            "id": query.id,
            "from": user.json(),
            "message": gone if message.deleted else message.json(),
            "chat_instance": str(7_000_000_000 + abs(chat.id)),
            "data": data,
        }
        self.tell("callback_query", content, ("callback", user.id), CALLBACK_LIFE)
        return query

    def open_link(self, user: User, url: str) -> Message | str:
        """Open a link. One to our bot with ``?start=…`` presses Start in private; else return the address."""
        parts = urlsplit(url if "://" in url else f"https://{url}")
        query = parse_qs(parts.query)
        if parts.path.strip("/").lower() == (self.bot.username or "").lower() and "start" in query:
            return self.start_private(user, query["start"][0])
        return url

    def start_private(self, user: User, payload: str | None = None) -> Message:
        """Press Start in the bot's private chat with a deep link's payload. This unblocks the bot."""
        if payload is not None and not _PAYLOAD.fullmatch(payload):
            raise ValueError("a start payload is 1–64 of A–Z a–z 0–9 _ -")
        self.block(user, blocked=False)
        return self.send(user, self.private(user), "/start" if payload is None else f"/start {payload}")

    def block(self, user: User, *, blocked: bool = True) -> None:
        """Block the bot, or unblock it. It gets ``my_chat_member`` with the status ``kicked``."""
        if user.blocked != blocked:
            user.blocked, user.started = blocked, user.started or not blocked
            before, after = ("member", "kicked") if blocked else ("kicked", "member")
            self._change_member(self.private(user), Member(self.bot, before), Member(self.bot, after), user)

    # --- groups --------------------------------------------------------------------------------------------

    def join(self, user: User, chat: Chat) -> Message:
        """Let ``user`` join. The owner adds our bot."""
        by = self.owner(chat) if user is self.bot else user
        self._becomes(chat, Member(user, "member"), by)
        return self._service(chat, {"new_chat_members": [user.json()]}, by)

    def leave(self, user: User, chat: Chat) -> Message:
        """Let ``user`` leave."""
        self._becomes(chat, Member(user, "left"), user)
        return self._service(chat, {"left_chat_member": user.json()}, user)

    def kick(self, user: User, chat: Chat) -> Message:
        """Ban ``user``, as the owner."""
        self._becomes(chat, Member(user, "kicked"))
        return self._service(chat, {"left_chat_member": user.json()})

    def set_status(self, user: User, chat: Chat, status: str, **permissions: bool) -> None:
        """Make ``user`` a ``member``, ``left``, ``kicked`` or ``restricted``, without a service message.

        ``permissions``: those of a restricted member, such as ``can_send_messages=False``.
        """
        self._becomes(chat, Member(user, status, _checked(permissions, PERMISSIONS)))

    def promote(self, user: User, chat: Chat, *, anonymous: bool = False, **rights: bool) -> None:
        """Make ``user`` an admin with all rights except those given as False."""
        held = dict.fromkeys(ADMIN_RIGHTS, True) | _checked(rights, ADMIN_RIGHTS)
        self._becomes(chat, Member(user, "administrator", held, anonymous))

    def set_bot_rights(self, chat: Chat, **rights: bool) -> None:
        """Make our bot an admin with exactly these rights, or an ordinary member if none are given."""
        if rights:
            self.promote(self.bot, chat, **dict.fromkeys(ADMIN_RIGHTS, False) | rights)
        else:
            self.set_status(self.bot, chat, "member")

    def set_permissions(self, chat: Chat, **permissions: bool) -> None:
        """Change what ordinary members may do in this group."""
        chat.permissions |= _checked(permissions, PERMISSIONS)
        self.touch(chat)

    def add_topic(self, chat: Chat, name: str) -> Topic:
        """Open a topic in a forum. Raises ``ValueError`` in other groups."""
        if not chat.forum:
            raise ValueError("only a forum has topics")
        topic = Topic(chat.next_message, name)
        chat.topics[topic.id] = topic
        created = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
        self._service(chat, created, thread=topic.id)
        return topic

    def close_topic(self, chat: Chat, topic: Topic, *, closed: bool = True) -> None:
        """Close a topic, or open it again."""
        topic.closed = closed
        kind = "forum_topic_closed" if closed else "forum_topic_reopened"
        self._service(chat, {kind: {}}, thread=topic.id)

    def migrate(self, chat: Chat) -> Chat:
        """Turn a group into a supergroup with a new id, and return it. The old id then refuses calls."""
        if chat.type != "group" or chat.migrated_to is not None:
            raise ValueError("only a group can become a supergroup")
        new = self.add_group(chat.title, bot=False)
        new.members = {id: Member(m.user, m.status, dict(m.rights)) for id, m in chat.members.items()}
        new.permissions = dict(chat.permissions)
        self._service(chat, {"migrate_to_chat_id": new.id})
        self._service(new, {"migrate_from_chat_id": chat.id})
        chat.migrated_to = new.id
        self.touch(chat)
        return new

    def owner(self, chat: Chat) -> User:
        """Return the owner of the group."""
        return next(member.user for member in chat.members.values() if member.status == "creator")

    def _becomes(self, chat: Chat, after: Member, by: User | None = None) -> None:
        """Change a member's status; by default, the owner does it."""
        before = chat.member(after.user)
        chat.members[after.user.id] = after
        self._change_member(chat, before, after, by or self.owner(chat))

    def _service(
        self, chat: Chat, content: Json, by: User | None = None, thread: int | None = None
    ) -> Message:
        message = self.post(chat, by or self.owner(chat), thread=thread, service=content)
        self.tell_message(message)
        return message

    def _change_member(self, chat: Chat, before: Member, after: Member, by: User) -> None:
        """Tell watchers, and the bot if it may know, that a member's status in a chat changed."""
        self.touch(chat)
        content = {
            "chat": chat.json(),
            "from": by.json(),
            "date": int(self.clock()),
            "old_chat_member": before.json(),
            "new_chat_member": after.json(),
        }
        if after.user is self.bot:
            self.tell("my_chat_member", content, ("my_chat_member", chat.id))
        elif chat.member(self.bot).status == "administrator":
            self.tell("chat_member", content, ("chat_member", after.user.id))


def _checked(rights: dict[str, bool], known: tuple[str, ...]) -> dict[str, bool]:
    """Return the same rights. Raises ``ValueError`` for a name that Telegram does not have."""
    for name in rights:
        if name not in known:
            raise ValueError(f"no such right: {name}")
    return rights
