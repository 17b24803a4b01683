"""Outbox entries: calls to the Bot API that are stored with the room until they are carried out."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from pydantic_core import from_json


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """One call to make. Calls to one chat are made in order; different chats are served in parallel."""

    #: The chat it belongs to; also sent as ``chat_id``.
    chat: int
    #: The Bot API's name of the method (``sendMessage``, ``editMessageText`` …).
    method: str
    #: Its parameters without ``chat_id``, ``message_thread_id``, ``message_id`` and the picture.
    params: Mapping[str, Any] = field(default_factory=dict)
    #: The forum topic, sent as ``message_thread_id`` by methods that post.
    topic: int | None = None
    #: The name under which to remember the id of the message that is posted or edited.
    name: str | None = None
    #: The name of a remembered message to act on. Its id becomes ``message_id``.
    target: str | None = None
    #: The name of a remembered message to forward into the same chat and topic, as a new post.
    forwards: str | None = None
    #: A later waiting entry of the chat with the same key replaces this one, with the exceptions in
    #: ``infra.outbox.plan.find_superseded``.
    key: str | None = None
    #: Data from which the caller's photo hook draws the picture. The room remembers the last uploaded
    #: picture for each ``photo["kept_as"]``: its file id and its ``photo["name"]``. An entry whose ``photo``
    #: has the same ``kept_as`` and ``name`` is sent by that file id.
    photo: Mapping[str, Any] | None = None
    #: If set, the room remembers this mark and Telegram's date of the post under ``name``. The mark shows
    #: later which post the date belongs to.
    date_mark: str | None = None
    #: True for an edit that can wait some seconds, to leave room in the group's limit per minute; see
    #: ``infra.outbox.plan.GroupQuota``.
    patient: bool | None = None
    #: True for an edit that is dropped if the bot is at its limit, like edits that only take buttons away.
    droppable: bool | None = None
    #: While this private message waits, the room takes at least this many send slots for private messages,
    #: even if it has fewer such messages. So the timing does not show how many it has.
    hides: int | None = None
    #: If the target was never posted or is gone, this method posts instead. The post is then remembered under
    #: the target's name. Without a fallback the entry is dropped.
    fallback: str | None = None
    #: Seconds to delay this entry if others go out just before it, so that people can read those first.
    hold_seconds: int | None = None

    def __repr__(self) -> str:
        # Texts and keyboards may hold secrets, so they are never printed.
        shown = f"chat={self.chat}, method={self.method!r}, name={self.name!r}, target={self.target!r}"
        return f"OutboxEntry({shown})"

    def to_json(self) -> dict[str, Any]:
        """Return the entry as a JSON object without members that are None."""
        out: dict[str, Any] = {"chat": self.chat, "method": self.method}
        if self.params:
            out["params"] = self.params
        for name in _OPTIONAL:
            value = getattr(self, name)
            if value is not None:
                out[name] = value
        return out

    def as_post(self) -> OutboxEntry:
        """Return the entry as a new post by its fallback method, because its target cannot be edited."""
        if self.fallback is None:
            raise ValueError("an entry without a fallback cannot be posted instead")
        return replace(self, method=self.fallback, name=self.name or self.target, target=None, fallback=None)


_MEMBERS = tuple(each.name for each in fields(OutboxEntry))
_OPTIONAL = _MEMBERS[_MEMBERS.index("topic") :]


def pack_entry(entry: OutboxEntry) -> bytes:
    """Return an entry as compressed JSON: write units are counted per KB of the whole item."""
    text = json.dumps(entry.to_json(), separators=(",", ":"), ensure_ascii=False)
    return zlib.compress(text.encode(), 6)


def unpack_entry(data: bytes) -> OutboxEntry:
    """Return the entry that ``pack_entry`` packed, without members unknown to this version."""
    found = from_json(zlib.decompress(data))
    return OutboxEntry(**{name: found[name] for name in _MEMBERS if name in found})


def entry_id(version: int, index: int) -> str:
    """Return the id of the ``index``-th entry written with the room's ``version``; ids sort in that order."""
    return f"{version:09d}.{index:03d}"
