"""Seats that play by themselves: they read their own private chat and tap one of its buttons at random."""

import random
from collections.abc import Sequence

from sandbox.telegram import Telegram, User
from sandbox.telegram.model import Message

ANSWER = "answer|"


class Seats:
    """People who answer every prompt once, with a random choice."""

    def __init__(self, telegram: Telegram, people: Sequence[User], rng: random.Random) -> None:
        self.telegram = telegram
        self.people = list(people)
        self.rng = rng
        self._read: dict[int, int] = {}

    def prompts(self) -> list[tuple[User, Message]]:
        """The prompts that were not there before, by person."""
        found = []
        for user in self.people:
            messages = self.telegram.private(user).messages
            last = self._read.get(user.id, 0)
            for number in range(last + 1, max(messages, default=0) + 1):
                message = messages.get(number)
                if message is not None and choices(message):
                    found.append((user, message))
            self._read[user.id] = max(messages, default=0)
        return found

    def tap(self, user: User, message: Message) -> bool:
        """Answer a prompt if it is still there; whether it was."""
        offered = choices(message)
        if not offered:
            return False
        self.telegram.tap(user, message, self.rng.choice(offered))
        return True


def choices(message: Message) -> list[str]:
    """The callback data of the answers that a message offers."""
    data = [button.get("callback_data", "") for button in message.buttons()]
    return [choice for choice in data if choice.startswith(ANSWER)]
