"""Change memberships and rights in groups: joining, leaving, admins, the bot, topics, migration."""

from __future__ import annotations

from .model import Chat, Member, Message, Topic, User
from .people import People
from .rights import ADMIN_RIGHTS, PERMISSIONS, checked


class Members(People):
    """Change memberships, with the service messages and updates that follow."""

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
