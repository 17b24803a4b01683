"""Let people act: write, tap, open links, block the bot, join groups. Each act queues its updates."""

from __future__ import annotations

import re
from html import escape
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .entities import detect
from .model import Chat, Member, Message, Query, Topic, User
from .rights import ADMIN_RIGHTS, PERMISSIONS, checked
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
            if topic is not None and topic not in chat.topics:
                raise ValueError("no such topic")
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
        if not user.blocked:
            user.blocked = True
            self._standing(user, "member", "kicked")

    def unblock(self, user: User) -> None:
        """Unblock the bot."""
        if user.blocked:
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

    # --- groups --------------------------------------------------------------------------------------------

    def join(self, user: User, chat: Chat, *, by: User | None = None) -> Message:
        """Let ``user`` join, or be added ``by`` somebody. Raises ``PermissionError`` if they are banned."""
        if chat.member(user).status == "kicked" and by is None:
            raise PermissionError(f"{user.first_name} is banned from {chat.title}")
        self._becomes(chat, Member(user, "member"), by or user)
        return self._service(chat, by or user, new_chat_members=[user.json()])

    def leave(self, user: User, chat: Chat) -> Message:
        """Let ``user`` leave."""
        self._becomes(chat, Member(user, "left"), user)
        return self._service(chat, user, left_chat_member=user.json())

    def kick(self, user: User, chat: Chat, *, by: User | None = None) -> Message:
        """Ban ``user``, by an admin or by the owner."""
        by = by or self.owner(chat)
        self._becomes(chat, Member(user, "kicked"), by)
        return self._service(chat, by, left_chat_member=user.json())

    def go_quietly(self, user: User, chat: Chat, status: str = "left") -> None:
        """Let ``user`` leave or be ``kicked`` without a service message, as in a large group."""
        self._becomes(chat, Member(user, status), self.owner(chat))

    def unban(self, user: User, chat: Chat) -> None:
        """Lift the ban of a user."""
        if chat.member(user).status == "kicked":
            self._becomes(chat, Member(user, "left"), self.owner(chat))

    def promote(
        self, user: User, chat: Chat, *, by: User | None = None, anonymous: bool = False, **rights: bool
    ) -> None:
        """Make ``user`` an admin with all rights except those given as False."""
        held = dict.fromkeys(ADMIN_RIGHTS, True) | checked(rights, ADMIN_RIGHTS)
        self._becomes(chat, Member(user, "administrator", held, anonymous), by or self.owner(chat))

    def demote(self, user: User, chat: Chat, *, by: User | None = None) -> None:
        """Make an admin an ordinary member again."""
        self._becomes(chat, Member(user, "member"), by or self.owner(chat))

    def restrict(self, user: User, chat: Chat, *, by: User | None = None, **permissions: bool) -> None:
        """Take permissions from a member, or from the bot (``can_send_messages=False`` …)."""
        self._becomes(
            chat, Member(user, "restricted", checked(permissions, PERMISSIONS)), by or self.owner(chat)
        )

    def set_permissions(self, chat: Chat, **permissions: bool) -> None:
        """Change what ordinary members may do in this group."""
        chat.permissions |= checked(permissions, PERMISSIONS)
        self.touch(chat)

    def rename_group(self, chat: Chat, title: str, *, by: User | None = None) -> Message:
        """Change the title of the group, as an admin."""
        chat.title = title
        return self._service(chat, by or self.owner(chat), new_chat_title=title)

    def set_bot_rights(self, chat: Chat, **rights: bool) -> None:
        """Make our bot an admin with exactly these rights, or an ordinary member if none are given."""
        if rights:
            held = dict.fromkeys(ADMIN_RIGHTS, False) | checked(rights, ADMIN_RIGHTS)
            self._becomes(chat, Member(self.bot, "administrator", held), self.owner(chat))
        else:
            self.demote(self.bot, chat)

    def add_bot(self, chat: Chat, *, by: User | None = None) -> Message:
        """Add our bot to the group, as ``by`` or the owner."""
        return self.join(self.bot, chat, by=by or self.owner(chat))

    def remove_bot(self, chat: Chat, *, by: User | None = None) -> Message:
        """Remove our bot from the group, as ``by`` or the owner."""
        return self.kick(self.bot, chat, by=by)

    def add_topic(self, chat: Chat, name: str, *, by: User | None = None) -> Topic:
        """Open a topic in a forum. Raises ``ValueError`` in other groups."""
        if not chat.forum:
            raise ValueError("only a forum has topics")
        topic = Topic(chat.next_message, name)
        chat.topics[topic.id] = topic
        created = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
        self._service(chat, by or self.owner(chat), thread=topic.id, **created)
        return topic

    def close_topic(self, chat: Chat, topic: Topic, *, closed: bool = True) -> None:
        """Close a topic, or open it again."""
        topic.closed = closed
        kind = "forum_topic_closed" if closed else "forum_topic_reopened"
        self._service(chat, self.owner(chat), thread=topic.id, **{kind: {}})

    def migrate(self, chat: Chat) -> Chat:
        """Turn a group into a supergroup with a new id, and return it. The old id then refuses calls."""
        if chat.type != "group" or chat.migrated_to is not None:
            raise ValueError("only a group can become a supergroup")
        new = self.add_group(chat.title, bot=False)
        new.members = {id: Member(m.user, m.status, dict(m.rights)) for id, m in chat.members.items()}
        new.permissions = dict(chat.permissions)
        owner = self.owner(chat)
        self._service(chat, owner, migrate_to_chat_id=new.id)
        self._service(new, owner, migrate_from_chat_id=chat.id)
        chat.migrated_to = new.id
        self.touch(chat)
        return new

    def delete_group(self, chat: Chat) -> None:
        """Delete the group, as its owner."""
        chat.deleted = True
        self.touch(chat)

    def owner(self, chat: Chat) -> User:
        """Return the owner of the group. Raises ``LookupError`` if it has none."""
        for member in chat.members.values():
            if member.status == "creator":
                return member.user
        raise LookupError("this group has no owner")

    def _becomes(self, chat: Chat, after: Member, by: User) -> None:
        before = chat.member(after.user)
        chat.members[after.user.id] = after
        self._change_member(chat, before, after, by)

    def _service(self, chat: Chat, by: User, thread: int | None = None, **content: object) -> Message:
        message = self.post(chat, by, thread=thread, service=dict(content))
        self.tell_message(message)
        return message

    def _standing(self, user: User, before: str, after: str) -> None:
        self._change_member(self.private(user), Member(self.bot, before), Member(self.bot, after), user)

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

    def _sees(self, user: User, message: Message) -> None:
        chat = message.chat
        if not (chat.user is user if chat.user is not None else chat.member(user).present):
            raise PermissionError(f"{user.first_name} does not see this message")
        if message.deleted:
            raise LookupError("this message is gone")
