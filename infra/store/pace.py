"""The bot's pace: one item says when the next message may go out, for all rooms together.

Telegram takes about 30 messages a second from one bot, over all chats, and locks out a bot that sends more.
So a sender first takes send slots. They follow one another in time (the generic cell rate algorithm), and one
conditional update takes all of them. ``docs/decisions/0020-the-bots-pace.md`` says why.

Slots are times on a virtual clock, the bot's clock. It is behind real time by the sum of all pauses of the
whole bot (``shift``). So a pause also delays all slots that are already taken. The item also holds what
``infra.outbox.plan`` needs to decide whether a 429 is the limit of a chat or of the bot.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from infra.store.table import (
    RETURN_ITEM,
    Attributes,
    ConditionFailed,
    DynamoTable,
    Expression,
    StoreUnavailable,
    pack_value,
)

#: Messages and edits a second: Telegram's 30, minus what is sent without the outbox.
PER_SECOND = 27.0
#: The number of messages that may go out at once after a quiet time. A room seldom needs more, so its
#: private messages and its group's go out together. If the private ones went out first, one by one, the time
#: of the group's message would show how many there were.
BURST = 18

_KEY: Attributes = {"pk": {"S": "limiter"}, "sk": {"S": "limiter"}}
_TRIES = 6
#: The most milliseconds that another process's clock may be ahead. If the state was written by a clock
#: further ahead, this process ignores the state's backlog and pause, and resets the state before it writes.
#: Otherwise the bot would send nothing until ``next_slot_at``, which only a reset moves back.
_SKEW = 60_000
_NUMBERS = ("version", "next_slot_at", "shift", "pause_ends_at", "pause_length", "retry_at", "written_at")


class LimiterState(NamedTuple):
    """The state in the item. All times are in milliseconds."""

    #: Grows with every change except taking slots.
    version: int = 0
    #: When the next free slot is, on the bot's clock.
    next_slot_at: int = 0
    #: How far the bot's clock is behind real time: the sum of all pauses so far.
    shift: int = 0
    #: When the last pause ends, since 1970.
    pause_ends_at: int = 0
    #: When it was last written, since 1970.
    written_at: int = 0
    #: The length of the longest pause since Telegram last accepted a probe (see
    #: ``infra.outbox.plan.may_probe``); 0 if none.
    pause_length: int = 0
    #: When Telegram lets the whole bot try again (its ``retry_after``), since 1970.
    retry_at: int = 0
    #: (chat, time of its 429, time until which it must wait), since 1970.
    evidence: tuple[tuple[int, int, int], ...] = ()


def with_pause(state: LimiterState, until: float, now: float) -> LimiterState:
    """Return the state with a pause until ``until`` (seconds since 1970). A pause that ends later stays."""
    end, begins = round(until * 1000), max(state.pause_ends_at, round(now * 1000))
    if end <= begins:
        return state
    # A slot taken from now on comes after the pause.
    next_slot_at = max(state.next_slot_at, begins - state.shift)
    shift = state.shift + end - begins
    return state._replace(next_slot_at=next_slot_at, shift=shift, pause_ends_at=end)


class TakenSlots(NamedTuple):
    """Consecutive send slots for some messages."""

    #: The first one, in seconds on the bot's clock.
    first: float
    #: Seconds to add to get seconds since 1970.
    shift: float


class Pace:
    """The limiter of one table.

    ``take`` and ``change`` make one request. They repeat it, up to ``_TRIES`` times in all, if the item has
    changed in a way that this process has not seen (by a pause, for example). If a process whose clock is far
    ahead wrote the state, they reset it first. ``reset`` reads and writes. ``known_backlog`` makes no
    request.
    """

    def __init__(
        self,
        table: DynamoTable,
        clock: Callable[[], float],
        per_second: float = PER_SECOND,
        burst: int = BURST,
    ) -> None:
        self._table = table
        self._clock = clock
        self._burst_ms = round(burst * 1000 / per_second)
        #: The state that this process saw last.
        self.known = LimiterState()
        #: Seconds from one slot to the next.
        self.interval = 1 / per_second

    def take(self, count: int) -> TakenSlots:
        """Take the next free slots. Raises StoreUnavailable."""
        length = round(count * self.interval * 1000)
        for _ in range(_TRIES):
            if self._is_ahead():
                self.reset()
            shift = self.known.shift
            out = self._start_update()
            self._advance_next_slot(out, self._now() - shift - self._burst_ms, length)
            if self._write(out):
                return TakenSlots((self.known.next_slot_at - length) / 1000, shift / 1000)
        raise StoreUnavailable("the limiter is too busy")

    def read_shift(self) -> float:
        """Read how many seconds the bot's clock is behind real time. Raises StoreUnavailable."""
        answer = self._table.call("get_item", Key=_KEY, ConsistentRead=True)
        self.known = _state_from_item(answer.get("Item"))
        return self.known.shift / 1000

    def backlog(self) -> float:
        """Read how many seconds ahead a slot would be if taken now. Raises StoreUnavailable."""
        self.read_shift()
        return self.known_backlog()

    def known_backlog(self) -> float:
        """Return the backlog in seconds by the state that this process saw last, without a request."""
        if self._is_ahead():
            return 0.0
        return max(0.0, (self.known.next_slot_at + self.known.shift - self._now()) / 1000)

    def change(self, step: Callable[[LimiterState], LimiterState]) -> bool:
        """Replace the state by ``step``'s result. Returns False if that changes nothing.

        Raises StoreUnavailable.
        """
        for _ in range(_TRIES):
            if self._is_ahead():
                self.reset()
            known = self.known
            wanted = step(known)
            if wanted == known:
                return False
            out = self._start_update()
            out.set("version", pack_value(known.version + 1))
            for name in ("shift", "pause_ends_at", "pause_length", "retry_at"):
                if getattr(wanted, name) != getattr(known, name):
                    out.set(name, pack_value(getattr(wanted, name)))
            if wanted.evidence != known.evidence:
                out.set("evidence", {"S": json.dumps(wanted.evidence, separators=(",", ":"))})
            if wanted.next_slot_at != known.next_slot_at:
                self._advance_next_slot(out, wanted.next_slot_at)
            if self._write(out):
                return True
        raise StoreUnavailable("the limiter is too busy")

    def paused_until(self) -> float:
        """Read when the last pause ends (or has ended), in seconds since 1970. Raises StoreUnavailable."""
        self.read_shift()
        return 0.0 if self._is_ahead() else self.known.pause_ends_at / 1000

    def reset(self) -> None:
        """Make slots free now, end the pause, and delete the evidence and the wait that Telegram asked for.

        Raises StoreUnavailable.
        """
        self.read_shift()
        now, out = self._now(), Expression()
        out.set("next_slot_at", pack_value(now - self.known.shift - self._burst_ms))
        out.set("version", pack_value(self.known.version + 1))
        for name in ("pause_ends_at", "written_at"):
            out.set(name, pack_value(now))
        for name in ("pause_length", "retry_at"):
            out.set(name, pack_value(0))
        out.remove("evidence")
        self._write(out)

    def _is_ahead(self) -> bool:
        return self.known.written_at > self._now() + _SKEW

    def _start_update(self) -> Expression:
        """Start an update that fails if the item has changed since it was read (taken slots do not count)."""
        out = Expression()
        out.set("written_at", pack_value(self._now()))
        version = out.path("version")
        same = f"{version} = {out.value(pack_value(self.known.version))}"
        out.condition(same if self.known.version else f"attribute_not_exists({version}) OR {same}")
        return out

    def _advance_next_slot(self, out: Expression, earliest: int, more: int = 0) -> None:
        """Move the next free slot to ``earliest`` if it is before that, then ahead by ``more`` ms."""
        next_slot_at, bound = out.path("next_slot_at"), out.value(pack_value(earliest))
        if self.known.next_slot_at < earliest:
            out.condition(f"attribute_not_exists({next_slot_at}) OR {next_slot_at} < {bound}")
            out.set("next_slot_at", pack_value(earliest + more))
        else:
            out.condition(f"{next_slot_at} >= {bound}")
            if more:
                out.add("next_slot_at", more)

    def _write(self, update: Expression) -> bool:
        """Write the update. Returns whether its condition held. In both cases, ``known`` is current then."""
        try:
            answer = self._table.call("update_item", Key=_KEY, **update.arguments(), **RETURN_ITEM)
        except ConditionFailed as failure:
            self.known = _state_from_item(failure.item)
            return False
        self.known = _state_from_item(answer["Attributes"])
        return True

    def _now(self) -> int:
        return round(self._clock() * 1000)


def _state_from_item(item: Mapping[str, Any] | None) -> LimiterState:
    found = item or {}
    numbers = {field: int(found[field]["N"]) for field in _NUMBERS if field in found}
    evidence: Any = map(tuple, json.loads(found["evidence"]["S"])) if "evidence" in found else ()
    return LimiterState(**numbers, evidence=tuple(evidence))
