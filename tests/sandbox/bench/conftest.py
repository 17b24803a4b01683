"""Every game that a bench plays keeps these promises."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from bot.conversation import refused


@pytest.fixture(autouse=True, scope="module")
def nothing_refused() -> Iterator[None]:
    """Check that no bench has a message refused for good, which would be another way through the code."""
    found: list[Any] = []
    real = refused.refused

    def noted(room: Any, refusals: Sequence[Any]) -> Any:
        found.extend((refusal.kind, refusal.detail) for refusal in refusals)
        return real(room, refusals)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refused, "refused", noted)
        yield
    assert not found
