"""Automatic players: they read their private chats and tap buttons at random."""

import random
from collections.abc import Callable, Iterable, Sequence

from sandbox.offered import asks_again, choices
from sandbox.telegram import Chat, Message, Query, Telegram, User


class Seats:
    """People who answer every prompt once, with a random choice."""

    def __init__(
        self,
        telegram: Telegram,
        people: Sequence[User],
        rng: random.Random,
        group: Chat | None = None,
        asked: Callable[[], Iterable[int]] = lambda: (),
    ) -> None:
        """With a group, the seats from ``asked`` also tap buttons under its messages."""
        self.telegram = telegram
        self.people = list(people)
        self.rng = rng
        self.group = group
        self.asked = asked
        self._read: set[tuple[int, int, str]] = set()
        self._read_in_group = 0
        #: The latest taps, some of which may need a second one.
        self._tapped: list[Query] = []

    def prompts(self) -> list[tuple[User, Message]]:
        """Return the prompts that ask something new, and those that want a second tap.

        Prompts in the group belong to the seats that are asked.
        """
        found = [(query.user, query.message) for query in self._tapped if asks_again(query)]
        self._tapped = [query for query in self._tapped if asks_again(query)]
        found += self._in_group()
        for user in self.people:
            for number, message in self.telegram.private(user).messages.items():
                if not (offered := choices(message)) or (read := (user.id, number, offered[0])) in self._read:
                    continue
                self._read.add(read)
                found.append((user, message))
        return found

    def _in_group(self) -> list[tuple[User, Message]]:
        if self.group is None:
            return []
        found = []
        for number in range(self._read_in_group + 1, max(self.group.messages, default=0) + 1):
            message = self.group.messages.get(number)
            if message is not None and choices(message):
                found += [(self.people[seat], message) for seat in self.asked()]
        self._read_in_group = max(self.group.messages, default=0)
        return found

    def tap(self, user: User, message: Message) -> bool:
        """Answer a prompt; return False if it no longer exists."""
        offered = choices(message)
        if not offered:
            return False
        again = next((one for one in self._tapped if (one.user, one.message) == (user, message)), None)
        if again is not None:
            self._tapped.remove(again)
        choice = again.data if again is not None and again.data in offered else self.choose(user, offered)
        self._tapped.append(self.telegram.tap(user, message, choice))
        return True

    def choose(self, user: User, offered: Sequence[str]) -> str:
        """Return the button's data that a person taps, at random."""
        return self.rng.choice(offered)
