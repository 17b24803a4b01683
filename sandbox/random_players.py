"""Automatic players that read their chats and tap answers at random."""

import random
from collections.abc import Callable, Iterable, Sequence

from sandbox.buttons import answer_data, asks_for_second_tap
from sandbox.telegram import Chat, Message, Query, Telegram, User


class RandomPlayers:
    """Answer every prompt of some people once, with a random choice."""

    def __init__(
        self,
        telegram: Telegram,
        people: Sequence[User],
        rng: random.Random,
        group: Chat | None = None,
        asked: Callable[[], Iterable[int]] = lambda: (),
    ) -> None:
        """``asked`` returns the seats that must answer now; they also tap buttons in ``group``."""
        self.telegram = telegram
        self.people = list(people)
        self.rng = rng
        self.group = group
        self.asked = asked
        self._read: set[tuple[int, int, str]] = set()
        self._read_in_group = 0
        #: The latest taps. The bot may ask for a second tap on any of them.
        self._tapped: list[Query] = []

    def prompts(self) -> list[tuple[User, Message]]:
        """Return (person, message) for each new prompt, and for each one that needs a second tap.

        A prompt in the group is returned once for each seat that must answer.
        """
        found = [(query.user, query.message) for query in self._tapped if asks_for_second_tap(query)]
        self._tapped = [query for query in self._tapped if asks_for_second_tap(query)]
        found += self._group_prompts()
        for user in self.people:
            for number, message in self.telegram.private(user).messages.items():
                if (
                    not (offered := answer_data(message))
                    or (read := (user.id, number, offered[0])) in self._read
                ):
                    continue
                self._read.add(read)
                found.append((user, message))
        return found

    def _group_prompts(self) -> list[tuple[User, Message]]:
        if self.group is None:
            return []
        found = []
        for number in range(self._read_in_group + 1, max(self.group.messages, default=0) + 1):
            message = self.group.messages.get(number)
            if message is not None and answer_data(message):
                found += [(self.people[seat], message) for seat in self.asked()]
        self._read_in_group = max(self.group.messages, default=0)
        return found

    def tap(self, user: User, message: Message) -> bool:
        """Answer a prompt; return False if its buttons are gone."""
        offered = answer_data(message)
        if not offered:
            return False
        again = next((one for one in self._tapped if (one.user, one.message) == (user, message)), None)
        if again is not None:
            self._tapped.remove(again)
        choice = again.data if again is not None and again.data in offered else self.choose(user, offered)
        self._tapped.append(self.telegram.tap(user, message, choice))
        return True

    def choose(self, user: User, offered: Sequence[str]) -> str:
        """Return the callback data that a person taps."""
        return self.rng.choice(offered)
