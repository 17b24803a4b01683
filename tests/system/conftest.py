"""Fixtures with the whole bot: webhook entry, store, queue and the Telegram stand-in, in virtual time."""

import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.display.words import Words
from local.dynamodb import Client
from sandbox.harness import Harness, harness_in_memory
from tests.swallowed import swallowed
from tests.system.store import Store
from tests.system.table import Table


@pytest.fixture
def update_errors() -> Iterator[list[Exception]]:
    """Yield a list of the exceptions that updates raise in the entry."""
    with swallowed() as thrown:
        yield thrown


@pytest.fixture(autouse=True)
def _no_word_is_missing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test in which a text of the bot was missing."""
    missing: set[str] = set()
    plain, html = Words.plain, Words.html

    def checked(say: Callable[..., str]) -> Callable[..., str]:
        def said(words: Words, key: str, **values: object) -> str:
            if not words.has(key):
                missing.add(key)
            return say(words, key, **values)

        return said

    monkeypatch.setattr(Words, "plain", checked(plain))
    monkeypatch.setattr(Words, "html", checked(html))
    yield
    assert missing == set()


@pytest.fixture
def store() -> Store:
    """Return the bot's store. Tests may make its requests fail."""
    return Store()


@pytest.fixture
def at(request: pytest.FixtureRequest, update_errors: list[Exception], store: Store) -> Iterator[Harness]:
    """Yield the bot. All its calls must fit Telegram's documentation, and no update may raise.

    Each test has its own seed, which is always the same, so that failures repeat.
    """
    seed = zlib.crc32(request.node.nodeid.encode())
    with harness_in_memory(client=Client(store.run), seed=seed) as opened:
        yield opened
        assert opened.telegram.violations == []
        if update_errors:
            raise update_errors[0]


@pytest.fixture
def table(at: Harness) -> Table:
    return Table(at)


@pytest.fixture
def another(at: Harness) -> Callable[..., Table]:
    """Return a function that adds another group to the same bot."""

    def make(*people: Any, **group: Any) -> Table:
        return Table(at, people, **group)

    return make
