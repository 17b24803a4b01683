"""A short form of a call's content, equal for all calls that show the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from infra.outbox.plan import TIDYING
from infra.store.entries import OutboxEntry


def posts(method: str) -> bool:
    """Return True if a method posts a new message."""
    return method.startswith(("send", "forward"))


def names_of(entry: OutboxEntry) -> set[str]:
    """Return the names of the message that an entry posts or edits. Removing buttons does not count."""
    names = {entry.name, entry.target} if entry.method != TIDYING else set()
    return {name for name in names if name is not None}


def fingerprint_of(entry: OutboxEntry) -> str:
    """Return the fingerprint of the call that sends an entry."""
    return fingerprint(entry.method, entry.params)


def fingerprint(method: str, params: Mapping[str, Any]) -> str:
    """Return the text and buttons of a call, or only the method if the call shows neither."""
    if method in ("sendMessage", "sendPhoto") or method.startswith("edit"):
        text = params.get("text") or params.get("caption") or ""
        return json.dumps([text, params.get("reply_markup") or {}], sort_keys=True)
    return method
