"""Compare posts with outbox entries: no message is lost, and only killed workers post twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from infra.outbox.plan import TIDYING
from infra.store.entries import OutboxEntry, unpack_entry
from infra.telegram.errors import NOT_MODIFIED
from sandbox.promises.at_rest import shows_last_content
from sandbox.promises.fingerprint import fingerprint, fingerprint_of, names_of, posts
from sandbox.telegram import Call

from .worker import Job

#: A chat, and the hash of the fingerprint of a message in it.
Shown = tuple[int, int]


@dataclass(slots=True)
class Messages:
    """Count the bot's calls during a run, and afterwards the rooms' outbox entries."""

    posts: Counter[Shown] = field(default_factory=Counter)
    #: Posts that may appear twice, because the workers that sent them were killed.
    excused: Counter[Shown] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    owed: Counter[Shown] = field(default_factory=Counter)
    lost: int = 0
    doubled: int = 0
    _shows: dict[tuple[int, int], int] = field(default_factory=dict)
    _could_be_posted: Counter[Shown] = field(default_factory=Counter)
    #: By room and name: the chat, and the fingerprints that the message may have at the end.
    _last: dict[tuple[str, str], tuple[int, tuple[int, ...]]] = field(default_factory=dict)

    def called(self, job: Job | None, call: Call) -> None:
        """Note a call that Telegram carried out or refused. ``job``: the job that made it."""
        is_post, is_edit = posts(call.method), call.method.startswith("edit")
        if not (is_post or is_edit) or call.method == "sendChatAction" or call.chat is None:
            return
        if not call.ok:
            said = (call.answer or {}).get("description", "")
            if NOT_MODIFIED not in said:
                self.refused[f"{call.method}: {said}"] += 1
            return
        shown = (call.chat, hash(fingerprint(call.method, call.params)))
        number = call.params["message_id"] if is_edit else call.result["message_id"]
        if call.method != TIDYING:
            self._shows[call.chat, int(number)] = shown[1]
        if is_post:
            self.posts[shown] += 1
            if job is not None:
                job.sent.append(shown)

    def excuse(self, job: Job) -> None:
        """Allow the posts of a killed worker to appear twice, since the next worker cannot know of them."""
        self.excused.update(job.sent)

    # --- afterwards ---------------------------------------------------------------------------------------

    def written(self, room: str, packed: Mapping[str, Any]) -> None:
        """Note the outbox entries that one write added. Call it for each write of a room, in order."""
        for _, value in sorted(packed.items()):
            entry: OutboxEntry = unpack_entry(value["B"])
            shown = (entry.chat, hash(fingerprint_of(entry)))
            if entry.target is None:
                self.owed[shown] += posts(entry.method)
            elif entry.fallback is not None:
                self._could_be_posted[shown] += 1
            for name in names_of(entry):
                # If a droppable edit is dropped, the message keeps its previous content.
                before = self._last.get((room, name), (entry.chat, ()))[1] if entry.droppable else ()
                self._last[room, name] = (entry.chat, (*before, shown[1]))

    def judge(self, items: Mapping[str, Mapping[str, Any]], fail: Callable[[str], None]) -> None:
        """Compare posts and entries once the outboxes are empty. ``items``: the rooms' items by key."""
        lost = self.owed - self.posts
        doubled = self.posts - self.owed - self._could_be_posted
        self.lost, self.doubled = lost.total(), doubled.total()
        for (chat, _), count in lost.items():
            fail(f"messages: {count} lost, to {chat}")
        for (chat, _), count in (doubled - self.excused).items():
            fail(f"messages: {count} doubled, or without an outbox entry, to {chat}")
        for said, count in self.refused.items():
            fail(f"messages: {count} refused: {said}")
        for (room, name), (chat, may) in self._last.items():
            if not any(shows_last_content(items[room], name, chat, last, self._shows) for last in may):
                fail(f"messages: {name} of {room} does not show its last content")
