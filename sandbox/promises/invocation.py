"""One run of an entry, for the checks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Invocation:
    """One run of an entry, and the faults that it met."""

    number: int
    kind: str
    began: float
    update: dict[str, Any] | None = None
    faults: list[tuple[float, object]] = field(default_factory=list)
    died: bool = False
    over: bool = False
    #: When it last wrote a room. It still knows the outbox of that time.
    wrote: float = 0.0
    #: Items whose latest request to the store got no answer.
    unheard: set[Any] = field(default_factory=set)

    def __str__(self) -> str:
        return f"#{self.number} {self.kind}"

    def trouble_since(self, moment: float) -> bool:
        """Return True if the process died, or if a request met a fault at ``moment`` or later."""
        return self.died or any(at >= moment for at, _ in self.faults)
