"""Run the page's server in a thread, so that a test can use it as a browser does."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sandbox.page.server import Page
from sandbox.page.session import PageSettings
from sandbox.telegram.calls import validate

#: Seconds within which the server must be up.
PATIENCE = 30


@contextmanager
def served(settings: PageSettings) -> Iterator[Page]:
    """Serve a page while the ``with`` block runs."""
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    # Load aiogram's models now, because that can take seconds.
    validate("getMe", {})
    page = Page(settings, validated=True)
    over = asyncio.Event()

    async def serve() -> None:
        async with page:
            ready.set()
            await over.wait()

    def run() -> None:
        try:
            loop.run_until_complete(serve())
        finally:
            loop.close()

    thread = threading.Thread(target=run, name="page")
    thread.start()
    try:
        assert ready.wait(PATIENCE), "the page's server did not come up"
        # Once the thread answers, its session is ready, too.
        page.ask(lambda session: None).result(PATIENCE)
        yield page
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(PATIENCE)
        assert not thread.is_alive()
