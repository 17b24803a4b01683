"""Flood control: count posts and edits, and refuse too many of them.

The general limits are enforced only if ``limits`` is set. Slow mode, closed chats and a flood wait of the
whole bot are always enforced. All of them answer with the same 429.
"""

import math
from collections import Counter, deque
from dataclasses import dataclass, field

from .calls import too_many

#: Posts and edits that Telegram accepts in a group within a minute. All topics of a forum share this limit.
GROUP_MINUTE = 20


@dataclass(slots=True, frozen=True)
class FloodLimits:
    """How many posts and edits Telegram accepts; None: any number."""

    per_group_minute: int | None = GROUP_MINUTE
    per_chat_second: int | None = 1
    overall_second: int | None = 30


@dataclass(slots=True)
class Flood:
    """Counts posts and edits per chat and overall. With ``limits``, too many are refused with 429."""

    limits: FloodLimits | None = None
    #: By closed chat, the time in seconds when it accepts messages again.
    closed: dict[int, float] = field(default_factory=dict)
    #: Until this time, Telegram refuses all posts and edits of the bot.
    flood_until: float = 0.0
    #: The times of the last minute by chat; 0: in all chats.
    _times: dict[int, deque[float]] = field(default_factory=dict)
    _worst: Counter[int] = field(default_factory=Counter)

    def check(self, chat_id: int, now: float, slow_mode: int = 0) -> None:
        """Raise ``Refusal`` 429 if another post or edit at ``now`` (seconds) would be too many.

        ``slow_mode``: seconds that the bot must leave between two messages in this chat.
        """
        times = self._times.get(chat_id)
        latest = times[-1] if times else -math.inf
        for until in (self.flood_until, self.closed.get(chat_id, 0.0), latest + slow_mode):
            if until > now:
                raise too_many(max(1, math.ceil(until - now)))
        if self.limits is not None:
            if chat_id < 0:
                self._bound(chat_id, self.limits.per_group_minute, now, 60)
            self._bound(chat_id, self.limits.per_chat_second, now, 1)
            self._bound(0, self.limits.overall_second, now, 1)

    def count(self, chat_id: int, now: float) -> None:
        """Count one post or edit that was done at ``now`` (seconds)."""
        for key in (chat_id, 0):
            times = self._times.setdefault(key, deque())
            times.append(now)
            while times[0] <= now - 60:
                times.popleft()
            self._worst[key] = max(self._worst[key], len(times))

    def worst_minute(self, chat_id: int) -> int:
        """Return the maximum of posts and edits within 60 seconds in this chat."""
        return self._worst[chat_id]

    def _bound(self, key: int, bound: int | None, now: float, window: float) -> None:
        recent = [time for time in self._times.get(key, ()) if time > now - window]
        if bound is not None and len(recent) >= bound:
            raise too_many(max(1, math.ceil(recent[-bound] + window - now)))
