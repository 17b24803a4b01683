"""Fixtures: the page's server, and a small client."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from sandbox.page.server import Page
from sandbox.page.session import PageSession, PageSettings
from tests.served import served

Json = dict[str, Any]


@dataclass
class Client:
    page: Page

    def get(self, path: str) -> tuple[int, bytes, dict[str, str]]:
        try:
            with urllib.request.urlopen(self.page.url + path, timeout=10) as answer:
                return answer.status, answer.read(), dict(answer.headers)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read(), dict(error.headers)

    def post(self, path: str, body: bytes, kind: str = "application/json") -> tuple[int, bytes]:
        request = urllib.request.Request(self.page.url + path, body, {"Content-Type": kind}, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def act(self, **wish: Any) -> Json:
        answer: Json = json.loads(self.post("/api/act", json.dumps(wish).encode())[1])
        return answer

    def session(self, job: Callable[[PageSession], Any]) -> Any:
        return self.page.ask(job).result(10)

    def look(self) -> Json:
        snapshot: Json = self.session(PageSession.snapshot)
        return snapshot

    def messages(self, chat: int) -> list[Json]:
        found: list[Json] = next(c["messages"] for c in self.look()["chats"] if c["chat"] == chat)
        return found

    def until(self, holds: Callable[[], Any], seconds: float = 20.0) -> Any:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := holds():
                return found
            time.sleep(0.05)
        raise AssertionError("it never came to that")

    @property
    def group(self) -> int:
        return int(self.look()["group"]["id"])

    @property
    def people(self) -> list[int]:
        return [one["id"] for one in self.look()["people"]]

    def open_lobby(self) -> Json:
        assert self.act(do="say", user=self.people[0], chat=self.group, text="/newgame")["ok"]
        return next(m for m in self.messages(self.group) if "keyboard" in m)

    def press(self, user: int, message: Json, verb: str, chat: int | None = None) -> Json:
        data = [b["callback_data"] for row in message["keyboard"] for b in row]
        pressed = next(each for each in data if each.startswith(f"{verb}|"))
        return self.act(do="tap", user=user, chat=chat or self.group, message=message["key"], data=pressed)


@pytest.fixture
def client() -> Iterator[Client]:
    """Yield a page with five people, none of whom plays automatically."""
    with served(PageSettings(5, others=False)) as page:
        yield Client(page)
