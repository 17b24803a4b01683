"""Serve the page over HTTP: its files, a stream of changes, and requests to act."""

import asyncio
import json
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from aiohttp import web

from sandbox.clocks import PageClock
from sandbox.page.recorder import RecordedHarness
from sandbox.page.session import PageSession, PageSettings

T = TypeVar("T")
STATIC = Path(__file__).parent / "static"
#: The fewest and most people that the page seats.
FEWEST, MOST = 5, 16
#: Seconds between signs of life, so that a browser notices a dead connection.
_HEARTBEAT = 15.0
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
#: A picture's name changes with its bytes.
_KEEP = {"Cache-Control": "max-age=3600"}

Json = dict[str, Any]
#: The queue of events for one browser: kind (``snapshot`` or ``news``) and content. None ends the stream.
Events = asyncio.Queue[tuple[str, Json] | None]


class Page:
    """A server for one session; an asynchronous context manager.

    It listens on ``host``, with port 0 on any free port, and sets ``url``. ``validated``: check the
    bot's calls against aiogram's models, which are installed only for tests. The session lives in its own
    thread; the event loop wakes the thread when something is due.
    """

    session: PageSession
    url: str

    def __init__(
        self, settings: PageSettings, host: str = "127.0.0.1", port: int = 0, *, validated: bool = False
    ) -> None:
        self.host = host
        self.port = port
        self._validated = validated
        self._settings = settings
        self._browsers: set[Events] = set()
        self._alarm: asyncio.TimerHandle | None = None
        self._stopped = False

    async def __aenter__(self) -> "Page":
        """Listen. Raises OSError if the port is taken."""
        app = web.Application(client_max_size=64 * 1024, middlewares=[_guarded])
        app.add_routes(
            [
                web.get("/", self._index),
                web.static("/static", STATIC),
                web.get("/photo/{id}", self._photo),
                web.get("/api/stream", self._stream),
                web.get("/api/turn/{number:\\d+}", self._turn),
                web.get("/api/stored", self._stored),
                web.post("/api/act", self._act),
                web.post("/api/again", self._again),
            ]
        )
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self.host, self.port).start()
        except OSError:
            await self._runner.cleanup()
            raise
        self.url = f"http://{self.host}:{self._runner.addresses[0][1]}"
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(1, "sandbox")
        self._thread.submit(self._open, self._settings)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stopped = True
        self._tell_all(None)
        await self._runner.cleanup()
        self._thread.submit(self._close)
        await asyncio.to_thread(self._thread.shutdown)

    def ask(self, job: Callable[[PageSession], T]) -> "Future[T]":
        """Run a job with the session, in its thread; return a future of its result. Any thread may ask."""
        return self._thread.submit(self._do, job)

    async def _ask(self, job: Callable[[PageSession], T]) -> T:
        return await asyncio.wrap_future(self.ask(job))

    # --- in the session's thread ---------------------------------------------------------------------------

    def _open(self, settings: PageSettings) -> None:
        try:
            clock = PageClock()
            self.session = PageSession(RecordedHarness(clock, validated=self._validated), settings, clock)
            self.session.open_first_lobby()
            self.session.news()
            self._loop.call_soon_threadsafe(self._tell_all, ("snapshot", self.session.snapshot()))
            self._plan()
        except Exception:
            traceback.print_exc()
            raise

    def _close(self) -> None:
        self.session.harness.close()

    def _do(self, job: Callable[[PageSession], T]) -> T:
        try:
            return job(self.session)
        finally:
            self._tick()

    def _tick(self) -> None:
        try:
            self.session.tick()
        except Exception:
            # Print the error and go on, as Lambda does.
            traceback.print_exc()
            time.sleep(0.2)
        if news := self.session.news():
            self._loop.call_soon_threadsafe(self._tell_all, ("news", news))
        self._plan()

    def _plan(self) -> None:
        if not self._stopped:
            self._loop.call_soon_threadsafe(self._wake_at, self.session.next_at)

    # --- in the event loop ---------------------------------------------------------------------------------

    def _wake_at(self, moment: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._loop.call_later(max(0.0, moment - time.time()), self._wake)

    def _wake(self) -> None:
        if not self._stopped:
            self._thread.submit(self._tick)

    def _tell_all(self, event: tuple[str, Json] | None) -> None:
        for browser in self._browsers:
            browser.put_nowait(event)

    def _welcome(self, browser: Events, snapshot: Json) -> None:
        browser.put_nowait(("snapshot", snapshot))
        self._browsers.add(browser)

    async def _index(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(STATIC / "index.html")

    async def _photo(self, request: web.Request) -> web.Response:
        file = request.match_info["id"]
        photo = await self._ask(lambda session: session.telegram.photos.get(file))
        if photo is None:
            raise web.HTTPNotFound
        return web.Response(body=photo.data, content_type="image/png", headers=_KEEP)

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        """Send events: a snapshot, then news, and another snapshot when the session restarts."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        browser = Events()
        # The thread says this, so that the browser gets exactly the events after its snapshot.
        self.ask(lambda session: self._loop.call_soon_threadsafe(self._welcome, browser, session.snapshot()))
        try:
            while True:
                try:
                    told = await asyncio.wait_for(browser.get(), _HEARTBEAT)
                except TimeoutError:
                    await response.write(b": still here\n\n")
                    continue
                if told is None:
                    return response
                kind, what = told
                text = f"event: {kind}\ndata: {json.dumps(what, ensure_ascii=False)}\n\n"
                await response.write(text.encode())
        except ConnectionResetError:
            return response
        finally:
            self._browsers.discard(browser)

    async def _turn(self, request: web.Request) -> web.Response:
        number = int(request.match_info["number"])
        found = await self._ask(lambda session: session.turn(number))
        if found is None:
            raise web.HTTPNotFound
        return web.json_response(found)

    async def _stored(self, request: web.Request) -> web.Response:
        return web.json_response(await self._ask(PageSession.stored))

    async def _act(self, request: web.Request) -> web.Response:
        wish = await _body(request)
        try:
            await self._ask(lambda session: session.act(wish))
        except (LookupError, PermissionError, TypeError, ValueError) as error:
            return web.json_response({"ok": False, "error": str(error) or type(error).__name__}, status=400)
        return web.json_response({"ok": True})

    async def _again(self, request: web.Request) -> web.Response:
        wish = await _body(request)
        players = wish.get("players", self._settings.players)
        if not isinstance(players, int) or not FEWEST <= players <= MOST:
            return web.json_response({"ok": False, "error": f"{FEWEST} to {MOST} people"}, status=400)
        settings = replace(
            self._settings,
            players=players,
            others=bool(wish.get("others", True)),
            computers=bool(wish.get("computers", self._settings.computers)),
        )
        self._thread.submit(self._close)
        self._thread.submit(self._open, settings)
        return web.json_response({"ok": True})


@web.middleware
async def _guarded(request: web.Request, handler: Any) -> web.StreamResponse:
    # Only JSON is accepted: another site's page could send a form here, but JSON only after asking.
    if request.method == "POST" and request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType
    response: web.StreamResponse = await handler(request)
    if not response.prepared:
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
    return response


async def _body(request: web.Request) -> Json:
    try:
        body = await request.json()
    except ValueError:
        raise web.HTTPBadRequest from None
    if not isinstance(body, dict):
        raise web.HTTPBadRequest
    return body
