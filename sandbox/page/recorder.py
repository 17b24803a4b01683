"""Record updates and wake-ups with their requests to the store and to Telegram."""

import itertools
import json
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from bot.display.board_picture import render
from local.dynamodb import Client, LocalTable
from sandbox.harness import Harness
from sandbox.telegram import Call, Response

Json = dict[str, Any]

#: The maximum number of turns to keep.
KEPT = 300


@dataclass(slots=True, eq=False)
class Turn:
    """One run of an entry and its requests. Times are in milliseconds."""

    number: int
    kind: str
    content: Json
    took: float = 0.0
    status: int = 200
    #: Requests to the store: operation, start, duration.
    store: list[tuple[str, float, float]] = field(default_factory=list)
    #: Calls to Telegram, each with its start and duration.
    calls: dict[Call, tuple[float, float]] = field(default_factory=dict)

    def json(self, names: dict[int, str]) -> Json:
        """Describe the turn in short. ``names``: names of chats by id."""
        return {
            "number": self.number,
            "what": self._what(names),
            "ms": round(self.took, 1),
            "status": self.status,
            "store": [[name, round(at, 1), round(took, 1)] for name, at, took in self.store],
            "calls": [
                {
                    "method": call.method,
                    "chat": names.get(call.chat or 0, ""),
                    "at": round(at, 1),
                    "ms": round(took, 1),
                    "ok": call.ok,
                }
                for call, (at, took) in self.calls.items()
            ],
        }

    def in_full(self) -> Json:
        """Describe the event, and all calls to Telegram with their answers."""
        calls = [
            {
                "method": call.method,
                "params": call.params,
                "files": {name: f"{len(data)} bytes" for name, data in call.files.items()},
                "answer": call.answer,
            }
            for call in self.calls
        ]
        return {"content": self.content, "calls": calls}

    def _what(self, names: dict[int, str]) -> str:
        content = self.content
        if query := content.get("callback_query"):
            buttons = query["message"].get("reply_markup", {}).get("inline_keyboard", [])
            label = next(
                (b["text"] for row in buttons for b in row if b.get("callback_data") == query["data"]), "…"
            )
            return f"{query['from']['first_name']} taps {label}"
        if said := content.get("message"):
            return f"{said.get('from', {}).get('first_name', '')}: {said.get('text') or 'a service message'}"
        if member := content.get("my_chat_member"):
            return f"{names.get(member['chat']['id'], '')}: {member['new_chat_member']['status']}"
        if records := content.get("Records"):
            return ", ".join(json.loads(record["body"]).get("reason", "") for record in records)
        return "the watchdog's round" if self.kind == "watchdog" else ", ".join(content)


class RecordedHarness(Harness):
    """A harness that keeps its latest turns, and really draws its boards."""

    def __init__(self, clock: Callable[[], float], *, validated: bool = False) -> None:
        self.table = LocalTable()
        self.turns: deque[Turn] = deque(maxlen=KEPT)
        self._numbers = itertools.count(1)
        self._started = 0.0
        #: True while an entry runs. Reads of the page itself belong to no turn.
        self._inside = False
        super().__init__(Client(self._run), clock, validated=validated, draw=render)
        self.telegram.before_call.append(self._begin_call)
        self.telegram.after_call.append(self._end_call)

    def post(self, update: dict[str, Any], headers: dict[str, str]) -> Response:
        """Pass one update to the webhook's entry, and record it as a turn."""
        with self._record("update", update) as turn:
            response = super().post(update, headers)
            turn.status = response.status
        return response

    def wake(self, event: dict[str, Any]) -> None:
        """Pass an event to the wake-up entry, and record it as a turn, unless the watchdog did nothing."""
        with self._record("wake-up" if "Records" in event else "watchdog", event) as turn:
            super().wake(event)
        if turn.kind == "watchdog" and not turn.calls and len(turn.store) < 2:
            self.turns.remove(turn)

    @contextmanager
    def _record(self, kind: str, content: dict[str, Any]) -> Iterator[Turn]:
        turn = Turn(next(self._numbers), kind, content)
        self.turns.append(turn)
        self._started = time.perf_counter()
        self._inside = True
        try:
            yield turn
        finally:
            turn.took = self._now()
            self._inside = False

    def _run(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        asked = self._now()
        try:
            return self.table.run(operation, arguments)
        finally:
            if self._inside:
                named = operation.title().replace("_", "")
                self.turns[-1].store.append((named, asked, self._now() - asked))

    def _begin_call(self, call: Call) -> None:
        # A call in a webhook's reply belongs to the last turn.
        if self.turns:
            self.turns[-1].calls[call] = self._now(), 0.0

    def _end_call(self, call: Call, answer: dict[str, Any]) -> None:
        if self.turns and call in (calls := self.turns[-1].calls):
            at, _ = calls[call]
            calls[call] = at, self._now() - at

    def _now(self) -> float:
        return 1000 * (time.perf_counter() - self._started)
