"""Describe messages and items as JSON for browsers, and find out which messages changed."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from infra.store.items import room_from_attributes
from sandbox.item_size import item_size
from sandbox.telegram import Chat, Message, Telegram

Json = dict[str, Any]


def message_json(shown: Message) -> Json:
    """Describe a message. ``sender`` is a user's id."""
    photo, sender = shown.photo, shown.sender
    fields: Json = {
        "key": str(shown.id),
        "sender": sender.id if sender else None,
        "name": shown.author,
        "bot": sender is not None and sender.is_bot,
        "date": int(shown.date),
        "html": shown.html,
        "keyboard": [[_button(button) for button in row] for row in shown.rows],
        "photo": f"/photo/{photo.file_id}" if photo else None,
        "size": [photo.width, photo.height] if photo else None,
        "spoiler": shown.spoiler,
        "protected": shown.protected,
        # Telegram's apps do not mark edited messages of bots.
        "edited": shown.edited is not None and not (sender is not None and sender.is_bot),
        "reply": shown.reply_to.id if shown.reply_to else None,
        "service": _service(shown.service) if shown.service else None,
    }
    return {name: value for name, value in fields.items() if value not in (None, False, [])}


def _button(button: Json) -> Json:
    names = {"text": "text", "callback_data": "data", "url": "url", "style": "style"}
    return {shown: button.get(name) for name, shown in names.items()}


def _service(service: Json) -> str:
    names = ", ".join(user.get("first_name", "") for user in service.get("new_chat_members", ()))
    left = service.get("left_chat_member", {}).get("first_name", "")
    said = {
        "new_chat_members": f"{names} joined",
        "left_chat_member": f"{left} left",
        "migrate_to_chat_id": "The group became a supergroup",
    }
    return next((said[name] for name in service if name in said), ", ".join(service))


class SentMessages:
    """Remember which messages browsers have, to send them only changes."""

    def __init__(self, telegram: Telegram) -> None:
        self._changed: dict[int, Chat] = {}
        self._sent: dict[int, dict[str, Json]] = {}
        telegram.on_change.append(lambda chat: self._changed.update({chat.id: chat}))

    def changes(self) -> list[Json]:
        """Return the changes since the last call by chat: changed messages, and keys of removed ones."""
        chats, self._changed = list(self._changed.values()), {}
        return [change for chat in chats if (change := self._change(chat)) is not None]

    def everything(self, chats: Iterable[Chat]) -> list[Json]:
        """Return all messages by chat."""
        return [{"chat": chat.id, "messages": list(self._now(chat).values())} for chat in chats]

    def _change(self, chat: Chat) -> Json | None:
        before, now = self._sent.get(chat.id, {}), self._now(chat)
        self._sent[chat.id] = now
        fresh = [shown for key, shown in now.items() if before.get(key) != shown]
        gone = [key for key in before if key not in now]
        return {"chat": chat.id, "messages": fresh, "gone": gone} if fresh or gone else None

    def _now(self, chat: Chat) -> dict[str, Json]:
        rows = (message_json(message) for message in chat.messages.values() if not message.deleted)
        return {row["key"]: row for row in rows}


def item_json(attributes: Json) -> Json:
    """Describe an item of the table: keys, bytes, and attributes, which are decoded if it is a room."""
    key, sort = attributes["pk"]["S"], attributes["sk"]["S"]
    shown: Json = {"key": key, "sort": sort, "bytes": item_size(attributes)}
    if sort != "room":
        return {**shown, "attributes": json.loads(json.dumps(attributes, default=repr))}
    room = room_from_attributes(attributes)
    return {
        **shown,
        "attributes": {
            "version": room.version,
            "schema": room.schema,
            "due": room.due,
            "lease": room.lease and asdict(room.lease),
            "outbox": {number: entry.to_json() for number, entry in room.outbox.items()},
            "messages": dict(room.remembered),
            "updates": f"{len(room.updates)} remembered",
            "body": json.loads(room.body) if room.body else None,
        },
    }
