"""A gateway without a network that records its calls, with faults on request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from infra.outbox.plan import Drop, Send, Slots, Step, Wait, sort_entries
from infra.outbox.plan import count_wanted as count_sorted
from infra.outbox.plan import plan as plan_sorted
from infra.outbox.send import SendResult, send
from infra.store.items import OutboxEntry, Patch, Remembered, read_remembered, values_by_stored_name
from infra.store.table import pack_value
from infra.telegram.gateway import Gateway


class Killed(BaseException):
    """The process dies."""


class FakeGateway(Gateway):
    """Answer every call with a new message.

    Attributes:
        calls: (chat, method, parameters) of every call, in the order of their beginning.
        uploads: files of every call that had some.
        faults: what the next calls to a chat meet, by chat; None stands for a good one.
        after: called with (chat, method) when a call was done; may raise, or do something meanwhile.
    """

    def __init__(self) -> None:
        super().__init__(lambda fresh: "1:x")
        self.calls: list[tuple[int, str, dict[str, Any]]] = []
        self.uploads: list[dict[str, bytes]] = []
        self.faults: dict[int, list[BaseException | None]] = {}
        self.after: Callable[[int, str], None] = lambda chat, method: None
        self.pauses = 0
        """How often other tasks run before a call is done."""
        self._ids = 100

    async def call(
        self,
        method: str,
        params: Mapping[str, Any],
        files: Mapping[str, bytes] | None = None,
        *,
        wait: float | None = None,
    ) -> Any:
        chat = params.get("chat_id", 0)
        self.calls.append((chat, method, dict(params)))
        for _ in range(self.pauses):
            await asyncio.sleep(0)
        waiting = self.faults.get(chat, [])
        fault = waiting.pop(0) if waiting else None
        if fault is not None:
            raise fault
        if files:
            self.uploads.append(dict(files))
        self._ids += 1
        self.after(chat, method)
        if method in ("deleteMessage", "answerCallbackQuery", "pinChatMessage"):
            return True
        result: dict[str, Any] = {"message_id": params.get("message_id", self._ids), "chat": {"id": chat}}
        if files:
            result["photo"] = [{"file_id": "small"}, {"file_id": f"file-{self._ids}"}]
        return result

    def texts(self, chat: int) -> list[str]:
        return [str(params.get("text")) for to, _, params in self.calls if to == chat]


def memory_after(before: Remembered, patch: Patch) -> Remembered:
    """Return what a room remembers after a patch was stored and read."""
    values = {**values_by_stored_name(before.as_patch()), **values_by_stored_name(patch)}
    return read_remembered({name: pack_value(value) for name, value in values.items() if value is not None})


def plan(
    entries: Mapping[str, OutboxEntry], remembered: Remembered, slots: Slots | None, now: float
) -> list[Step]:
    """Sort entries and plan their sending; return the steps."""
    return plan_sorted(sort_entries(entries, remembered, now), remembered, slots, now)


def count_wanted(
    entries: Mapping[str, OutboxEntry], remembered: Remembered, now: float
) -> tuple[int, int, int]:
    """Sort entries and count the slots that they need."""
    return count_sorted(sort_entries(entries, remembered, now))


def send_once(
    entries: Mapping[str, OutboxEntry],
    remembered: Remembered,
    gateway: Gateway,
    clock: Callable[[], float],
    **more: Any,
) -> tuple[SendResult, dict[str, float]]:
    """Plan without a pace, and send; return the result."""
    steps = plan(entries, remembered, None, clock())
    sends = [step for step in steps if isinstance(step, Send)]
    sent = asyncio.run(send(sends, remembered, gateway, clock=clock, **more))
    sent.done += [step.id for step in steps if isinstance(step, Drop)]
    return sent, {step.id: step.until for step in steps if isinstance(step, Wait)}
