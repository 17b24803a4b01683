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
        choose: Callable[[User, Sequence[str]], str] | None = None,
    ) -> None:
        """``asked`` returns the seats that must answer now; they also tap buttons in ``group``.

        ``choose`` returns the callback data that a person taps; by default, a random one.
        """
        self.telegram = telegram
        self.people = list(people)
        self.choose = choose or (lambda user, offered: rng.choice(offered))
        self.group = group
        self.asked = asked
        self._read: set[tuple[User, Message, str]] = set()
        #: The latest taps. The bot may ask for a second tap on any of them.
        self._tapped: dict[tuple[User, Message], Query] = {}

    def prompts(self) -> list[tuple[User, Message]]:
        """Return (person, message) for each new prompt, and for each one that needs a second tap.

        A prompt in the group is returned once for each seat that must answer.
        """
        self._tapped = {at: query for at, query in self._tapped.items() if asks_for_second_tap(query)}
        found = list(self._tapped)
        chats = [(user, self.telegram.private(user)) for user in self.people]
        # ``asked`` may read the stored room. So call it only if a message of the group offers answers.
        if self.group is not None and any(map(answer_data, self.group.messages.values())):
            chats = [*((self.people[seat], self.group) for seat in self.asked()), *chats]
        for user, chat in chats:
            for message in chat.messages.values():
                offered = answer_data(message)
                if offered and (read := (user, message, offered[0])) not in self._read:
                    self._read.add(read)
                    found.append((user, message))
        return found

    def tap(self, user: User, message: Message) -> bool:
        """Answer a prompt; return False if its buttons are gone."""
        offered = answer_data(message)
        if not offered:
            return False
        again = self._tapped.pop((user, message), None)
        choice = again.data if again is not None and again.data in offered else self.choose(user, offered)
        self._tapped[user, message] = self.telegram.tap(user, message, choice)
        return True
