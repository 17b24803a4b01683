"""What several flushes of one delivery have to remember."""

from __future__ import annotations

from collections.abc import Mapping

from infra.outbox.flush import Flushed
from infra.store.entries import OutboxEntry


class Progress:
    """Who was refused, paused or postponed so far, and until when."""

    def __init__(self, owner: str, deadline: float, attempt: int) -> None:
        self.owner = owner
        self.deadline = deadline
        self.attempt = attempt
        self.refused: set[str] = set()
        self.scheduled: set[str] = set()
        self.postponed: dict[str, float] = {}
        self.out_of_time = False
        self._paused: dict[int, float] = {}
        self._migrated: set[int] = set()

    def learn(self, flushed: Flushed) -> None:
        """Remember who must not be called again."""
        self.refused |= {refusal.id for refusal in flushed.refusals}
        self._paused |= flushed.paused
        self.postponed |= flushed.postponed
        self._migrated |= set(flushed.migrated)
        self.out_of_time = self.out_of_time or flushed.out_of_time

    def allowed(self, outbox: Mapping[str, OutboxEntry]) -> dict[str, OutboxEntry]:
        """Entries that were not refused and whose chats are not to be left alone.

        Those that were postponed come along again with what was added behind them: it must not overtake.
        """
        return {
            identifier: entry
            for identifier, entry in outbox.items()
            if identifier not in self.refused
            and entry.chat not in self._paused
            and entry.chat not in self._migrated
        }

    def sendable(self, outbox: Mapping[str, OutboxEntry]) -> dict[str, OutboxEntry]:
        """Those of them in whose chats something was added that was not tried yet."""
        allowed = self.allowed(outbox)
        fresh = {entry.chat for identifier, entry in allowed.items() if identifier not in self.postponed}
        return {identifier: entry for identifier, entry in allowed.items() if entry.chat in fresh}

    def next_try(self, outbox: Mapping[str, OutboxEntry], stays: set[str], now: float) -> float | None:
        """When the earliest of the entries that stay may be tried again; None if that is not up to us."""
        times = [
            max(self._paused.get(outbox[identifier].chat, now), self.postponed.get(identifier, now))
            for identifier in stays
            if identifier not in self.refused and outbox[identifier].chat not in self._migrated
        ]
        return min(times, default=None)
