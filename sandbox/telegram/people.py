"""Let people act in their chats: write, tap, open links, block the bot. Each act queues its updates."""

from __future__ import annotations

import re
from html import escape
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .entities import detect
from .model import Chat, Member, Message, Query, User
from .state import State

_PAYLOAD = re.compile(r"[A-Za-z0-9_-]{1,64}")


class People(State):
    """Act as people. They can do only what a Telegram client allows."""

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
        chat = self._current(chat)
        if chat.user is not None:
            return self._send_private(user, chat, text, reply_to)
        member = self._present(user, chat)
        if topic is not None and topic not in chat.topics:
            raise ValueError("no such topic")
        sender, sender_chat = (self.anonymous, chat) if member.anonymous else (user, None)
        if channel is not None:
            sender, sender_chat = self.channel_bot, channel
        message = self.post(
            chat,
            sender,
            sender_chat=sender_chat,
            text=text,
            entities=detect(text),
            html=escape(text, quote=False),
            thread=topic,
            reply_to=reply_to,
        )
        self.tell_message(message)
        return message

    def forward_automatically(self, chat: Chat, text: str) -> Message:
        """Post in the linked channel. Telegram forwards the post to the discussion group, ``chat``."""
        message = self.post(
            chat, self.service, sender_chat=chat.linked, text=text, entities=detect(text), automatic=True
        )
        self.tell_message(message)
        return message

    def _send_private(self, user: User, chat: Chat, text: str, reply_to: Message | None) -> Message:
        if chat.user is not user:
            raise PermissionError("this is somebody else's private chat")
        if user.blocked:
            raise PermissionError("unblock the bot first")
        user.started = True
        message = self.post(
            chat, user, text=text, entities=detect(text), html=escape(text, quote=False), reply_to=reply_to
        )
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

    def delete(self, user: User, message: Message) -> None:
        """Delete a message for everyone as ``user``. Raises ``PermissionError`` if they may not."""
        chat = message.chat
        if not (chat.user is user or message.sender is user or chat.member(user).may("can_delete_messages")):
            raise PermissionError("not theirs to delete")
        message.deleted = True
        self.touch(chat)

    def tap(self, user: User, message: Message, data: str, *, forged: bool = False) -> Query:
        """Tap the inline button with this data as ``user``; return the query that the bot must answer.

        Raises ``LookupError`` if the button is not under the message now, and ``PermissionError`` if the user
        does not see the message. ``forged`` allows anything: invented data, old buttons, strangers.
        """
        if not forged:
            self._sees(user, message)
            if all(button.get("callback_data") != data for button in message.buttons()):
                raise LookupError(f"no such button under message {message.id}")
        query = Query(str(5_000_000_000_000 + self._next_query), user, message, data, self.clock())
        self._next_query += 1
        self.queries[query.id] = query
        self.tell_query(query)
        return query

    def press(self, user: User, message: Message, text: str) -> Query | Message | str:
        """Press the button labelled ``text``; return the query of a tap, or the result of opening a link."""
        self._sees(user, message)
        for button in message.buttons():
            if button["text"] == text:
                if "callback_data" in button:
                    return self.tap(user, message, button["callback_data"])
                return self.open_link(user, button.get("url", ""))
        raise LookupError(f"no button with that label under message {message.id}")

    def open_link(self, user: User, url: str) -> Message | str:
        """Open a link. One to our bot with ``?start=…`` presses Start in private; else return the address."""
        parts = urlsplit(url if "://" in url else f"https://{url}")
        query = parse_qs(parts.query)
        name = parts.path.strip("/") if parts.scheme != "tg" else query.get("domain", [""])[0]
        if name.lower() == (self.bot.username or "").lower() and "start" in query:
            return self.start_private(user, query["start"][0])
        return url

    def start_private(self, user: User, payload: str | None = None) -> Message:
        """Press Start in the bot's private chat with a deep link's payload. This unblocks the bot."""
        if payload is not None and not _PAYLOAD.fullmatch(payload):
            raise ValueError("a start payload is 1–64 of A–Z a–z 0–9 _ -")
        if user.blocked:
            self.unblock(user)
        return self.send(user, self.private(user), "/start" if payload is None else f"/start {payload}")

    def block(self, user: User) -> None:
        """Block the bot. It gets ``my_chat_member`` with the status ``kicked``."""
        if user.blocked:
            return
        user.blocked = True
        self._standing(user, "member", "kicked")

    def unblock(self, user: User) -> None:
        """Unblock the bot."""
        if not user.blocked:
            return
        user.blocked, user.started = False, True
        self._standing(user, "kicked", "member")

    def rename(self, user: User, **names: Any) -> None:
        """Change ``first_name``, ``last_name``, ``username`` or ``language_code``."""
        for name, value in names.items():
            if name not in ("first_name", "last_name", "username", "language_code"):
                raise ValueError(f"a user has no {name} to change")
            setattr(user, name, value)
        self.touch(self.private(user))

    def delete_account(self, user: User) -> None:
        """Delete the account. It leaves its groups without service messages, and refuses messages."""
        user.deleted = True
        for chat in self.chats.values():
            if user.id in chat.members:
                chat.members[user.id].status = "left"
        self.touch(self.private(user))

    def _standing(self, user: User, before: str, after: str) -> None:
        chat = self.private(user)
        self.touch(chat)
        content = {
            "chat": chat.json(),
            "from": user.json(),
            "date": int(self.clock()),
            "old_chat_member": Member(self.bot, before).json(),
            "new_chat_member": Member(self.bot, after).json(),
        }
        self.tell("my_chat_member", content, ("my_chat_member", chat.id))

    def _current(self, chat: Chat) -> Chat:
        return self.chats[chat.migrated_to] if chat.migrated_to is not None else chat

    def _present(self, user: User, chat: Chat) -> Member:
        member = chat.member(user)
        if not member.present:
            raise PermissionError(f"{user.first_name} is not in {chat.title}")
        return member

    def _sees(self, user: User, message: Message) -> None:
        chat = message.chat
        inside = chat.user is user if chat.user is not None else chat.member(user).present
        if not inside or (message.receiver is not None and message.receiver is not user):
            raise PermissionError(f"{user.first_name} does not see this message")
        if message.deleted:
            raise LookupError("this message is gone")
