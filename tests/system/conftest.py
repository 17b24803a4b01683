"""The whole bot on a desk: webhook entry, store, queue and the Telegram stand-in, by a virtual clock."""

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
def undigested() -> Iterator[list[Exception]]:
    """Yield the errors that updates caused in the entry."""
    with swallowed() as thrown:
        yield thrown


@pytest.fixture(autouse=True)
def _no_word_is_missing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Check that no text of the bot was missing in a test."""
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
    """Return the desk's store, whose requests tests may let fail."""
    return Store()


@pytest.fixture
def at(request: pytest.FixtureRequest, undigested: list[Exception], store: Store) -> Iterator[Harness]:
    """Yield a desk. Its calls must be ones that Telegram documents, and no update may be lost.

    Each test has its own chance, the same every time, so a failure repeats.
    """
    seed = zlib.crc32(request.node.nodeid.encode())
    with harness_in_memory(client=Client(store.run), seed=seed) as opened:
        yield opened
        assert opened.telegram.violations == []
        if undigested:
            raise undigested[0]


@pytest.fixture
def table(at: Harness) -> Table:
    """Return a group with only the bot in it."""
    return Table(at)


@pytest.fixture
def another(at: Harness) -> Callable[..., Table]:
    """Return a function that makes another group at the same desk."""

    def make(*people: Any, **group: Any) -> Table:
        return Table(at, people, **group)

    return make
