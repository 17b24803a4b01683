"""Connect a bot to the stand-in: in this process without a socket, or over HTTP with long polling."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from aiohttp import web
from telegram.request import BaseRequest, RequestData

from .calls import Refusal
from .core import Telegram


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
        params = dict(request_data.parameters) if request_data else {}
        parts = request_data.multipart_data or {} if request_data else {}
        files = {
            name: data if isinstance(data, bytes) else data.read() for name, (_, data, _) in parts.items()
        }
        return await self.answer_call(unquote(urlsplit(url).path), params, files)


T = TypeVar("T")
_LONGEST_POLL = 50
#: Seconds after which a server in its own thread has failed.
_THREAD_SECONDS = 20.0


class Server:
    """A Bot API server for one ``Telegram`` on a free loopback port; an asynchronous context manager.

    Use the stand-in only in the event loop that started the server. ``do`` runs people's acts there.
    """

    def __init__(self, tg: Telegram) -> None:
        self.tg = tg
        #: The address of the API, such as ``http://127.0.0.1:8081``.
        self.url = ""
        self._news = asyncio.Event()
        self._stopping = False
        app = web.Application(client_max_size=60 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", self._answer)
        self._runner = web.AppRunner(app, access_log=None)

    async def __aenter__(self) -> Server:
        self._loop = asyncio.get_running_loop()
        self.tg.delivery.on_push.append(self.wake)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop listening. Open polls are answered at once."""
        self.tg.delivery.on_push.remove(self.wake)
        self._stopping = True
        self._news.set()
        await self._runner.cleanup()

    def do(self, act: Callable[[], T]) -> T:
        """Run ``act`` in the server's event loop, from another thread, and return its result."""

        async def acted() -> T:
            return act()

        return asyncio.run_coroutine_threadsafe(acted(), self._loop).result(_THREAD_SECONDS)

    def wake(self) -> None:
        """Wake up open polls, because an update waits. Any thread may call this."""
        self._loop.call_soon_threadsafe(self._news.set)

    async def _updates(self, params: dict[str, Any], files: dict[str, bytes]) -> dict[str, Any]:
        """Do ``getUpdates``, and wait up to ``timeout`` seconds for an update."""
        patience = min(int(params.get("timeout", 0)), _LONGEST_POLL)
        deadline = asyncio.get_running_loop().time() + patience
        while True:
            self._news.clear()
            answer = self.tg.call("getUpdates", params, files)
            left = deadline - asyncio.get_running_loop().time()
            if not answer["ok"] or answer["result"] or left <= 0 or self._stopping:
                return answer
            # An empty answer that is not sent does not count as a call.
            self.tg.journal.pop()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), left)

    async def _answer(self, request: web.Request) -> web.Response:
        """Answer ``/bot<token>/<method>`` with a form as its body, as python-telegram-bot sends it."""
        params: dict[str, Any] = {}
        files: dict[str, bytes] = {}
        for name, value in (await request.post()).items():
            if isinstance(value, web.FileField):
                files[name] = value.file.read()
            else:
                params[name] = value
        if request.path == f"/bot{self.tg.token}/getUpdates":
            status, body = encode(await self._updates(params, files))
        else:
            status, body = serve(self.tg, request.path, params, files)
        return web.Response(status=status, body=body, content_type="application/json")


@contextmanager
def serving(telegram: Telegram) -> Iterator[Server]:
    """Serve the stand-in on a free loopback port, in its own thread."""
    server, loop = Server(telegram), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="telegram", daemon=True)
    thread.start()
    try:
        yield asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(_THREAD_SECONDS)
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(), loop).result(_THREAD_SECONDS)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_THREAD_SECONDS)
        loop.close()
