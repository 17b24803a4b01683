"""Collect exceptions that the entries catch to hide them from Telegram. Tests must see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from bot.rooms.codec import NewerSchema
from handlers.service.app import App
from infra.store.table import StoreUnavailable


@contextmanager
def swallowed() -> Iterator[list[Exception]]:
    """Yield a list of the exceptions that updates raise meanwhile, except those of the store."""
    thrown: list[Exception] = []
    on_update = App.on_update

    def watched(self: App, body: Mapping[str, Any], deadline: float) -> dict[str, Any] | None:
        try:
            return on_update(self, body, deadline)
        except (StoreUnavailable, NewerSchema):
            raise
        except Exception as error:
            thrown.append(error)
            raise

    with patch.object(App, "on_update", watched):
        yield thrown
