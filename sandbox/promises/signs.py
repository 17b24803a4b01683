"""What a call shows, in short: the same for whatever method shows the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from infra.store.entries import OutboxEntry


def sign_of(entry: OutboxEntry) -> str:
    """What an entry would show."""
    return sign(entry.method, entry.params, entry.target)


def sign(method: str, params: Mapping[str, Any], target: str | None = None) -> str:
    """What a call shows, whichever method it is by: its text and its buttons."""
    if method in ("sendMessage", "sendPhoto") or method.startswith("edit"):
        media = params.get("media") or {}
        text = params.get("text") or params.get("caption") or media.get("caption") or ""
        return json.dumps([text, params.get("reply_markup") or {}], sort_keys=True)
    return method
