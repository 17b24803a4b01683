"""Record the bot's calls with their times and answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

POSTS = frozenset({"sendMessage", "sendPhoto", "forwardMessage"})
EDITS = frozenset({"editMessageText", "editMessageCaption", "editMessageMedia", "editMessageReplyMarkup"})
#: The calls that count against Telegram's limits.
COUNTED = POSTS | EDITS


@dataclass(slots=True, eq=False)
class Call:
    """One method call. ``params`` are JSON values; ``files`` are uploads by part name."""

    time: float
    method: str
    chat: int | None
    params: Json
    files: dict[str, bytes]
    #: ``http``, or ``webhook`` if the call was in the reply to an update.
    via: str = "http"
    #: Telegram's answer; None if the call did not reach it.
    answer: Json | None = None
    #: The answer that the bot got; None if it was lost, or if the call was in a webhook's reply.
    seen: Json | None = None

    @property
    def ok(self) -> bool:
        """Return True if Telegram did it. The bot may not know."""
        return self.answer is not None and bool(self.answer["ok"])

    @property
    def result(self) -> Any:
        """Return the result of a call that was done, else None."""
        return self.answer["result"] if self.answer is not None and self.answer["ok"] else None


@dataclass(slots=True, frozen=True)
class Counts:
    """Numbers of successful calls by kind (``uploads`` are also posts), and of refused calls."""

    posts: int = 0
    edits: int = 0
    uploads: int = 0
    toasts: int = 0
    refused: int = 0


@dataclass(slots=True)
class Journal:
    """All calls in order."""

    calls: list[Call] = field(default_factory=list)

    def __iter__(self) -> Iterator[Call]:
        return iter(self.calls)

    def __len__(self) -> int:
        return len(self.calls)

    def of(self, *methods: str, chat: int | None = None) -> list[Call]:
        """Return the calls of these methods (none given: all methods), of one chat or of all."""
        return [
            call
            for call in self.calls
            if (not methods or call.method in methods) and (chat is None or call.chat == chat)
        ]

    def counts(self, chat: int | None = None) -> Counts:
        """Count the calls of one chat or of all. A toast belongs to no chat."""
        calls = self.calls if chat is None else self.of(chat=chat)
        done = [call for call in calls if call.ok]
        return Counts(
            posts=sum(call.method in POSTS for call in done),
            edits=sum(call.method in EDITS for call in done),
            uploads=sum(call.method == "sendPhoto" and bool(call.files) for call in done),
            toasts=sum(call.method == "answerCallbackQuery" for call in done),
            refused=len(calls) - len(done),
        )
