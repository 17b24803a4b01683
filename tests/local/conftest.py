"""Fixtures for a self-hosted bot: a Telegram that it polls, and its environment."""

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from handlers.service import upkeep
from local.bot import opened
from local.polling import Polling

from .telegram_thread import ServedGroup, serve_group

every_call = upkeep.all_registration_calls


@pytest.fixture
def people() -> Iterator[ServedGroup]:
    with serve_group() as found:
        yield found


@pytest.fixture
def environment(people: ServedGroup) -> dict[str, str]:
    return {"BOT_TOKEN": people.telegram.token, "TELEGRAM_API_URL": people.url, "BEACON": "off"}


@pytest.fixture(autouse=True)
def few_registrations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register English commands alone: each start would make eighty calls."""
    monkeypatch.setattr(upkeep, "all_registration_calls", english_registration_calls)


def english_registration_calls() -> list[tuple[str, dict[str, Any]]]:
    return [call for call in every_call() if not call[1].get("language_code")]


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
