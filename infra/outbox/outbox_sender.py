"""Sending a room's outbox under its lease, and seeing to it that what stays is tried again."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from infra.observability import Watched
from infra.outbox.allowing import Allowance, Allowing
from infra.outbox.flush import Flushed, Refusal, WaitUntil, flush
from infra.outbox.progress import Progress
from infra.outbox.turns import TURNS, packed, turns_of
from infra.queue import QueueUnavailable, Wakeup, Wakeups
from infra.store.entries import OutboxEntry
from infra.store.items import Lease, RoomItem
from infra.store.pace import Pace
from infra.store.rooms import Rooms
from infra.store.table import StoreUnavailable
from infra.telegram.gateway import Gateway

LEASE_SECONDS = 45.0
#: Seconds between the last moment of sending and the lease's end: for storing the results.
_SLACK = 5.0
#: Seconds after which the watchdog looks at refusals that nobody dealt with.
_UNSETTLED = 60.0
#: Seconds after which a room is woken at the earliest: before the lease is given back a wake-up could only be
#: put off until that would have ended.
_CLEARED = 1.0

#: The name under which a room remembers when the wake-up comes that is queued for what waits.
QUEUED = "wakeup"

#: The name under which a room remembers since when something has been waiting without a break.
SINCE = "waiting"

PhotoOf = Callable[[RoomItem, Mapping[str, Any]], bytes]
#: Told what happened and numbers or kinds about it, for the log; never a text or a name.
Note = Callable[[str, Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class CallbackAnswer:
    """The answer to a button press: a call beside the outbox, made first and only once."""

    method: str
    params: Mapping[str, Any]


@dataclass(slots=True)
class Delivered:
    """What became of a delivery."""

    #: The room afterwards; None if it is gone.
    item: RoomItem | None
    #: Still in the outbox. The caller saves what follows from them, with their ids in ``Change.remove``, and
    #: delivers again; if it dies before, they are refused once more.
    refusals: list[Refusal] = field(default_factory=list)
    #: Old chat id -> new one; the caller moves the room and delivers again.
    migrated: dict[int, int] = field(default_factory=dict)
    #: Whether other entries stay for later (a wake-up is queued).
    left: bool = False
    #: How many entries were settled.
    sent: int = 0


class OutboxSender:
    """Delivers rooms' outboxes.

    Args:
        photo: comes up with the picture of an entry's ``photo``, from the room as it is when the entry
            is sent: others may have added entries since. See ``infra.outbox.calls.PhotoHook``.
        note: see ``Note``.
        pace: the whole bot's; None: there is no limit but Telegram's.
        wait_until: waits until a moment that is about a second ahead at most; asyncio's sleep by default.
    """

    def __init__(
        self,
        rooms: Rooms,
        gateway: Gateway,
        wakeups: Wakeups,
        clock: Callable[[], float],
        *,
        pace: Pace | None = None,
        wait_until: WaitUntil | None = None,
        photo: PhotoOf | None = None,
        note: Note = lambda event, facts: None,
    ) -> None:
        self._rooms = rooms
        self._gateway = gateway
        self._wakeups = wakeups
        self._clock = clock
        self._photo = photo
        self._note = note
        self._allowing = None if pace is None else Allowing(pace, clock)
        self._wait_until = wait_until

    def lease(self, owner: str) -> Lease:
        """The lease to ask for in a change that adds entries."""
        return Lease(owner, self._clock() + LEASE_SECONDS)

    def deliver(
        self,
        item: RoomItem,
        owner: str,
        deadline: float,
        *,
        answer: CallbackAnswer | None = None,
        attempt: int = 0,
    ) -> Delivered:
        """Send what waits in ``item``'s outbox, and what others add meanwhile, until ``deadline``.

        ``item`` is the freshest there is (as ``save`` returned it). If the lease is not the owner's, it
        is taken if free; if somebody else has it, a wake-up is queued for its end.

        Args:
            deadline: seconds since 1970 at which the function must be done with sending.
            answer: made in any case, before everything else.
            attempt: of the wake-up that led here plus one; 0 for an update.

        Raises StoreUnavailable where the results may not be stored; a repetition may double this one flush.
        """
        out = Delivered(item)
        leased = self._leased(item, owner)
        if leased is None or not leased.held_by(owner):
            if answer is not None:
                self.answer(answer, deadline)
            if leased is not None and leased.outbox:
                self.leave(leased, attempt)
                out.left = True
            out.item = leased
            return out
        progress = Progress(owner, deadline, attempt)
        while leased is not None and leased.held_by(owner):
            after = self._flush_and_clear(leased, progress, answer, out)
            answer = None
            out.item = after
            leased = self._leased_again(after, progress, out)
        return out

    def answer(self, answer: CallbackAnswer, deadline: float) -> None:
        """Answer a button press now, where something else comes before the outbox; never raises for it."""
        self._gateway.run(self._best_effort(answer, deadline))

    def leave(self, item: RoomItem, attempt: int = 0) -> None:
        """Entries wait under a lease whose holder may have died: be back at its end.

        Raises StoreUnavailable where the wake-up is queued, but the watchdog does not know of it.
        """
        at = item.lease.until if item.lease is not None else self._clock()
        self._wake(item.key, at, "lease", attempt)
        if item.due is None or item.due > at:
            self._rooms.wake_by(item.key, at)

    def _leased(self, item: RoomItem, owner: str) -> RoomItem | None:
        if item.held_by(owner) or not item.outbox or not item.lease_free(self._clock()):
            return item
        return self._rooms.take_lease(item.key, self.lease(owner))

    async def _best_effort(self, answer: CallbackAnswer, deadline: float) -> None:
        # A toast that does not come through is no loss: the state is saved, and the press expires.
        try:
            await self._gateway.call(
                answer.method, answer.params, wait=max(0.5, min(8.0, deadline - self._clock()))
            )
        except Exception as error:
            self._note("answer_failed", {"method": answer.method, "kind": type(error).__name__})

    def _flush_and_clear(
        self, leased: RoomItem, progress: Progress, answer: CallbackAnswer | None, out: Delivered
    ) -> RoomItem | None:
        """One flush and the clearing after it; returns the item as it is then."""
        todo = progress.allowed(leased.outbox)
        allowance = self._allow(todo, leased)
        going = {identifier: todo[identifier] for identifier in allowance.moments}
        flushed = self._gateway.run(self._flush(leased, going, allowance.moments, progress, answer))
        flushed.done += allowance.dropped
        progress.learn(flushed)
        progress.postponed |= allowance.waits
        out.refusals += flushed.refusals
        out.migrated |= flushed.migrated
        out.sent += len(flushed.done)
        self._report(leased.key, flushed)
        progress.postponed |= self._flooded(going, flushed, allowance)
        stays = set(leased.outbox) - set(flushed.done)
        learned = {**flushed.messages, **flushed.budgets}
        if allowance.turns != turns_of(leased.messages):
            learned[TURNS] = packed(allowance.turns)
        if QUEUED in leased.messages and leased.messages[QUEUED] <= self._clock():
            learned[QUEUED] = None
        due = self._schedule(leased, stays, progress, learned) if stays else None
        learned |= self._age(leased, stays)
        after = self._rooms.clear(leased.key, progress.owner, flushed.done, learned, due)
        if after is not None and set(flushed.done) & set(after.outbox):
            self._note("lease_lost", {"count": len(flushed.done)})
        return after

    async def _flush(
        self,
        leased: RoomItem,
        todo: Mapping[str, OutboxEntry],
        moments: Mapping[str, float],
        progress: Progress,
        answer: CallbackAnswer | None,
    ) -> Flushed:
        assert leased.lease is not None
        sending = flush(
            todo,
            leased.messages,
            self._gateway,
            clock=self._clock,
            deadline=min(progress.deadline, leased.lease.until - _SLACK),
            photo=None if self._photo is None else partial(self._photo, leased),
            attempt=progress.attempt,
            moments=moments,
            wait_until=self._wait_until,
        )
        if answer is None:
            return await sending
        # A task of its own, made first, so that its request is on the wire before any other.
        answering = asyncio.ensure_future(self._best_effort(answer, progress.deadline))
        flushed = await sending
        await answering
        return flushed

    def _allow(self, todo: Mapping[str, OutboxEntry], leased: RoomItem) -> Allowance:
        """What may go now, as far as the whole bot is concerned."""
        if self._allowing is None or not todo:
            return Allowance(dict.fromkeys(todo, 0.0))
        return self._allowing.allow(todo, leased.messages)

    def _flooded(
        self, going: Mapping[str, OutboxEntry], flushed: Flushed, allowance: Allowance
    ) -> dict[str, float]:
        """Telegram takes nothing from the bot for a while: nobody sends till then.

        What was about to go is first afterwards. Returns until when it waits, by id.
        """
        if self._allowing is None or not flushed.flooded:
            return {}
        settled = {*flushed.done, *flushed.postponed, *(refusal.id for refusal in flushed.refusals)}
        self._note(Watched.BOT_PAUSED, {"seconds": flushed.flooded})
        stays = going.keys() - settled
        with suppress(StoreUnavailable):
            kept = self._allowing.flooded(flushed.flooded, len(stays))
            allowance.turns = [*kept, *allowance.turns]
        return dict.fromkeys(stays, self._clock() + flushed.flooded)

    def _age(self, leased: RoomItem, stays: set[str]) -> dict[str, Any]:
        """What to remember of how long something has been waiting; an operator is to see it grow."""
        since = leased.messages.get(SINCE)
        if not stays:
            return {} if since is None else {SINCE: None}
        now = self._clock()
        waited = 0.0 if since is None else max(0.0, now - since)
        self._note(Watched.OUTBOX_AGE, {"room": leased.key, "seconds": round(waited)})
        return {SINCE: round(now, 1)} if since is None else {}

    def _schedule(
        self, leased: RoomItem, stays: set[str], progress: Progress, learned: dict[str, Any]
    ) -> float | None:
        """Queue a wake-up for what stays, before the clearing, so that no crash can come between.

        None is queued where one comes in time already, or every update of a busy minute would start a
        chain of its own. Returns when the watchdog must look, or None if it would do so in time anyway.
        """
        now = self._clock()
        at = progress.next_try(leased.outbox, stays, now)
        if at is None:  # only refusals and migrated chats, which the caller deals with next
            at = now + _UNSETTLED
        else:
            at = max(at, now + _CLEARED)
            # One that comes now may be the one that led here.
            coming = now < leased.messages.get(QUEUED, 0) <= at
            if not coming and self._wake(leased.key, at, "retry", progress.attempt + 1):
                learned[QUEUED] = at
            progress.scheduled |= stays
        return at if leased.due is None or at < leased.due else None

    def _leased_again(self, after: RoomItem | None, progress: Progress, out: Delivered) -> RoomItem | None:
        """Take the lease once more if others added entries that can be sent now."""
        if after is None:
            return None
        waiting = progress.sendable(after.outbox)
        out.left = out.left or bool(set(after.outbox) - progress.refused)
        if not waiting or after.lease is not None:
            return None
        if progress.out_of_time or progress.deadline - self._clock() < _SLACK:
            if set(waiting) - progress.scheduled:
                self._wake(after.key, self._clock(), "rest", progress.attempt)
            return None
        out.left = False
        return self._rooms.take_lease(after.key, self.lease(progress.owner))

    def _wake(self, key: str, at: float, reason: str, attempt: int) -> bool:
        try:
            self._wakeups.send(Wakeup(key, at, reason, attempt))
        except QueueUnavailable:
            # The room is due in the index as well: the watchdog finds it, only later.
            self._note(Watched.WAKEUP_FAILED, {"reason": reason})
            return False
        return True

    def _report(self, room: str, flushed: Flushed) -> None:
        for refusal in flushed.refusals:
            why = {"method": refusal.entry.method, "kind": str(refusal.kind), "detail": refusal.detail}
            self._note(Watched.REFUSED, {"room": room, **why})
        counts = {
            Watched.ANSWER_LOST: flushed.answers_lost,
            Watched.PAUSED: len(flushed.paused),
            Watched.HELD: len(flushed.postponed),
        }

        for event, count in counts.items():
            if count:
                self._note(event, {"room": room, "count": count})


def new_owner() -> str:
    """A name for one invocation, under which it holds leases."""
    return secrets.token_urlsafe(9)
