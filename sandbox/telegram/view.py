"""Views of what people see: the messages of a chat, and a person's toasts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .model import Chat, Message, Query, User


@dataclass(slots=True, frozen=True)
class Button:
    """An inline button as the chat shows it."""

    text: str
    data: str | None = None
    url: str | None = None
    style: str | None = None


@dataclass(slots=True, frozen=True)
class MessageView:
    """A message as the chat shows it now. For a picture, ``text`` and ``html`` are the caption."""

    id: int
    sender: str
    #: True if our bot wrote it.
    mine: bool
    date: float
    text: str
    html: str
    keyboard: tuple[tuple[Button, ...], ...]
    photo: bytes | None
    spoiler: bool
    protected: bool
    edited: bool
    deleted: bool
    silent: bool
    thread: int | None
    reply_to: int | None
    service: dict[str, Any] | None
    #: For an ephemeral message, the one user who sees it.
    receiver: int | None
    source: Message

    def labels(self) -> list[str]:
        """Return the labels of the buttons, row by row."""
        return [button.text for row in self.keyboard for button in row]


@dataclass(slots=True, frozen=True)
class Toast:
    """The answer to a tap as the person saw it. An empty text shows nothing."""

    time: float
    user: int
    chat: int
    text: str
    alert: bool
    url: str | None


def show(message: Message, bot: User) -> MessageView:
    """Return the view of a message."""
    rows = (message.keyboard or {}).get("inline_keyboard", [])
    named = (
        message.sender_chat.title
        if message.sender_chat
        else message.sender.first_name
        if message.sender
        else ""
    )
    return MessageView(
        id=message.ephemeral_id or message.id,
        sender=named,
        mine=message.sender is bot,
        date=message.date,
        text=message.text,
        html=message.html,
        keyboard=tuple(tuple(_button(button) for button in row) for row in rows),
        photo=message.photo.data if message.photo else None,
        spoiler=message.spoiler,
        protected=message.protected,
        # Telegram's apps do not mark edited messages of bots.
        edited=message.edited is not None and not (message.sender is not None and message.sender.is_bot),
        deleted=message.deleted,
        silent=message.silent,
        thread=message.thread,
        reply_to=message.reply_to.id if message.reply_to else None,
        service=message.service,
        receiver=message.receiver.id if message.receiver else None,
        source=message,
    )


def _button(button: dict[str, Any]) -> Button:
    style = button.get("style")
    return Button(
        button["text"], button.get("callback_data"), button.get("url"), None if style is None else str(style)
    )


def chat_view(
    chat: Chat, bot: User, *, viewer: User | None = None, thread: int | None = None, deleted: bool = False
) -> list[MessageView]:
    """Return the messages of a chat, oldest first.

    Args:
        chat: the chat.
        bot: our bot, whose messages are marked as ``mine``.
        viewer: the user who looks, to include the ephemeral messages for them.
        thread: only this topic.
        deleted: include deleted messages, which are marked.
    """
    seen = list(chat.messages.values())
    if viewer is not None and chat.ephemeral:
        seen += [message for message in chat.ephemeral.values() if message.receiver is viewer]
        seen.sort(key=lambda message: message.date)
    return [
        show(message, bot)
        for message in seen
        if (deleted or not message.deleted) and (thread is None or message.thread == thread)
    ]


def toasts(queries: dict[str, Query], user: User | None = None) -> list[Toast]:
    """Return the toasts of ``user``, or of everybody, oldest first."""
    return [
        Toast(query.answer.time, query.user.id, query.message.chat.id, query.answer.text, query.answer.alert,
              query.answer.url)
        for query in queries.values()
        if query.answer is not None and (user is None or query.user is user)
    ]  # fmt: skip
