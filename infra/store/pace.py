"""The bot's pace: one item that says when the next message of all rooms together may go out.

Telegram takes about 30 messages a second from one bot, whatever its chats, and locks out for long who keeps
knocking. So whoever sends takes send slots first, a moment each, one behind the other (the generic cell rate
algorithm), by one conditional update. Why so: ``docs/decisions/0020-the-bots-pace.md``.

Send slots are times on the bot's own clock, which stands still while Telegram makes the whole bot wait: what
was handed out before keeps its place, and comes later by the length of the pause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from infra.store.items import Attributes
from infra.store.table import ConditionFailed, DynamoTable, StoreUnavailable
from infra.store.writing import Expression

#: Messages and edits that go out a second: Telegram's 30, less what is sent beside the outbox.
PER_SECOND = 27.0
#: So many may go out at once after a rest: what the largest room sends in one go, whose times would otherwise
#: tell how much of it was secret.
BURST = 18

_KEY: Attributes = {"pk": {"S": "limiter"}, "sk": {"S": "limiter"}}
_TRIES = 6
#: Milliseconds ahead to which another process's clock is believed. What a clock that was further ahead left
#: is forgotten: the next free moment only ever moves on, and the bot would be mute for as long.
_SKEW = 60_000


@dataclass(frozen=True, slots=True)
class LimiterState:
    """What the item holds, in milliseconds."""

    #: The next free slot, on the bot's clock.
    free: int = 0
    #: How far the bot's clock is behind, for all pauses so far.
    shift: int = 0
    #: When the last pause ends, since 1970.
    until: int = 0
    #: When it was last written, since 1970.
    at: int = 0


@dataclass(frozen=True, slots=True)
class SendSlots:
    """Send slots for some messages, one behind the other."""

    #: The first one, in seconds on the bot's clock.
    first: float
    #: What has to be added for seconds since 1970.
    shift: float


class Pace:
    """The limiter of one table.

    A method is one request, and one more where somebody changed the item's state since this process saw it
    last (after a rest, or a pause).
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
        self._burst = round(burst * 1000 / per_second)
        self._known = LimiterState()
        #: Seconds from one slot to the next.
        self.interval = 1 / per_second

    def take(self, count: int) -> SendSlots:
        """So many slots, the next that are free. Raises StoreUnavailable."""
        length = round(count * self.interval * 1000)
        for _ in range(_TRIES):
            self._forget_what_is_ahead()
            shift = self._known.shift
            out = self._as_known()
            self._at_least(out, self._now() - shift - self._burst, length)
            if self._written(out):
                return SendSlots((self._known.free - length) / 1000, shift / 1000)
        raise StoreUnavailable("the limiter is too busy")

    def look(self) -> float:
        """How far the bot's clock is behind, in seconds, after one read. Raises StoreUnavailable."""
        answer = self._table.call("get_item", Key=_KEY, ConsistentRead=True)
        self._known = _state(answer.get("Item"))
        return self._known.shift / 1000

    def backlog(self) -> float:
        """How many seconds somebody would wait who takes a slot now. Raises StoreUnavailable."""
        self.look()
        return self.waits()

    def waits(self) -> float:
        """The same as this process saw it last, without a request."""
        if self._is_ahead():
            return 0.0
        return max(0.0, (self._known.free + self._known.shift - self._now()) / 1000)

    def pause(self, seconds: float) -> None:
        """Telegram makes the whole bot wait: nobody's slot comes before that. Raises StoreUnavailable.

        Where several say so at once, the longest counts.
        """
        until = self._now() + round(seconds * 1000)
        for _ in range(_TRIES):
            self._forget_what_is_ahead()
            known = self._known
            begins = max(known.until, self._now())
            if until <= begins:
                return
            out = self._as_known()
            # Nothing that is free lies before the pause: a slot taken from now on is one behind it.
            self._at_least(out, begins - known.shift)
            out.set("shift", _number(known.shift + until - begins))
            out.set("until", _number(until))
            if self._written(out):
                return
        raise StoreUnavailable("the limiter is too busy")

    def paused_until(self) -> float:
        """When the last pause ends or ended, in seconds since 1970; one read. Raises StoreUnavailable."""
        self.look()
        return 0.0 if self._is_ahead() else self._known.until / 1000

    def reset(self) -> None:
        """Forget the next free moment and the last pause. Raises StoreUnavailable."""
        self.look()
        now, out = self._now(), Expression()
        out.set("free", _number(now - self._known.shift - self._burst))
        out.set("until", _number(now))
        out.set("at", _number(now))
        self._written(out)

    def _is_ahead(self) -> bool:
        return self._known.at > self._now() + _SKEW

    def _forget_what_is_ahead(self) -> None:
        if self._is_ahead():
            self.reset()

    def _as_known(self) -> Expression:
        """An update that holds only while no pause came that this process has not seen."""
        out = Expression()
        out.set("at", _number(self._now()))
        shift = out.path("shift")
        same = f"{shift} = {out.value(_number(self._known.shift))}"
        out.condition(same if self._known.shift else f"attribute_not_exists({shift}) OR {same}")
        return out

    def _at_least(self, out: Expression, earliest: int, more: int = 0) -> None:
        """Have the next free slot be no earlier than that, and then so much later."""
        free, bound = out.path("free"), out.value(_number(earliest))
        if self._known.free < earliest:
            out.condition(f"attribute_not_exists({free}) OR {free} < {bound}")
            out.set("free", _number(earliest + more))
        else:
            out.condition(f"{free} >= {bound}")
            if more:
                out.add("free", more)

    def _written(self, update: Expression) -> bool:
        """Whether it held; either way it is known then what the item holds."""
        try:
            answer = self._table.call(
                "update_item",
                Key=_KEY,
                **update.arguments(),
                ReturnValues="ALL_NEW",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except ConditionFailed as failure:
            self._known = _state(failure.item)
            return False
        self._known = _state(answer["Attributes"])
        return True

    def _now(self) -> int:
        return round(self._clock() * 1000)


def _state(item: Mapping[str, Any] | None) -> LimiterState:
    found = item or {}
    held = {name: int(found[name]["N"]) for name in ("free", "shift", "until", "at") if name in found}
    return LimiterState(**held)


def _number(value: int) -> dict[str, str]:
    return {"N": str(value)}
