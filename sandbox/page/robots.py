"""People who play by themselves at the page: they join, and answer as a computer in their seat would."""

import random
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from sandbox.offered import about, asks_again, choices, newest, offered
from sandbox.telegram import Chat, Message, Query, Telegram, User

#: Seconds that a person takes to answer, from and to, by the name of the pace.
PACES = {"paused": None, "slow": (3.0, 8.0), "calm": (1.0, 3.0), "quick": (0.1, 0.4), "at once": (0.0, 0.0)}
#: Seconds after which a second tap is made where one is wanted.
SECOND_TAP_AFTER = 1.2
#: What opens a seat and starts a game, as callback data begins.
JOIN, START = "join", "start"


@dataclass(frozen=True, slots=True)
class Wish:
    """Something that a person could tap: which message, what choices, and what it is about."""

    user: User
    message: Message
    offered: tuple[str, ...]
    about: str


class Robots:
    """Those of a group who are ``on`` play by themselves."""

    def __init__(
        self,
        telegram: Telegram,
        group: Chat,
        people: list[User],
        clock: Callable[[], float],
        rng: random.Random,
        asked: Callable[[], Collection[int]],
        advised: Callable[[User, tuple[str, ...]], str | None],
    ) -> None:
        """``asked`` names the people who are asked something now, for buttons under the group's messages.

        ``advised``: which of the answers offered to somebody a computer in that seat would give, if it is
        asked; None: any is as good.
        """
        self.telegram = telegram
        self.group = group
        self.people = people
        self.clock = clock
        self.rng = rng
        self.asked = asked
        self.advised = advised
        self.on: set[int] = set()
        self.pace = "calm"
        #: By person and matter: tapped already, by whomever.
        self._done: set[tuple[int, str]] = set()
        #: The latest taps by the same, in case a second one is wanted, and when they were made.
        self._taps: dict[tuple[int, str], tuple[Query, float]] = {}
        self._plan: dict[tuple[int, str], float] = {}

    def note(self, tapped: Query) -> None:
        """Note that somebody tapped this: it is done, unless the bot asks for a second tap."""
        matter = tapped.user.id, about(tapped.data)
        self._done.add(matter)
        self._taps[matter] = tapped, self.clock()

    def owes(self, user: User) -> bool:
        """Return whether a prompt in the person's private chat waits for an answer."""
        return next(self._prompts(user), None) is not None

    @property
    def patience(self) -> float | None:
        """Seconds after which, at this pace, even the slowest has acted; None: nobody acts."""
        pace = PACES[self.pace]
        return None if pace is None else pace[1]

    def hurry(self) -> None:
        """Forget what was planned: the pace has changed."""
        self._plan.clear()

    @property
    def next_at(self) -> float | None:
        """When the next of them acts, in seconds since 1970, or None."""
        return min(self._plan.values(), default=None)

    def plan(self) -> None:
        """Take note of what has come up: each of them will act in a while."""
        self._wished()

    def act(self) -> bool:
        """Let one person act whose time has come; whether anybody did."""
        wishes, now = self._wished(), self.clock()
        due = [key for key, moment in self._plan.items() if moment <= now]
        if not due:
            return False
        key = min(due, key=self._plan.__getitem__)
        del self._plan[key]
        self._tap(wishes[key])
        return True

    def follow(self) -> bool:
        """Open the private chat for those whose tap was answered with a link to it; whether anybody did."""
        followed = False
        for user in self._acting():
            for toast in self.telegram.toasts(user):
                if toast.url and (user.id, toast.url) not in self._done:
                    self._done.add((user.id, toast.url))
                    if not user.started:
                        self.telegram.open_link(user, toast.url)
                        followed = True
        return followed

    def _wished(self) -> dict[tuple[int, str], Wish]:
        """Return what they could tap, by person and matter; each of it has its time in the plan."""
        wishes = {(wish.user.id, wish.about): wish for user in self._acting() for wish in self._wishes(user)}
        pace, now, known = PACES[self.pace], self.clock(), self._plan
        if pace is None:
            self._plan = {}
            return wishes
        self._plan = {
            key: known.get(key) or max(now + self.rng.uniform(*pace), self._second_tap_at(key))
            for key in wishes
        }
        return wishes

    def _second_tap_at(self, key: tuple[int, str]) -> float:
        """Return when a second tap counts, in seconds since 1970; 0 where none is wanted."""
        tapped, at = self._taps.get(key, (None, 0.0))
        return at + SECOND_TAP_AFTER if tapped is not None and asks_again(tapped) else 0.0

    def _acting(self) -> list[User]:
        return [user for user in self.people if user.id in self.on and not user.blocked]

    def _tap(self, wish: Wish) -> None:
        data = self.advised(wish.user, wish.offered) or self.rng.choice(wish.offered)
        self.note(self.telegram.tap(wish.user, wish.message, data))

    def _wishes(self, user: User) -> Iterator[Wish]:
        yield from self._prompts(user)
        # Asked only where it matters: to know it, the stored room must be read.
        yield from (wish for wish in self._open(user, self.group) if user.id in self.asked())
        lobby = newest(self.group, JOIN)
        if lobby is None or lobby.deleted:
            return
        yield from self._wish(user, lobby, offered(lobby, JOIN))
        # Where everybody plays by themselves, somebody must begin.
        if user is self.people[0] and all(person.id in self.on for person in self.people):
            joined = {(person.id, about(offered(lobby, JOIN)[0])) for person in self.people}
            if joined <= self._done:
                yield from self._wish(user, lobby, offered(lobby, START))

    def _prompts(self, user: User) -> Iterator[Wish]:
        return self._open(user, self.telegram.private(user))

    def _open(self, user: User, chat: Chat) -> Iterator[Wish]:
        # Only the newest question counts: what was never answered before it is closed.
        for message in reversed(chat.messages.values()):
            if not message.deleted and (found := choices(message)):
                yield from self._wish(user, message, found)
                return

    def _wish(self, user: User, message: Message, offered: list[str]) -> Iterator[Wish]:
        if not offered:
            return
        matter = about(offered[0])
        tapped, _ = self._taps.get((user.id, matter), (None, 0.0))
        if tapped is not None and asks_again(tapped):
            yield Wish(user, message, (tapped.data,), matter)
        elif (user.id, matter) not in self._done:
            yield Wish(user, message, tuple(offered), matter)
