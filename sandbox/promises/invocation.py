"""One run of an entry, as it is judged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Invocation:
    """One run of an entry, and what went wrong in it: for judging what it did."""

    number: int
    kind: str
    began: float
    update: dict[str, Any] | None = None
    faults: list[tuple[float, object]] = field(default_factory=list)
    died: bool = False
    over: bool = False
    #: When it last wrote a room: it still has the outbox of that time.
    wrote: float = 0.0
    #: Items for which its latest requests to the store were all in vain.
    unheard: set[Any] = field(default_factory=set)

    def __str__(self) -> str:
        return f"#{self.number} {self.kind}"

    def trouble_since(self, moment: float) -> bool:
        """Return whether the process died or a request of it met a fault at this time or later."""
        return self.died or any(at >= moment for at, _ in self.faults)
