"""Connect python-telegram-bot without a socket: its requests go straight into the stand-in."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote, urlsplit

from telegram.request import BaseRequest, RequestData

from .core import Telegram
from .errors import Refusal


def serve(tg: Telegram, path: str, params: dict[str, Any], files: dict[str, bytes]) -> tuple[int, bytes]:
    """Answer the request for ``/bot<token>/<method>``: (HTTP status, body)."""
    method = path.removeprefix(f"/bot{tg.token}/")
    if method != path and "/" not in method:
        return encode(tg.call(method, params, files))
    return encode(Refusal(401, "Unauthorized").envelope())


def encode(envelope: dict[str, Any]) -> tuple[int, bytes]:
    """(HTTP status, body) of a Bot API envelope."""
    status = 200 if envelope.get("ok") else int(envelope.get("error_code", 500))
    return status, json.dumps(envelope, ensure_ascii=False).encode()


def uploads(data: RequestData | None) -> dict[str, bytes]:
    """Return the files of a request by part name."""
    if data is None or not data.contains_files:
        return {}
    parts = (data.multipart_data or {}).items()
    return {name: part[1] if isinstance(part[1], bytes) else part[1].read() for name, part in parts}


class OfflineRequest(BaseRequest):
    """A PTB transport for ``Bot(request=…, get_updates_request=…)`` that has no socket: see ``called``."""

    async def answer_call(
        self, path: str, params: dict[str, Any], files: dict[str, bytes]
    ) -> tuple[int, bytes]:
        """Return the answer to a call, by the path of its address: (HTTP status, body)."""
        raise NotImplementedError

    async def initialize(self) -> None:
        """Do nothing: there is nothing to open."""

    async def shutdown(self) -> None:
        """Do nothing: there is nothing to close."""

    @property
    def read_timeout(self) -> float | None:
        """Seconds that a caller would wait for an answer."""
        return 5.0

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *_: Any, **__: Any
    ) -> tuple[int, bytes]:
        """Make one request; return (HTTP status, body)."""
        params = dict(request_data.parameters) if request_data is not None else {}
        return await self.answer_call(unquote(urlsplit(url).path), params, uploads(request_data))


class StandinRequest(OfflineRequest):
    """Calls a ``Telegram`` in process.

    A fault hook may raise ``telegram.error.TimedOut`` or ``NetworkError``: they reach the caller as they are.
    """

    def __init__(self, tg: Telegram) -> None:
        self.tg = tg

    async def answer_call(
        self, path: str, params: dict[str, Any], files: dict[str, bytes]
    ) -> tuple[int, bytes]:
        """Return the stand-in's answer."""
        return serve(self.tg, path, params, files)
