"""Connect python-telegram-bot to the stand-in without a socket."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote, urlsplit

from telegram.request import BaseRequest, RequestData

from .core import Telegram
from .errors import Refusal


def serve(tg: Telegram, path: str, params: dict[str, Any], files: dict[str, bytes]) -> tuple[int, bytes]:
    """Answer a request for ``/bot<token>/<method>``; return (HTTP status, body)."""
    method = path.removeprefix(f"/bot{tg.token}/")
    if method != path and "/" not in method:
        return encode(tg.call(method, params, files))
    return encode(Refusal(401, "Unauthorized").envelope())


def encode(envelope: dict[str, Any]) -> tuple[int, bytes]:
    """Return (HTTP status, body) for a Bot API envelope."""
    status = 200 if envelope.get("ok") else int(envelope.get("error_code", 500))
    return status, json.dumps(envelope, ensure_ascii=False).encode()


class StandinRequest(BaseRequest):
    """A transport for python-telegram-bot to a ``Telegram`` in this process.

    If a callback of ``Telegram`` raises ``telegram.error.TimedOut`` or ``NetworkError``, the caller gets it.
    """

    def __init__(self, tg: Telegram) -> None:
        self.tg = tg

    async def answer_call(
        self, path: str, params: dict[str, Any], files: dict[str, bytes]
    ) -> tuple[int, bytes]:
        """Return the answer to a call, (HTTP status, body). ``path``: the path of the call's URL."""
        return serve(self.tg, path, params, files)

    async def initialize(self) -> None:
        """Do nothing, as there is no connection."""

    async def shutdown(self) -> None:
        """Do nothing, as there is no connection."""

    @property
    def read_timeout(self) -> float | None:
        """Return the seconds after which a caller would give up."""
        return 5.0

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *_: Any, **__: Any
    ) -> tuple[int, bytes]:
        """Make a request; return (HTTP status, body)."""
        params: dict[str, Any] = dict(request_data.parameters) if request_data is not None else {}
        parts = (
            dict(request_data.multipart_data or {}) if request_data and request_data.contains_files else {}
        )
        files = {
            name: part[1] if isinstance(part[1], bytes) else part[1].read() for name, part in parts.items()
        }
        return await self.answer_call(unquote(urlsplit(url).path), params, files)
