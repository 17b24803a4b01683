"""Serve the Telegram stand-in over HTTP from its own thread, with people who act in it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sandbox.buttons import answer_data, asks_for_second_tap
from sandbox.telegram import Chat, Message, Query, Telegram, User
from sandbox.telegram.transport import Server, serving

PATIENCE = 20.0


class ServedGroup:
    """A group of people. All their acts run in the server's event loop."""

    def __init__(self, telegram: Telegram, server: Server) -> None:
        self.telegram = telegram
        self.url = server.url
        self.do = server.do
        self.people: list[User] = [telegram.add_user(name, started=True) for name in NAMES]
        self.group: Chat = telegram.add_group("The Reichstag", self.people)
        #: The latest tap by person and callback data.
        self.queries: dict[tuple[int, str], Query] = {}

    def say(self, user: User, text: str) -> None:
        self.do(lambda: self.telegram.send(user, self.group, text))

    def lobby(self) -> Message:
        return self.newest(lambda message: any("join|" in data for data in _data(message)))

    def newest(self, wanted: Callable[[Message], bool]) -> Message:
        """Return the group's newest message of this kind. Raises LookupError if there is none."""
        found = self.do(lambda: [m for m in self.group.messages.values() if wanted(m)])
        if not found:
            raise LookupError("no such message")
        return found[-1]

    def press(self, user: User, message: Message, verb: str) -> None:
        data = next(data for data in _data(message) if data.startswith(f"{verb}|"))
        self.do(lambda: self.telegram.tap(user, message, data))

    def texts(self) -> str:
        return "\n".join(view.text for view in self.do(lambda: self.telegram.chat_view(self.group)))

    def prompts(self, tapped: set[tuple[int, str]]) -> list[tuple[User, Message, str]]:
        """Return each person's newest prompt, with its first choice, unless it is in ``tapped``.

        A prompt comes once more when the bot asks for a second tap, and it is time for that.
        """

        def due(user: User, choice: str) -> bool:
            query = self.queries.get((user.id, choice))
            return (
                query is not None and asks_for_second_tap(query) and self.telegram.clock() - query.time > 1.1
            )

        def look() -> list[tuple[User, Message, str]]:
            found = []
            for user in self.people:
                asked = [m for m in self.telegram.private(user).messages.values() if answer_data(m)]
                if not asked:
                    continue
                choice = answer_data(asked[-1])[0]
                if (user.id, choice) not in tapped or due(user, choice):
                    found.append((user, asked[-1], choice))
            return found

        return self.do(look)

    def tap(self, user: User, message: Message, data: str) -> None:
        self.queries[user.id, data] = self.do(lambda: self.telegram.tap(user, message, data))

    def until(self, holds: Callable[[], Any], seconds: float = PATIENCE) -> Any:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := holds():
                return found
            time.sleep(0.05)
        raise AssertionError("it never came to that")


NAMES = ["Anna", "Ben", "Clara", "David", "Emma"]


@contextmanager
def serve_group() -> Iterator[ServedGroup]:
    """Yield a group whose Telegram runs on a loopback port in real time."""
    telegram = Telegram(time.time)
    telegram.call("getMe")  # loads aiogram's models, which takes time
    with serving(telegram) as server:
        yield ServedGroup(telegram, server)


def _data(message: Message) -> list[str]:
    return [button.get("callback_data", "") for button in message.buttons()]
