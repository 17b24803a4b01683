"""Check all games that benchmarks play in tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from bot.conversation import refused


@pytest.fixture(autouse=True, scope="module")
def nothing_refused() -> Iterator[None]:
    """Check that Telegram refused no message, since then the benchmark would measure other code."""
    found: list[Any] = []
    real = refused.handle_refusals

    def noted(room: Any, refusals: Sequence[Any]) -> Any:
        found.extend((refusal.kind, refusal.detail) for refusal in refusals)
        return real(room, refusals)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refused, "handle_refusals", noted)
        yield
    assert not found
