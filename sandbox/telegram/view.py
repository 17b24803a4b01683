"""Views of what people see in a chat."""

from __future__ import annotations

from dataclasses import dataclass

from .model import Chat, Message, User


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
    #: True if our bot wrote it.
    mine: bool
    text: str
    html: str
    keyboard: tuple[tuple[Button, ...], ...]
    photo: bytes | None
    spoiler: bool
    protected: bool
    silent: bool
    thread: int | None
    source: Message

    def labels(self) -> list[str]:
        """Return the labels of the buttons, row by row."""
        return [button.text for row in self.keyboard for button in row]


def chat_view(chat: Chat, bot: User) -> list[MessageView]:
    """Return the messages of a chat that are not deleted, oldest first. ``bot``: our bot."""
    return [
        MessageView(
            id=message.id,
            mine=message.sender is bot,
            text=message.text,
            html=message.html,
            keyboard=tuple(
                tuple(Button(b["text"], b.get("callback_data"), b.get("url"), b.get("style")) for b in row)
                for row in message.rows
            ),
            photo=message.photo.data if message.photo else None,
            spoiler=message.spoiler,
            protected=message.protected,
            silent=message.silent,
            thread=message.thread,
            source=message,
        )
        for message in chat.messages.values()
        if not message.deleted
    ]
