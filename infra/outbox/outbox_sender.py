"""Send a room's outbox under its lease, and make sure that everything left is tried again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from infra.observability import Watched
from infra.outbox.plan import (
    FIRST_SLOT_WAIT,
    Drop,
    LimitedChat,
    Send,
    Slots,
    SortedEntries,
    Step,
    Wait,
    claim_probe,
    count_wanted,
    end_probe,
    is_bot_wide,
    join_slot_runs,
    may_probe,
    note_limited,
    plan,
    remember_sent,
    sort_entries,
    split_slot_runs,
)
from infra.outbox.send import Refusal, SendResult, WaitUntil, send
from infra.queue import QueueUnavailable, Wakeup, WakeupQueue
from infra.store.items import Lease, OutboxEntry, Patch, Remembered, RoomItem, SlotRun
from infra.store.pace import Pace
from infra.store.rooms import Rooms
from infra.store.table import StoreUnavailable
from infra.telegram.gateway import Gateway

LEASE_SECONDS = 45.0
#: Seconds between the end of sending and the end of the lease: for storing the results.
_STORING_SECONDS = 5.0
#: Seconds after which the watchdog looks at refusals that the caller did not handle.
_REFUSALS_DUE = 60.0
#: A wake-up to try entries again comes after this many seconds at the earliest. Until the lease is given
#: back, it could do nothing.
_FIRST_WAKE_UP = 1.0

#: Draws a picture from a room and from an entry's ``photo``, which says what to draw.
PhotoOf = Callable[[RoomItem, Mapping[str, Any]], bytes]
#: The answer to a button press: a ``method`` and its parameters, as in a webhook's reply. It is not in the
#: outbox. It is sent first and never repeated.
Answer = Mapping[str, Any]
#: Reports an event to the log, with facts about it: numbers, and short words such as an exception's type.
#: It never gets a message's text or a person's name.
Note = Callable[[str, Mapping[str, Any]], None]


@dataclass(slots=True)
class DeliveryResult:
    """The result of a delivery."""

    #: The room afterwards; None if it is gone.
    item: RoomItem | None
    #: Refused entries, still in the outbox. The caller saves a ``Change`` that removes them and adds the
    #: messages that replace them. Then it delivers again. If it crashes before it saves, the refused entries
    #: are sent and refused once more.
    refusals: list[Refusal] = field(default_factory=list)
    #: Old chat id -> new one; the caller moves the room and delivers again.
    migrated: dict[int, int] = field(default_factory=dict)
    #: The number of finished entries: sent, dropped, or with nothing left to do.
    settled: int = 0


class OutboxSender:
    """Delivers rooms' outboxes.

    Args:
        photo: see ``PhotoOf``. The room may have changed since the entry was added.
        note: see ``Note``.
        pace: the whole bot's pace; None: the sender keeps only to each chat's limits.
        wait_until: waits until a time, in most cases less than two seconds ahead; asyncio's sleep by default.
    """

    def __init__(
        self,
        rooms: Rooms,
        gateway: Gateway,
        wakeups: WakeupQueue,
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
        self._pace = pace
        self._wait_until = wait_until
        #: The bot's clock (a virtual clock, see ``infra.store.pace``) is behind real time by this many
        #: seconds, as last read. 0 until ``_shift_known``.
        self._shift = 0.0
        self._shift_known = False

    def lease(self, owner: str) -> Lease:
        """Return a new lease. A ``Change`` that adds entries may request it."""
        return Lease(owner, self._clock() + LEASE_SECONDS)

    def deliver(
        self,
        item: RoomItem,
        owner: str,
        deadline: float,
        *,
        answer: Answer | None = None,
        hurried: bool = False,
    ) -> DeliveryResult:
        """Send the entries of ``item``'s outbox, and those that others add meanwhile, until ``deadline``.

        ``item`` is the room as last saved or loaded. If the lease is free, take it. If somebody else has it,
        queue a wake-up for its end.

        Args:
            deadline: sending must end by then, in seconds since 1970.
            answer: sent before all messages, even if somebody else has the lease.
            hurried: wait for send slots only for a moment, then queue a wake-up.

        Raises StoreUnavailable if the store does not answer a write to the room. If that write had the
        results of the calls, the messages sent last may be sent again.
        """
        result = DeliveryResult(item)
        leased: RoomItem | None = item
        if item.outbox and not item.held_by(owner) and item.is_lease_free(self._clock()):
            leased = self._rooms.take_lease(item.key, self.lease(owner))
        if leased is None or not leased.held_by(owner):
            if answer is not None:
                self.answer(answer, deadline)
            if leased is not None and leased.outbox:
                self.wake_at_lease_end(leased)
            result.item = leased
            return result
        progress = _Progress(owner, deadline, hurried)
        while leased is not None and leased.held_by(owner):
            after = self._send_and_clear(leased, progress, answer, result)
            answer = None
            result.item = after
            leased = self._take_lease_again(after, progress)
        return result

    def answer(self, answer: Answer, deadline: float) -> None:
        """Answer a button press now. Call this if other work comes before the outbox. Never raises."""
        self._gateway.run(self._try_to_answer(answer, deadline))

    def wake_at_lease_end(self, item: RoomItem) -> None:
        """Queue a wake-up for the end of the room's lease, because its holder may crash before that.

        Then store the same time for the watchdog, in case the wake-up is lost. Raises StoreUnavailable if the
        time could not be stored.
        """
        at = item.lease.until if item.lease is not None else self._clock()
        self._wake(item.key, at, "lease")
        if item.due is None or item.due > at:
            self._rooms.wake_by(item.key, at)

    async def _try_to_answer(self, answer: Answer, deadline: float) -> None:
        # The answer is a toast: the short text that Telegram shows after a tap. It does no harm if the toast
        # is lost, because the room is already saved.
        params = dict(answer)
        method = params.pop("method")
        try:
            await self._gateway.call(method, params, wait=max(0.5, min(8.0, deadline - self._clock())))
        except Exception as error:
            self._note("answer_failed", {"method": method, "kind": type(error).__name__})

    def _send_and_clear(
        self, leased: RoomItem, progress: _Progress, answer: Answer | None, result: DeliveryResult
    ) -> RoomItem | None:
        """Plan and send once, and remove what was sent. Returns the item as it is afterwards."""
        remembered = leased.remembered
        todo = sort_entries(progress.allowed(leased.outbox), remembered, self._clock())
        runs, slots, probing = self._take_slots(todo, remembered, progress.hurried)
        steps = plan(todo, remembered, slots, self._clock())
        sent = self._gateway.run(self._send(leased, steps, progress, answer))
        sent.done += [step.id for step in steps if isinstance(step, Drop)]
        waits = {step.id: step.until for step in steps if isinstance(step, Wait)}
        progress.learn(sent, waits)
        result.refusals += sent.refusals
        result.migrated |= sent.migrated
        result.settled += len(sent.done)
        self._report_results(leased.key, sent, len(waits))
        if sent.limited or probing:
            runs = self._note_limits(steps, sent, runs, progress, probing=probing)
        remaining = set(leased.outbox) - set(sent.done)
        learned: Patch = {**sent.learned, **remember_sent(remembered, sent.times, self._clock())}
        if runs != list(remembered.slot_runs):
            learned["slot_runs"] = runs or None
        if remembered.next_wakeup_at is not None and remembered.next_wakeup_at <= self._clock():
            learned["next_wakeup_at"] = None
        due = None
        if remaining:
            due = self._schedule(leased, remaining, progress, learned)
            self._report_age(leased, learned)
        elif remembered.waiting_since is not None:
            learned["waiting_since"] = None
        after = self._rooms.finish_sending(leased.key, progress.owner, sent.done, learned, due)
        if after is not None and set(sent.done) & set(after.outbox):
            self._note("lease_lost", {"count": len(sent.done)})
        return after

    async def _send(
        self, leased: RoomItem, steps: Sequence[Step], progress: _Progress, answer: Answer | None
    ) -> SendResult:
        assert leased.lease is not None
        sending = send(
            [step for step in steps if isinstance(step, Send)],
            leased.remembered,
            self._gateway,
            clock=self._clock,
            deadline=min(progress.deadline, leased.lease.until - _STORING_SECONDS),
            photo=None if self._photo is None else partial(self._photo, leased),
            wait_until=self._wait_until,
            is_bot_wide=self._is_bot_wide,
        )
        if answer is None:
            return await sending
        # Start the answer's task first, so that its request goes out before any other.
        answering = asyncio.ensure_future(self._try_to_answer(answer, progress.deadline))
        sent = await sending
        await answering
        return sent

    # --- the bot's pace -----------------------------------------------------------------------------------

    def _take_slots(
        self, todo: SortedEntries, remembered: Remembered, hurried: bool
    ) -> tuple[list[SlotRun], Slots | None, bool]:
        """Return the send slots to store (as runs), the slots for the plan, and whether this sender probes.

        To probe is to send a single message after a pause, as a test of whether Telegram accepts messages
        again. Taking slots costs one request in most cases, and none if there is nothing to send. If the
        store does not answer, return None for the slots. The plan then sends without slots, but still
        keeps to each chat's limits.
        """
        if self._pace is None or not todo.entries:
            return [], None, False
        now, runs = self._clock(), list(remembered.slot_runs)
        messages, tidying, hiding = count_wanted(todo)
        count = messages + (tidying if self._pace.known_backlog() <= FIRST_SLOT_WAIT else 0)
        try:
            runs = self._take_missing_slots(runs, count + hiding, now)
            ready, later = split_slot_runs(runs, now - self._shift, self._pace.interval, hurried=hurried)
            near, probing = [first + self._shift for first in ready], False
            if ready and may_probe(self._pace.known, now):
                probing = self._pace.change(lambda state: claim_probe(state, now))
                self._shift = self._pace.known.shift / 1000
                later += [(first, 1) for first in ready[int(probing) :]]
                near = [now] if probing else []
        except StoreUnavailable:
            return [], None, False
        moments = [first + self._shift for first, many in sorted(later) for _ in range(many)]
        return (join_slot_runs(later) if count > len(near) else []), Slots(near, moments), probing

    def _take_missing_slots(self, runs: list[SlotRun], count: int, now: float) -> list[SlotRun]:
        """Take more slots if the room's runs hold fewer than ``count`` usable ones. Return all its runs."""
        assert self._pace is not None
        must_read = bool(runs) and not self._shift_known
        if must_read:
            # The runs are times on the bot's clock, which may be far behind real time. Without the shift, all
            # of them would look stale.
            self._shift = self._pace.read_shift()
            self._shift_known = True
        ready, later = split_slot_runs(runs, now - self._shift, self._pace.interval)
        missing = count - len(ready) - sum([count for _, count in later])
        if missing > 0:
            slots = self._pace.take(missing)
            self._shift = slots.shift
            self._shift_known = True
            return [*runs, (slots.first, missing)]
        if ready and not must_read:
            self._shift = self._pace.read_shift()
        return runs

    def _is_bot_wide(self, limited: Sequence[LimitedChat]) -> bool:
        return self._pace is not None and is_bot_wide(self._pace.known, limited, self._clock())

    def _note_limits(
        self,
        steps: Sequence[Step],
        sent: SendResult,
        runs: list[SlotRun],
        progress: _Progress,
        *,
        probing: bool,
    ) -> list[SlotRun]:
        """Tell the limiter (``self._pace``) of Telegram's 429s, or that Telegram accepts messages again.

        Returns the runs of slots to store. If the whole bot must pause now, there is a new run for the
        entries that should have gone out now but are still unsent. It has a slot for each of them, unless the
        entry's chat has a pause of its own. Its slots are the first ones after the bot's pause.
        """
        if self._pace is None:
            return runs
        now, before = self._clock(), self._shift
        try:
            if not sent.limited:
                if sent.done and not sent.answers_lost:
                    self._pace.change(end_probe)
                return runs
            self._pace.change(lambda state: note_limited(state, sent.limited, now, probing=probing))
        except StoreUnavailable:
            return runs
        until = self._pace.known.pause_ends_at / 1000
        if until <= now:
            return runs
        self._note(Watched.BOT_PAUSED, {"seconds": round(until - now, 1)})
        finished = {*sent.done, *(refusal.id for refusal in sent.refusals)}
        sends = [each for each in steps if isinstance(each, Send) and each.id not in finished]
        held = [each.id for each in sends if each.entry.chat not in sent.paused]
        progress.postponed |= dict.fromkeys(held, until)
        return [(now - before, len(held)), *runs] if held else runs

    def _report_age(self, leased: RoomItem, learned: Patch) -> None:
        """Report how long the outbox has not been empty. Add to ``learned`` since when, if it is new."""
        since, now = leased.remembered.waiting_since, self._clock()
        waited = 0.0 if since is None else max(0.0, now - since)
        self._note(Watched.OUTBOX_AGE, {"room": leased.key, "seconds": round(waited)})
        if since is None:
            learned["waiting_since"] = round(now, 1)

    def _schedule(
        self, leased: RoomItem, remaining: set[str], progress: _Progress, learned: Patch
    ) -> float | None:
        """Queue a wake-up for the earliest time at which to try an entry of ``remaining`` again.

        Call this function before the store removes the sent entries. If the process crashes in between, the
        wake-up is then queued already.

        If the queue already has a wake-up for that time or an earlier one, queue no other. Otherwise every
        update of a busy minute would start a chain of wake-ups.

        Returns the time to store for the watchdog, or None if the stored time is early enough.
        """
        now = self._clock()
        at = progress.next_try(leased.outbox, remaining, now)
        if at is None:  # only refusals and migrated chats, which the caller handles next
            at = now + _REFUSALS_DUE
        else:
            at = max(at, now + _FIRST_WAKE_UP)
            # A wake-up that is due now does not count: it may be the one that is running.
            coming = now < (leased.remembered.next_wakeup_at or 0) <= at
            if not coming and self._wake(leased.key, at, "retry"):
                learned["next_wakeup_at"] = at
            progress.scheduled |= remaining
        return at if leased.due is None or at < leased.due else None

    def _take_lease_again(self, after: RoomItem | None, progress: _Progress) -> RoomItem | None:
        """Take the lease once more if others added entries that can be sent now."""
        if after is None or after.lease is not None or not after.outbox:
            return None
        waiting = progress.sendable(after.outbox)
        if not waiting:
            return None
        if progress.out_of_time or progress.deadline - self._clock() < _STORING_SECONDS:
            if set(waiting) - progress.scheduled:
                self._wake(after.key, self._clock(), "rest")
            return None
        return self._rooms.take_lease(after.key, self.lease(progress.owner))

    def _wake(self, key: str, at: float, reason: str) -> bool:
        try:
            self._wakeups.send(Wakeup(key, at, reason))
        except QueueUnavailable:
            # The room's time is also stored in the index ``due``, so the watchdog finds the room later.
            self._note(Watched.WAKEUP_FAILED, {"reason": reason})
            return False
        return True

    def _report_results(self, room: str, sent: SendResult, waiting: int) -> None:
        for refusal in sent.refusals:
            why = {"method": refusal.entry.method, "kind": str(refusal.kind), "detail": refusal.detail}
            self._note(Watched.REFUSED, {"room": room, **why})
        counts = (sent.answers_lost, len(sent.paused), waiting)
        for event, count in zip((Watched.ANSWER_LOST, Watched.PAUSED, Watched.WAITING), counts, strict=True):
            if count:
                self._note(event, {"room": room, "count": count})


