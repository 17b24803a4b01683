"""Carrying out an outbox once: per chat in order, different chats side by side.

Nothing here knows the table or the queue: ``flush`` takes entries and says what became of them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from infra.outbox.budget import SENT, Budget
from infra.outbox.calls import MethodCall, PhotoHook, call_of, results_of
from infra.store.entries import OutboxEntry
from infra.telegram.errors import AnswerLost, Kind, Migrated, Refused, RetryLater, Unauthorized

#: Prefix of the names under which a room remembers until when a chat must be left alone.
PAUSE = "pause/"

#: Seconds before the deadline after which no further call is begun.
_MARGIN = 1.0
_LONGEST_CALL = 8.0
_AFTER_LOST_TOKEN = 60.0
_LONGEST_PAUSE = 300.0
#: Seconds for which a chat is left alone at most, whatever Telegram says: then it is tried once. A pause that
#: ends later was noted by a clock that was ahead.
LONGEST_PAUSE = 3600.0
#: Of the pause after a lost answer; so many lead beyond the longest.
_DOUBLINGS = 10

#: Refusals that the chat's other entries would meet as well.
_OF_THE_CHAT = frozenset(
    {Kind.BLOCKED, Kind.CANNOT_INITIATE, Kind.DEACTIVATED, Kind.NOT_IN_CHAT, Kind.CHAT_NOT_FOUND}
)


#: Waits until a moment, in seconds since 1970.
WaitUntil = Callable[[float], Awaitable[None]]


class Caller(Protocol):
    """What of a gateway is needed here."""

    async def call(
        self,
        method: str,
        params: Mapping[str, Any],
        files: Mapping[str, bytes] | None = None,
        *,
        wait: float | None = None,
    ) -> Any:
        """See ``infra.telegram.gateway.Gateway.call``."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An entry that Telegram refused for good, for the caller to act on."""

    id: str
    entry: OutboxEntry
    kind: Kind
    detail: str = ""


@dataclass(slots=True)
class Flushed:
    """What became of a flush."""

    #: Ids of entries that are settled: carried out, superseded, or without an object.
    done: list[str] = field(default_factory=list)
    #: Names to remember (value) or to forget (None).
    messages: dict[str, Any] = field(default_factory=dict)
    #: Entries that stay until the caller has dealt with them.
    refusals: list[Refusal] = field(default_factory=list)
    #: Until when (seconds since 1970) a chat is to be left alone; its entries stay.
    paused: dict[int, float] = field(default_factory=dict)
    #: Until when an entry stays because its group's budget for the minute is used up.
    postponed: dict[str, float] = field(default_factory=dict)
    #: When groups were written to lately, by the name to remember it under.
    budgets: dict[str, list[float]] = field(default_factory=dict)
    #: Old chat id -> new one; entries of the old one stay.
    migrated: dict[int, int] = field(default_factory=dict)
    #: For how many seconds Telegram takes nothing from the bot, whatever the chat; 0: it does.
    flooded: float = 0.0
    #: The deadline came before the end.
    out_of_time: bool = False
    #: How many calls ended without anybody knowing whether they were done.
    answers_lost: int = 0


async def flush(
    outbox: Mapping[str, OutboxEntry],
    messages: Mapping[str, Any],
    gateway: Caller,
    *,
    clock: Callable[[], float],
    deadline: float,
    photo: PhotoHook | None = None,
    attempt: int = 0,
    moments: Mapping[str, float] | None = None,
    wait_until: WaitUntil | None = None,
) -> Flushed:
    """Carry out what can be carried out before ``deadline`` (seconds since 1970).

    Args:
        outbox: entries by id, in the order of their ids.
        messages: message ids by name, and pauses, as the room remembers them.
        attempt: how often this was tried before; lengthens the pause after a lost answer.
        moments: before which an entry does not go, by id (seconds since 1970).
        wait_until: waits for them.
    """
    out = Flushed()
    run = _Run(out, messages, gateway, clock, deadline, photo, attempt, moments or {}, wait_until)
    needless = superseded(outbox)
    out.done.extend(needless)
    chats: dict[int, list[tuple[str, OutboxEntry]]] = {}
    for identifier in sorted(outbox):
        if identifier not in needless:
            chats.setdefault(outbox[identifier].chat, []).append((identifier, outbox[identifier]))
    # Rendering a picture holds up everybody, so chats without one send their requests first.
    order = sorted(chats.values(), key=lambda queue: any(entry.photo for _, entry in queue))
    await asyncio.gather(*(run.serve(queue) for queue in order))
    return out


