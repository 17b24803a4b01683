"""Membership and rights in groups: joining, leaving, admins, the bot coming and going, migration."""

from __future__ import annotations

from .model import Chat, Json, Member, Message, Topic, User
from .people import People
from .rights import ADMIN_RIGHTS, PERMISSIONS, checked
from .state import State


class Members(People, State):
    """Everything that changes a membership, with the service messages and updates that follow from it."""

    def join(self, user: User, chat: Chat, *, by: User | None = None) -> Message:
        """``user`` joins (or is added ``by`` somebody); banned people raise ``PermissionError``."""
        if chat.member(user).status == "kicked" and by is None:
            raise PermissionError(f"{user.first_name} is banned from {chat.title}")
        self._becomes(chat, Member(user, "member"), by or user)
        return self._service(chat, by or user, new_chat_members=[user.json()])

    def leave(self, user: User, chat: Chat) -> Message:
        """``user`` leaves."""
        self._becomes(chat, Member(user, "left"), user)
        return self._service(chat, user, left_chat_member=user.json())

    def kick(self, user: User, chat: Chat, *, by: User | None = None) -> Message:
        """``user`` is banned by an admin (the owner, when nobody is named)."""
        by = by or self.owner(chat)
        self._becomes(chat, Member(user, "kicked"), by)
        return self._service(chat, by, left_chat_member=user.json())

    def go_quietly(self, user: User, chat: Chat, status: str = "left") -> None:
        """Let ``user`` leave, or be ``kicked``, in a large group, where no service message says so."""
        self._becomes(chat, Member(user, status), self.owner(chat))

    def unban(self, user: User, chat: Chat) -> None:
        """Let a banned user come back."""
        if chat.member(user).status == "kicked":
            self._becomes(chat, Member(user, "left"), self.owner(chat))

    def promote(
        self, user: User, chat: Chat, *, by: User | None = None, anonymous: bool = False, **rights: bool
    ) -> None:
        """Make ``user`` an admin with all rights but those given as False."""
        held = dict.fromkeys(ADMIN_RIGHTS, True) | checked(rights, ADMIN_RIGHTS)
        self._becomes(chat, Member(user, "administrator", held, anonymous), by or self.owner(chat))

    def demote(self, user: User, chat: Chat, *, by: User | None = None) -> None:
        """Make an admin an ordinary member again."""
        self._becomes(chat, Member(user, "member"), by or self.owner(chat))

    def restrict(self, user: User, chat: Chat, *, by: User | None = None, **permissions: bool) -> None:
        """Take permissions from one member (``can_send_messages=False`` …); it may be the bot."""
        self._becomes(
            chat, Member(user, "restricted", checked(permissions, PERMISSIONS)), by or self.owner(chat)
        )

    def set_permissions(self, chat: Chat, **permissions: bool) -> None:
        """Change what ordinary members may do in this group."""
        chat.permissions |= checked(permissions, PERMISSIONS)
        self.touch(chat)

    def rename_group(self, chat: Chat, title: str, *, by: User | None = None) -> Message:
        """Give the group another title, as an admin."""
        chat.title = title
        return self._service(chat, by or self.owner(chat), new_chat_title=title)

    def set_bot_rights(self, chat: Chat, **rights: bool) -> None:
        """Give our bot exactly these admin rights (none: an ordinary member)."""
        if rights:
            held = dict.fromkeys(ADMIN_RIGHTS, False) | checked(rights, ADMIN_RIGHTS)
            self._becomes(chat, Member(self.bot, "administrator", held), self.owner(chat))
        else:
            self.demote(self.bot, chat)

    def add_bot(self, chat: Chat, *, by: User | None = None) -> Message:
        """Add our bot to the group, as somebody."""
        return self.join(self.bot, chat, by=by or self.owner(chat))

    def remove_bot(self, chat: Chat, *, by: User | None = None) -> Message:
        """Throw our bot out, as somebody."""
        return self.kick(self.bot, chat, by=by)

    def add_topic(self, chat: Chat, name: str, *, by: User | None = None) -> Topic:
        """Open a topic in a forum."""
        if not chat.forum:
            raise ValueError("only a forum has topics")
        topic = Topic(chat.next_message, name)
        chat.topics[topic.id] = topic
        created = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
        self._service(chat, by or self.owner(chat), thread=topic.id, **created)
        return topic

    def close_topic(self, chat: Chat, topic: Topic, *, closed: bool = True) -> None:
        """Close a topic (or open it again)."""
        topic.closed = closed
        kind = "forum_topic_closed" if closed else "forum_topic_reopened"
        self._service(chat, self.owner(chat), thread=topic.id, **{kind: {}})

    def migrate(self, chat: Chat) -> Chat:
        """Turn a group into a supergroup with a new id; the old one refuses from now on."""
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
        """Return who owns the group; raises ``LookupError`` in a group of nobody."""
        for member in chat.members.values():
            if member.status == "creator":
                return member.user
        raise LookupError("this group has no owner")

    def _becomes(self, chat: Chat, after: Member, by: User) -> None:
        before = chat.member(after.user)
        chat.members[after.user.id] = after
        self.touch(chat)
        content: Json = {
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

    def _service(self, chat: Chat, by: User, thread: int | None = None, **content: object) -> Message:
        message = self.post(chat, by, thread=thread, service=dict(content))
        self.tell_message(message)
        return message
