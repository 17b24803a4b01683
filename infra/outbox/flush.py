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
#: Of the pause after an unknown outcome; so many lead beyond the longest.
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
    held: dict[str, float] = field(default_factory=dict)
    #: When groups were written to lately, by the name to remember it under.
    budgets: dict[str, list[float]] = field(default_factory=dict)
    #: Old chat id -> new one; entries of the old one stay.
    migrated: dict[int, int] = field(default_factory=dict)
    #: For how many seconds Telegram takes nothing from the bot, whatever the chat; 0: it does.
    flooded: float = 0.0
    #: The deadline came before the end.
    out_of_time: bool = False
    #: How many calls ended without anybody knowing whether they were done.
    unknown: int = 0


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
        attempt: how often this was tried before; lengthens the pause after an unknown outcome.
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


class _Run:
    """One flush under way."""

    def __init__(
        self,
        out: Flushed,
        messages: Mapping[str, Any],
        gateway: Caller,
        clock: Callable[[], float],
        deadline: float,
        photo: PhotoHook | None,
        attempt: int,
        moments: Mapping[str, float],
        wait_until: WaitUntil | None,
    ) -> None:
        self._out = out
        self._stored = messages
        self._gateway = gateway
        self._clock = clock
        self._deadline = deadline
        self._photo = photo
        self._attempt = attempt
        self._moments = moments
        self._wait_until = wait_until or self._sleep_until
        self._limited: set[int] = set()

    async def serve(self, queue: list[tuple[str, OutboxEntry]]) -> None:
        """Carry out one chat's entries in order, until something stops the chat."""
        chat = queue[0][1].chat
        pause = PAUSE + str(chat)
        now = self._clock()
        if self._stored.get(pause, 0) > now:
            self._out.paused[chat] = self._stored[pause]
            return
        if pause in self._stored:
            self._out.messages[pause] = None
        budget = Budget(chat, self._stored.get(SENT + str(chat)) or ())
        sent_here = 0
        for index, (identifier, entry) in enumerate(queue):
            moment = self._moments.get(identifier, 0.0)
            if self._clock() < moment < self._deadline:
                await self._wait_until(moment)
            if self._out.flooded:
                return
            if self._deadline - self._clock() < _MARGIN:
                self._out.out_of_time = True
                return
            if self._needless(entry, queue[index + 1 :]):
                self._out.done.append(identifier)
                continue
            until = budget.wait(entry, self._clock())
            if until is not None and not self._hold(queue[index:], until):
                return
            if until is not None:
                continue
            try:
                await self._carry_out(entry)
            except Refused as refused:
                self._out.refusals.append(Refusal(identifier, entry, refused.kind, refused.detail))
                self._never_posted(entry)
                if refused.kind in _OF_THE_CHAT:
                    self._refuse(queue[index + 1 :], refused.kind)
                    return
            except Migrated as migrated:
                self._out.migrated[chat] = migrated.new_chat_id
                return
            except RetryLater as later:
                self._pause(chat, later.after)
                self._limited |= {chat} if later.flood else set()
                if later.flood and (
                    len(self._limited) > 1 or not budget.may_be_used_up(entry, now, sent_here)
                ):
                    self._out.flooded = max(self._out.flooded, later.after)
                return
            except Unauthorized:
                self._pause(chat, _AFTER_LOST_TOKEN)
                return
            except AnswerLost:
                self._out.unknown += 1
                # Bounded before it is a power: what is never settled is tried for ever.
                self._pause(chat, min(2.0 * 2 ** min(self._attempt, _DOUBLINGS), _LONGEST_PAUSE))
                return
            except Exception as error:
                # A mistake of ours in one entry must cost neither the results of the other chats nor
                # the entries behind it.
                self._out.refusals.append(Refusal(identifier, entry, Kind.MALFORMED, type(error).__name__))
                self._never_posted(entry)
            else:
                self._out.done.append(identifier)
                sent_here += 1
                sent = budget.count(entry, self._clock())
                if sent is not None:
                    self._out.budgets[budget.name] = sent

    async def _sleep_until(self, moment: float) -> None:
        await asyncio.sleep(max(0.0, moment - self._clock()))

    def _needless(self, entry: OutboxEntry, behind: list[tuple[str, OutboxEntry]]) -> bool:
        """An edit that would have to be posted instead, while a new post of that name waits behind it."""
        target = entry.target
        gone = target is not None and self._known(target) is None
        return gone and any(later.name == target for _, later in behind)

    def _hold(self, queue: list[tuple[str, OutboxEntry]], until: float) -> bool:
        """The first of these entries finds the minute's budget used up; whether those behind it may go.

        An edit waits alone, and is dropped where a later post takes its message's name; a post holds
        up all that is behind it, as order within a chat is kept.
        """
        (identifier, entry), *behind = queue
        if entry.target is None:
            self._out.held |= {other: until for other, _ in queue}
            return False
        if any(later.name == entry.target for _, later in behind):
            self._out.done.append(identifier)
        else:
            self._out.held[identifier] = until
        return True

    def _pause(self, chat: int, seconds: float) -> None:
        until = self._clock() + seconds
        self._out.paused[chat] = until
        self._out.messages[PAUSE + str(chat)] = until

    def _refuse(self, queue: Iterable[tuple[str, OutboxEntry]], kind: Kind) -> None:
        for identifier, entry in queue:
            self._out.refusals.append(Refusal(identifier, entry, kind))
            self._never_posted(entry)

    def _never_posted(self, entry: OutboxEntry) -> None:
        """What was called so before is another message: no edit of this one may change that."""
        if entry.name is not None and entry.target is None:
            self._out.messages[entry.name] = None

    def _known(self, name: str) -> Any:
        # What this flush remembered counts first: a post and an edit of it may wait together.
        return self._out.messages.get(name, self._stored.get(name))

    async def _carry_out(self, entry: OutboxEntry) -> None:
        """One entry, with its second chances: a post instead of an edit, an upload instead of a file id."""
        target = None if entry.target is None else self._known(entry.target)
        if entry.target is not None and target is None:
            await self._fall_back(entry, entry.target)
            return
        call = call_of(entry, target, self._known, self._photo)
        try:
            await self._send(call)
        except Refused as refused:
            if refused.kind is Kind.QUERY_OLD:
                return
            if refused.kind is Kind.MESSAGE_GONE and entry.target is not None:
                await self._fall_back(entry, entry.target)
                return
            if refused.kind is Kind.BAD_FILE and entry.photo is not None and not call.files:
                await self._send(call_of(entry, target, lambda _: None, self._photo))
                return
            raise

    async def _fall_back(self, entry: OutboxEntry, target: str) -> None:
        if entry.fallback is None:
            self._out.messages[target] = None
            return
        await self._send(call_of(entry.as_post(), None, self._known, self._photo))

    async def _send(self, call: MethodCall) -> None:
        wait = min(self._deadline - self._clock(), _LONGEST_CALL)
        if wait <= 0:  # the first chance took all the time
            raise RetryLater(0.0)
        result = await self._gateway.call(call.method, call.params, call.files or None, wait=wait)
        self._out.messages.update(results_of(call, result))
