"""A person in their private chat with the bot, with short commands to write, tap and read.

anna = Alone(harness).say("/practice").start()
anna.tap("answer")             # the first answer
anna.text()
"""

from contextlib import nullcontext
from typing import Any

from bot.rooms.codec import decode
from bot.rooms.model import Match, Room
from bot.rooms.names import ChatId, RoomName
from engine import Chance
from infra.store.items import RoomItem
from sandbox.buttons import asks_for_second_tap
from sandbox.harness import Harness
from sandbox.telegram import Message, User
from tests.system.table import PACE, answered, deal


class Alone:
    def __init__(
        self, harness: Harness, user: User | None = None, name: str = "Anna", **details: Any
    ) -> None:
        self.harness, self.tg = harness, harness.telegram
        self.user = user or self.tg.add_user(name, started=True, **details)

    def say(self, text: str) -> "Alone":
        self._later()
        self.tg.send(self.user, self.tg.private(self.user), text)
        self.harness.settle()
        return self

    def views(self) -> list[Message]:
        """Return the bot's messages as they are now, oldest first."""
        return [view for view in self.tg.private_view(self.user) if view.mine]

    def text(self) -> str:
        return self.views()[-1].text

    def buttons(self, verb: str) -> tuple[Message, list[dict[str, Any]]]:
        """Return the newest message with buttons of this verb, and these buttons. Raises LookupError."""
        for view in reversed(self.views()):
            found = [b for b in view.buttons() if b.get("callback_data", "").partition("|")[0] == verb]
            if found:
                return view, found
        raise LookupError(f"no button {verb!r}")

    def asked(self) -> bool:
        try:
            self.buttons("answer")
        except LookupError:
            return False
        return True

    def tap(self, verb: str, place: int = 0, label: str = "") -> str:
        message, found = self.buttons(verb)
        wanted = [button for button in found if label in button["text"]]
        return self.tap_on(message, wanted[place]["callback_data"])

    def tap_on(self, message: Message, data: str, user: User | None = None) -> str:
        """Tap any data under a message, and a second time if the bot asks for it; return the toast."""
        self._later()
        query = self.tg.tap(user or self.user, message, data, forged=True)
        self.harness.settle()
        return self.tap_on(message, data, user) if asks_for_second_tap(query) else answered(query)

    def start(self, chance: Chance | None = None) -> "Alone":
        """Tap Start, with this deal if one is given."""
        with deal(chance) if chance is not None else nullcontext():
            self.tap("start")
        return self

    def play(self, most: int = 400) -> "Alone":
        """Answer every question with its first option until the game is over."""
        for _ in range(most):
            if self.match().over:
                return self
            self.tap("answer")
        raise AssertionError("it does not end")

    def item(self) -> RoomItem | None:
        return self.harness.built.app.rooms.load(RoomName(ChatId(self.user.id)).key)

    def room(self) -> Room:
        item = self.item()
        assert item is not None, "there is no such room"
        return decode(item.body, item.schema)

    def match(self) -> Match:
        match = self.room().match
        assert match is not None
        return match

    def _later(self) -> None:
        self.harness.clock.advance(PACE)  # type: ignore[attr-defined]
