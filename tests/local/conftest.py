"""Fixtures for a self-hosted bot: a Telegram that it polls, and its environment."""

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from local.bot import opened
from local.polling import Polling

from .telegram_thread import ServedGroup, serve_group


@pytest.fixture
def people() -> Iterator[ServedGroup]:
    with serve_group() as found:
        yield found


@pytest.fixture
def environment(people: ServedGroup) -> dict[str, str]:
    return {"BOT_TOKEN": people.telegram.token, "TELEGRAM_API_URL": people.url, "BEACON": "off"}


class Bots:
    """Open the bot, as often as a test restarts it, with the same folder."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.environment = environment
        self.folder = folder
        #: Seconds by which the bot's clock runs ahead.
        self.ahead = 0.0

    def __call__(self) -> AbstractContextManager[Polling]:
        return opened(self.environment, self.folder, clock=lambda: time.time() + self.ahead)


@pytest.fixture
def bot(environment: dict[str, str], tmp_path: Path) -> Bots:
    return Bots(environment, tmp_path)