def is_paused(messages: Mapping[str, Any], chat: int, now: float) -> bool:
    """True if a room remembers that a chat is to be left alone now."""
    return bool(now < messages.get(PAUSE + str(chat), 0) <= now + LONGEST_PAUSE)


def superseded(outbox: Mapping[str, OutboxEntry]) -> list[str]:
    """Ids of entries that a later one with the same chat and key makes needless.

    An edit is superseded only by an edit of the same message: not across a new post of that name.
    """
    posts: Counter[tuple[int, str]] = Counter()
    latest: dict[tuple[Any, ...], str] = {}
    needless: list[str] = []
    for identifier, entry in sorted(outbox.items()):
        if entry.key is not None:
            target = entry.target
            meant = (entry.chat, entry.key, target, posts[entry.chat, target] if target else 0)
            if meant in latest:
                needless.append(latest[meant])
            latest[meant] = identifier
        if entry.name is not None:
            posts[entry.chat, entry.name] += 1
    return needless


@dataclass(slots=True)
class _Run:
    """One flush under way; its fields are what ``flush`` was given."""

    out: Flushed
    stored: Mapping[str, Any]
    gateway: Caller
    clock: Callable[[], float]
    deadline: float
    photo: PhotoHook | None
    attempt: int
    moments: Mapping[str, float]
    wait_until: WaitUntil | None
    #: The chats that answered 429.
    limited: set[int] = field(default_factory=set)

    async def serve(self, queue: list[tuple[str, OutboxEntry]]) -> None:
        """Carry out one chat's entries in order, until something stops the chat."""
        chat = queue[0][1].chat
        if self._is_paused(chat):
            return
        budget = Budget(chat, self.stored.get(SENT + str(chat)) or ())
        for index, (identifier, entry) in enumerate(queue):
            behind = queue[index + 1 :]
            if not await self._may_begin(identifier):
                return
            if self._needless(entry, behind):
                self.out.done.append(identifier)
                continue
            until = budget.wait(entry, self.clock())
            if until is not None:
                if self._postpone(queue[index:], until):
                    continue
                return
            if not await self._try(identifier, entry, behind, budget):
                return

    def _is_paused(self, chat: int) -> bool:
        """Whether the chat is to be left alone; a pause that is over is forgotten."""
        name = PAUSE + str(chat)
        if is_paused(self.stored, chat, self.clock()):
            self.out.paused[chat] = self.stored[name]
            return True
        if name in self.stored:
            self.out.messages[name] = None
        return False

    async def _may_begin(self, identifier: str) -> bool:
        """Wait for the entry's moment; whether there is still time for it, and Telegram takes anything."""
        moment = self.moments.get(identifier, 0.0)
        if self.clock() < moment < self.deadline:
            await (self.wait_until or self._sleep_until)(moment)
        if self.out.flooded:
            return False
        self.out.out_of_time = self.out.out_of_time or self.deadline - self.clock() < _MARGIN
        return not self.out.out_of_time

    async def _try(
        self, identifier: str, entry: OutboxEntry, behind: list[tuple[str, OutboxEntry]], budget: Budget
    ) -> bool:
        """Carry out one entry, and note what became of it; whether its chat's next one may go."""
        try:
            await self._carry_out(entry)
        except Refused as refused:
            self._refuse([(identifier, entry)], refused.kind, refused.detail)
            if refused.kind in _OF_THE_CHAT:
                self._refuse(behind, refused.kind)
            return refused.kind not in _OF_THE_CHAT
        except Migrated as migrated:
            self.out.migrated[entry.chat] = migrated.new_chat_id
            return False
        except RetryLater as later:
            self._retry_later(entry, later, budget)
            return False
        except Unauthorized:
            self._pause(entry.chat, _AFTER_LOST_TOKEN)
            return False
        except AnswerLost:
            self.out.answers_lost += 1
            # Bounded before it is a power: what is never settled is tried for ever.
            self._pause(entry.chat, min(2.0 * 2 ** min(self.attempt, _DOUBLINGS), _LONGEST_PAUSE))
            return False
        except Exception as error:
            # A mistake of ours in one entry must cost neither the results of the other chats nor the entries
            # behind it.
            self._refuse([(identifier, entry)], Kind.MALFORMED, type(error).__name__)
            return True
        self.out.done.append(identifier)
        sent = budget.count(entry, self.clock())
        if sent is not None:
            self.out.budgets[budget.name] = sent
        return True

    def _retry_later(self, entry: OutboxEntry, later: RetryLater, budget: Budget) -> None:
        """Leave the chat alone as long as Telegram said, or the whole bot where it is not the chat's own."""
        self._pause(entry.chat, later.after)
        if not later.flood:
            return
        self.limited.add(entry.chat)
        if len(self.limited) > 1 or not budget.may_be_used_up(entry, self.clock()):
            self.out.flooded = max(self.out.flooded, later.after)

    async def _sleep_until(self, moment: float) -> None:
        await asyncio.sleep(max(0.0, moment - self.clock()))

    def _needless(self, entry: OutboxEntry, behind: list[tuple[str, OutboxEntry]]) -> bool:
        """An edit that would have to be posted instead, while a new post of that name waits behind it."""
        target = entry.target
        gone = target is not None and self._remembered(target) is None
        return gone and any(later.name == target for _, later in behind)

    def _postpone(self, queue: list[tuple[str, OutboxEntry]], until: float) -> bool:
        """The first of these entries finds the minute's budget used up; whether those behind it may go.

        An edit waits alone, and is dropped where a later post takes its message's name; a post holds
        up all that is behind it, as order within a chat is kept.
        """
        (identifier, entry), *behind = queue
        if entry.target is None:
            self.out.postponed |= {other: until for other, _ in queue}
            return False
        if any(later.name == entry.target for _, later in behind):
            self.out.done.append(identifier)
        else:
            self.out.postponed[identifier] = until
        return True

    def _pause(self, chat: int, seconds: float) -> None:
        until = self.clock() + min(seconds, LONGEST_PAUSE)
        self.out.paused[chat] = until
        self.out.messages[PAUSE + str(chat)] = until

    def _refuse(self, queue: Iterable[tuple[str, OutboxEntry]], kind: Kind, detail: str = "") -> None:
        for identifier, entry in queue:
            self.out.refusals.append(Refusal(identifier, entry, kind, detail))
            self._never_posted(entry)

    def _never_posted(self, entry: OutboxEntry) -> None:
        """What was called so before is another message: no edit of this one may change that."""
        if entry.name is not None and entry.target is None:
            self.out.messages[entry.name] = None

    def _remembered(self, name: str) -> Any:
        # What this flush remembered counts first: a post and an edit of it may wait together.
        return self.out.messages.get(name, self.stored.get(name))

    async def _carry_out(self, entry: OutboxEntry) -> None:
        """One entry, with its second chances: a post instead of an edit, an upload instead of a file id."""
        target = None if entry.target is None else self._remembered(entry.target)
        if entry.target is not None and target is None:
            await self._fall_back(entry, entry.target)
            return
        call = call_of(entry, target, self._remembered, self.photo)
        try:
            await self._send(call)
        except Refused as refused:
            if refused.kind is Kind.QUERY_OLD:
                return
            if refused.kind is Kind.MESSAGE_GONE and entry.target is not None:
                await self._fall_back(entry, entry.target)
                return
            if refused.kind is Kind.BAD_FILE and entry.photo is not None and not call.files:
                await self._send(call_of(entry, target, lambda _: None, self.photo))
                return
            raise

    async def _fall_back(self, entry: OutboxEntry, target: str) -> None:
        if entry.fallback is None:
            self.out.messages[target] = None
            return
        await self._send(call_of(entry.as_post(), None, self._remembered, self.photo))

    async def _send(self, call: MethodCall) -> None:
        wait = min(self.deadline - self.clock(), _LONGEST_CALL)
        if wait <= 0:  # the first chance took all the time
            raise RetryLater(0.0)
        result = await self.gateway.call(call.method, call.params, call.files or None, wait=wait)
        self.out.messages.update(results_of(call, result))
