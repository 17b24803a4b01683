"""Return a short form of a call, equal for all methods that show the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from infra.outbox.plan import TIDYING
from infra.store.entries import OutboxEntry


def posts(method: str) -> bool:
    """Return whether a method puts a new message into a chat."""
    return method.startswith(("send", "forward"))


def names_of(entry: OutboxEntry) -> set[str]:
    """Return the names of the message that shows an entry once carried out; none if it shows nothing new."""
    names = {entry.name, entry.target} if entry.method != TIDYING else set()
    return {name for name in names if name is not None}


def sign_of(entry: OutboxEntry) -> str:
    """Return what an entry would show."""
    return sign(entry.method, entry.params, entry.target)


def sign(method: str, params: Mapping[str, Any], target: str | None = None) -> str:
    """Return what a call shows, whichever method it is by: its text and its buttons."""
    if method in ("sendMessage", "sendPhoto") or method.startswith("edit"):
        text = params.get("text") or params.get("caption") or ""
        return json.dumps([text, params.get("reply_markup") or {}], sort_keys=True)
    return method
