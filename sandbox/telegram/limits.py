"""Flood control: count posts and edits, and refuse too many of them.

The general limits are enforced only if ``limits`` is set. Slow mode, closed chats and a flood wait of the
whole bot are always enforced. All of them answer with the same 429.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field

from .errors import too_many

#: Posts and edits that Telegram accepts in a group within a minute. All topics of a forum share this limit.
GROUP_MINUTE = 20


@dataclass(slots=True, frozen=True)
class FloodLimits:
    """How many posts and edits Telegram accepts; None: any number."""

    per_group_minute: int | None = GROUP_MINUTE
    per_chat_second: int | None = 1
    overall_second: int | None = 30


@dataclass(slots=True)
class _Tally:
    times: deque[float] = field(default_factory=deque)
    worst_minute: int = 0

    def within(self, now: float, seconds: float) -> list[float]:
        return [time for time in self.times if time > now - seconds]

    def add(self, now: float) -> None:
        self.times.append(now)
        while self.times[0] <= now - 60:
            self.times.popleft()
        self.worst_minute = max(self.worst_minute, len(self.times))


@dataclass(slots=True)
class Flood:
    """Counts posts and edits per chat and overall. With ``limits``, too many are refused with 429."""

    limits: FloodLimits | None = None
    #: By closed chat, the time in seconds when it accepts messages again.
    closed: dict[int, float] = field(default_factory=dict)
    #: Until this time, Telegram refuses all posts and edits of the bot.
    flood_until: float = 0.0
    _chats: dict[int, _Tally] = field(default_factory=dict)
    _overall: deque[float] = field(default_factory=deque)

    def check(self, chat_id: int, now: float, slow_mode: int = 0) -> None:
        """Raise ``Refusal`` 429 if another post or edit at ``now`` (seconds) would be too many.

        ``slow_mode``: seconds that the bot must leave between two messages in this chat.
        """
        tally = self._chats.get(chat_id, _Tally())
        latest = tally.times[-1] if tally.times else -math.inf
        for until in (self.flood_until, self.closed.get(chat_id, 0.0), latest + slow_mode):
            if until > now:
                raise too_many(max(1, math.ceil(until - now)))
        if self.limits is not None:
            self._refuse(self.limits, chat_id, tally, now)

    def count(self, chat_id: int, now: float) -> None:
        """Count one post or edit that was done at ``now`` (seconds)."""
        tally = self._chats.get(chat_id)
        if tally is None:
            tally = self._chats[chat_id] = _Tally()
        tally.add(now)
        self._overall.append(now)
        while self._overall[0] <= now - 1:
            self._overall.popleft()

    def _refuse(self, limits: FloodLimits, chat_id: int, tally: _Tally, now: float) -> None:
        if chat_id < 0:
            _bound(tally.within(now, 60), limits.per_group_minute, now, 60)
        _bound(tally.within(now, 1), limits.per_chat_second, now, 1)
        _bound([time for time in self._overall if time > now - 1], limits.overall_second, now, 1)

    def worst_minute(self, chat_id: int) -> int:
        """Return the maximum of posts and edits within 60 seconds in this chat."""
        return self._chats[chat_id].worst_minute if chat_id in self._chats else 0


def _bound(times: list[float], bound: int | None, now: float, window: float) -> None:
    if bound is not None and len(times) >= bound:
        raise too_many(max(1, math.ceil(times[-bound] + window - now)))
