"""Fixtures: a page in headless Chromium, and a person who plays on it."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from sandbox.page.server import Page
from sandbox.page.session import PageSettings
from tests.served import served

from .shots import FOLDER
from .table import Table

#: These tests are useful only to take pictures.
collect_ignore = [] if FOLDER else ["test_gallery.py", "test_screenshots.py"]

#: Without these, Chromium's own services would use the network.
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}

Lay = Callable[..., Table]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.fail("no chromium here (CHROMIUM names another one)")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def lay(browser: Browser) -> Iterator[Lay]:
    """Yield `lay(players=5, others=False, computers=False, phone=False, scheme="light")`."""
    contexts: list[BrowserContext] = []
    tables: list[Table] = []
    servers: list[AbstractContextManager[Page]] = []

    def clear() -> None:
        while contexts:
            contexts.pop().close()
        while servers:
            servers.pop().__exit__(None, None, None)

    def laid(
        players: int = 5,
        *,
        others: bool = False,
        computers: bool = False,
        phone: bool = False,
        scheme: str = "light",
        scale: float = 1,
    ) -> Table:
        clear()  # only one session at a time
        server = served(PageSettings(players, others, computers=computers))
        page = server.__enter__()
        servers.append(server)
        context = browser.new_context(
            viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
            is_mobile=phone,
            has_touch=phone,
            device_scale_factor=scale,
            color_scheme=scheme,  # type: ignore[arg-type]
            locale="en-GB",
        )
        contexts.append(context)
        tables.append(Table(context.new_page(), page))
        return tables[-1]

    try:
        yield laid
        for table in tables:
            assert table.troubles == []
    finally:
        clear()
