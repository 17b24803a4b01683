"""What of a room's outbox may go out now: the room's turns, with slots of the bot's pace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from infra.outbox.flush import superseded
from infra.outbox.turns import AHEAD, Turn, joined, keeps_its_place, split, turns_of, wanted
from infra.store.entries import OutboxEntry
from infra.store.pace import Pace
from infra.store.table import StoreUnavailable

#: Seconds after which to look again, where a slot went missing.
_SOON = 1.0


@dataclass(slots=True)
class Allowance:
    """What may go, and what waits."""

    #: What may go, and not before when (seconds since 1970), by id.
    moments: dict[str, float] = field(default_factory=dict)
    #: Until when the others wait for the bot's pace, by id.
    waits: dict[str, float] = field(default_factory=dict)
    #: What is settled without being sent.
    dropped: list[str] = field(default_factory=list)
    #: The slots that the room keeps.
    turns: list[Turn] = field(default_factory=list)


class Allowing:
    """Gives rooms their turns."""

    def __init__(self, pace: Pace, clock: Callable[[], float]) -> None:
        self._pace = pace
        self._clock = clock
        #: How far the bot's clock is behind, as far as this process knows; at first it does not.
        self._shift = 0.0
        self._looked = False

    def allow(self, outbox: Mapping[str, OutboxEntry], messages: Mapping[str, Any]) -> Allowance:
        """What of a room's outbox may go out, with one request where anything could.

        Where the store says nothing of the pace, everything may: Telegram has its own say then.
        """
        needless = superseded(outbox)
        left = {identifier: entry for identifier, entry in outbox.items() if identifier not in needless}
        now, turns = self._clock(), turns_of(messages)
        want = wanted(left, messages, now)
        ids = [*want.ids, *want.tidying] if self._pace.waits() <= AHEAD else want.ids
        try:
            turns = self._with_slots(turns, len(ids), now)
            come, later = split(turns, now - self._shift, self._pace.interval)
        except StoreUnavailable:
            come, later = [now - self._shift] * len(ids), []
        out = Allowance(dict.fromkeys(want.free, 0.0), dropped=list(needless))
        # Of what goes the group comes first, or its time would tell how much was whispered.
        going = sorted(ids[: len(come)], key=lambda identifier: (left[identifier].chat > 0, identifier))
        slots = zip(going, sorted(come), strict=False)
        out.moments |= {identifier: slot + self._shift for identifier, slot in slots}
        moments = [first + self._shift for first, count in later for _ in range(count)]
        waiting = [identifier for identifier in want.ids if identifier not in out.moments]
        for place, identifier in enumerate(waiting):
            out.waits[identifier] = moments[place] if place < len(moments) else now + _SOON
        out.dropped += [identifier for identifier in want.tidying if identifier not in out.moments]
        # What the minute of its group keeps back, or its chat's pause, is tried as it always was.
        others = left.keys() - out.moments.keys() - out.waits.keys() - set(out.dropped)
        out.moments |= dict.fromkeys(others, 0.0)
        _in_order(left, out)
        _without_overtaken(left, out)
        out.turns = joined(later) if waiting else []
        return out

    def flooded(self, seconds: float, count: int) -> list[Turn]:
        """Telegram takes nothing from the bot for a while; the slots that so many messages keep."""
        turn = (self._clock() - self._shift, count)
        self._pace.pause(seconds)
        return [turn] if count else []

    def _with_slots(self, turns: list[Turn], count: int, now: float) -> list[Turn]:
        """The room's turns, with as many slots as there are messages."""
        fresh = bool(turns) and not self._looked
        if fresh:
            # By a clock that runs ahead of the bot's they would all be void.
            self._shift = self._pace.look()
            self._looked = True
        come, later = split(turns, now - self._shift, self._pace.interval)
        missing = count - len(come) - sum(count for _, count in later)
        if missing > 0:
            slots = self._pace.take(missing)
            self._shift = slots.shift
            self._looked = True
            return [*turns, (slots.first, missing)]
        if come and not fresh:
            self._shift = self._pace.look()
        return turns


def _in_order(outbox: Mapping[str, OutboxEntry], out: Allowance) -> None:
    """Nothing goes before an earlier post of its chat that waits, or what counts as one."""
    behind: dict[int, float] = {}
    for identifier, entry in sorted(outbox.items()):
        if identifier in out.waits and keeps_its_place(entry):
            behind.setdefault(entry.chat, out.waits[identifier])
        elif entry.chat in behind and out.moments.pop(identifier, None) is not None:
            out.waits[identifier] = behind[entry.chat]


def _without_overtaken(outbox: Mapping[str, OutboxEntry], out: Allowance) -> None:
    """An edit that waits while a later post takes its message's name is settled: it would change that one."""
    taken: dict[tuple[int, str | None], str] = {}
    for identifier in sorted(out.moments):
        entry = outbox[identifier]
        taken[entry.chat, entry.name] = identifier
    for identifier in list(out.waits):
        entry = outbox[identifier]
        if entry.target is not None and taken.get((entry.chat, entry.target), "") > identifier:
            del out.waits[identifier]
            out.dropped.append(identifier)
