"""Outbox entries: intents to call a Bot API method, kept with the room until they were carried out."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """One call to make. Order within a chat is kept; different chats are served side by side."""

    #: The chat it belongs to; also sent as ``chat_id``.
    chat: int
    #: The Bot API's name of the method (``sendMessage``, ``editMessageText`` …).
    method: str
    #: Its parameters without ``chat_id``, ``message_thread_id``, ``message_id`` and the picture.
    params: Mapping[str, Any] = field(default_factory=dict)
    #: The forum topic, sent as ``message_thread_id`` by methods that post.
    topic: int | None = None
    #: Remember the id of the message that is posted under this name.
    name: str | None = None
    #: Act on the message remembered under this name (its id becomes ``message_id``).
    target: str | None = None
    #: Forward the message remembered under this name, into the same chat and topic: a post of its own.
    forwards: str | None = None
    #: Of several waiting entries of a chat with the same key, only the last is carried out.
    key: str | None = None
    #: What the caller's picture hook needs to come up with the bytes. With ``kept_as`` and ``name`` in it,
    #: the last picture kept so is remembered, and sent by its file id while the name stays the same.
    photo: Mapping[str, Any] | None = None
    #: Also remember the date that Telegram gives the post, with this mark; see ``infra.outbox.send.DATE``.
    dated: str | None = None
    #: An edit that people can do without for some seconds, to leave room in the group's minute: see
    #: ``infra.outbox.plan``.
    patient: bool | None = None
    #: An edit that is dropped where the bot has no room for it, as those are that only take buttons away.
    spare: bool | None = None
    #: How many private messages the pace sees at least where this one waits: their number is secret.
    hides: int | None = None
    #: The method that posts instead, when the target was never posted or is gone (the post is then remembered
    #: under the target's name); without it the entry is dropped.
    fallback: str | None = None
    #: Seconds after the flush that carries it out begins: what goes out with it is read before it comes.
    rest: int | None = None

    def __repr__(self) -> str:
        # Texts and keyboards may hold secrets; what is printed of an entry must not.
        shown = f"chat={self.chat}, method={self.method!r}, name={self.name!r}, target={self.target!r}"
        return f"OutboxEntry({shown})"

    def to_json(self) -> dict[str, Any]:
        """As a JSON object; what is None is left out."""
        out: dict[str, Any] = {"chat": self.chat, "method": self.method}
        if self.params:
            out["params"] = self.params
        for name in _OPTIONAL:
            value = getattr(self, name)
            if value is not None:
                out[name] = value
        return out

    def as_post(self) -> OutboxEntry:
        """The entry by its fallback method, posting again what it could not edit."""
        if self.fallback is None:
            raise ValueError("an entry without a fallback cannot be posted instead")
        return replace(self, method=self.fallback, name=self.name or self.target, target=None, fallback=None)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> OutboxEntry:
        """The inverse of ``to_json``; unknown members (of a newer version) are left out."""
        return cls(
            chat=data["chat"],
            method=data["method"],
            params=data.get("params", {}),
            **{name: data[name] for name in _OPTIONAL if name in data},
        )


_OPTIONAL = (
    "topic",
    "name",
    "target",
    "forwards",
    "key",
    "photo",
    "dated",
    "patient",
    "spare",
    "hides",
    "fallback",
    "rest",
)


def pack_entry(entry: OutboxEntry) -> bytes:
    """Compressed JSON: write units are counted per KB of the whole item."""
    text = json.dumps(entry.to_json(), separators=(",", ":"), ensure_ascii=False)
    return zlib.compress(text.encode(), 6)


def unpack_entry(data: bytes) -> OutboxEntry:
    """The inverse of ``pack_entry``."""
    return OutboxEntry.from_json(json.loads(zlib.decompress(data)))


def entry_id(version: int, index: int) -> str:
    """The id of the ``index``-th entry written with the room's ``version``; ids sort in that order."""
    return f"{version:09d}.{index:03d}"