@dataclass(slots=True)
class _Progress:
    """The memory of one delivery while it plans and sends, perhaps several times."""

    owner: str
    deadline: float
    hurried: bool
    #: Ids of refused entries.
    refused: set[str] = field(default_factory=set)
    #: Ids of entries for which a wake-up is queued. If the queue did not take it, the watchdog looks at them.
    scheduled: set[str] = field(default_factory=set)
    #: The time (seconds since 1970) until which an entry must wait, by the entry's id.
    postponed: dict[str, float] = field(default_factory=dict)
    #: When each chat's pause ends, and the chats that have moved.
    paused: dict[int, float] = field(default_factory=dict)
    migrated: set[int] = field(default_factory=set)
    out_of_time: bool = False

    def learn(self, sent: SendResult, waits: Mapping[str, float]) -> None:
        """Remember which entries and chats must not be tried again, and until when the others wait."""
        self.refused |= {refusal.id for refusal in sent.refusals}
        self.paused |= sent.paused
        self.postponed |= waits
        self.migrated |= set(sent.migrated)
        self.out_of_time = self.out_of_time or sent.out_of_time

    def allowed(self, outbox: Mapping[str, OutboxEntry]) -> dict[str, OutboxEntry]:
        """Return the entries that were not refused and whose chats may be written to.

        Postponed entries are among them, so that later entries of their chats stay behind them.
        """
        closed = self.migrated | self.paused.keys()
        open_ones = {each: entry for each, entry in outbox.items() if entry.chat not in closed}
        return {each: entry for each, entry in open_ones.items() if each not in self.refused}

    def sendable(self, outbox: Mapping[str, OutboxEntry]) -> dict[str, OutboxEntry]:
        """Return the allowed entries. Leave out a chat if all its allowed entries are postponed."""
        allowed = self.allowed(outbox)
        fresh = {entry.chat for identifier, entry in allowed.items() if identifier not in self.postponed}
        return {identifier: entry for identifier, entry in allowed.items() if entry.chat in fresh}

    def next_try(self, outbox: Mapping[str, OutboxEntry], remaining: set[str], now: float) -> float | None:
        """Return the earliest time to try a remaining entry again; None if the caller must act first."""
        times = [
            max(self.paused.get(outbox[identifier].chat, now), self.postponed.get(identifier, now))
            for identifier in remaining
            if identifier not in self.refused and outbox[identifier].chat not in self.migrated
        ]
        return min(times, default=None)
