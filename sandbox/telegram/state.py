"""The state of the stand-in, and look-ups that refuse as Telegram does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from .delivery import CALLBACK_LIFE, MESSAGE_LIFE, Delivery, Pending
from .errors import bad_request, forbidden, migrated
from .journal import Journal
from .limits import Flood, FloodLimits
from .model import (
    ANONYMOUS_ADMIN,
    CHANNEL_BOT,
    GENERAL_TOPIC,
    TELEGRAM,
    Chat,
    Json,
    Member,
    Message,
    Photo,
    Query,
    User,
)
from .params import integer
from .rights import ADMIN_RIGHTS

#: Updates that a bot gets only if it requests them.
ON_REQUEST = ("chat_member", "message_reaction", "message_reaction_count")


class State:
    """One bot, its users, chats, pictures and queues."""

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        username: str = "chancellery_bot",
        token: str = "424242:desk-token-of-no-value",
        limits: FloodLimits | None = None,
    ) -> None:
        self.clock = clock
        self.token = token
        self.bot = User(int(token.partition(":")[0]), "Chancellery", username=username, is_bot=True)
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
        self.flood = Flood(limits)
        self.delivery = Delivery(clock, self._execute_reply)
        self.on_change: list[Callable[[Chat], None]] = []
        self._lock = threading.RLock()
        self._next_user, self._next_group, self._next_query = 1001, 1, 1

    def _execute_reply(self, method: str, params: Json) -> object:
        raise NotImplementedError

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
        """Add a group owned by the first of ``people``. ``bot``: add our bot; ``admin``: as an admin."""
        if id is None:
            id = (-1_001_000_000_000 if type == "supergroup" else -4_000_000) - self._next_group
            self._next_group += 1
        if id in self.chats or id >= 0 or type not in ("group", "supergroup"):
            raise ValueError("a group needs a new negative id, and the type group or supergroup")
        # In a forum, the first message id belongs to the General topic.
        first = GENERAL_TOPIC + 1 if forum else 1
        chat = self.chats[id] = Chat(id, type, title=title, forum=forum, next_message=first)
        for index, user in enumerate(people):
            chat.members[user.id] = Member(user, "member" if index else "creator")
        if bot:
            rights = dict.fromkeys(ADMIN_RIGHTS, True) if admin else {}
            chat.members[self.bot.id] = Member(self.bot, "administrator" if admin else "member", rights)
        return chat

    def add_channel(self, title: str) -> Chat:
        """Add a channel without our bot. Set ``Chat.linked`` to link a group to it."""
        id, self._next_group = -1_002_000_000_000 - self._next_group, self._next_group + 1
        channel = self.chats[id] = Chat(id, "channel", title=title)
        return channel

    # --- look-ups for the bot's calls, which may raise Refusal ---------------------------------------------

    def chat_of(self, params: Mapping[str, Any]) -> Chat:
        """Return the chat in a call. Raises ``Refusal`` if the bot has no access to it."""
        if params.get("chat_id") in (None, ""):
            raise bad_request("chat_id is empty")
        chat = self.chats.get(integer(params, "chat_id"))
        if chat is None:
            raise bad_request("chat not found")
        if chat.migrated_to is not None:
            raise migrated(chat.migrated_to)
        if chat.user is not None:
            self._reachable(chat.user)
        else:
            self._inside(chat)
        return chat

    def _reachable(self, user: User) -> None:
        if user.deleted:
            raise forbidden("user is deactivated")
        if user.is_bot:
            raise forbidden("bot can't send messages to bots")
        if user.blocked:
            raise forbidden("bot was blocked by the user")
        if not user.started:
            raise forbidden("bot can't initiate conversation with a user")

    def _inside(self, chat: Chat) -> None:
        if chat.deleted:
            raise forbidden("the group chat was deleted")
        status = chat.member(self.bot).status
        if status == "kicked":
            raise forbidden(f"bot was kicked from the {chat.type} chat")
        if status == "left":
            raise forbidden(f"bot is not a member of the {chat.type} chat")

    def place_of(self, params: Mapping[str, Any], what: str) -> tuple[Chat, int | None]:
        """Return (chat, thread) where the bot wants to post. Raises ``Refusal`` if it may not.

        ``what``: ``text messages`` or ``photos``, for Telegram's error.
        """
        chat = self.chat_of(params)
        if chat.user is None:
            self._may_post(chat, what)
        thread = integer(params, "message_thread_id") or None
        if thread is None or (chat.forum and thread == GENERAL_TOPIC):
            return chat, None
        topic = chat.topics.get(thread)
        if topic is None:
            raise bad_request("message thread not found")
        if topic.closed and not chat.member(self.bot).may("can_manage_topics"):
            raise bad_request("TOPIC_CLOSED")
        return chat, thread

    def _may_post(self, chat: Chat, what: str) -> None:
        member = chat.member(self.bot)
        right = "can_send_photos" if what == "photos" else "can_send_messages"
        may = chat.permissions.get(right, True) and member.rights.get(right, True)
        if not may and member.status != "administrator":
            raise bad_request(f"not enough rights to send {what} to the chat")

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

    def tell_query(self, query: Query) -> Pending | None:
        """Queue a tap in its user's queue."""
        message = query.message
        if message.deleted:
            shown: Json = {"chat": message.chat.json(), "message_id": message.id, "date": 0}
        else:
            shown = message.json()
        content = {
            "id": query.id,
            "from": query.user.json(),
            "message": shown,
            "chat_instance": str(7_000_000_000 + abs(message.chat.id)),
            "data": query.data,
        }
        return self.tell("callback_query", content, ("callback", query.user.id), CALLBACK_LIFE)

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
