"""People on the page who act automatically: they join, and answer as a computer in their seat would."""

import random
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from sandbox.buttons import answer_data, asks_for_second_tap, data_with_verb, newest_with_button, question_of
from sandbox.telegram import Chat, Message, Query, Telegram, User

#: Seconds that a person takes to answer (from, to), by the name of the pace.
PACES = {"paused": None, "slow": (3.0, 8.0), "calm": (1.0, 3.0), "quick": (0.1, 0.4), "at once": (0.0, 0.0)}
#: Seconds until somebody makes a second tap that the bot asks for.
SECOND_TAP_AFTER = 1.2
#: The verbs of the buttons that join and start a game.
JOIN, START = "join", "start"


@dataclass(frozen=True, slots=True)
class Wish:
    """Something that a person could tap. ``about`` names the question or button."""

    user: User
    message: Message
    offered: tuple[str, ...]
    about: str


class AutoPlayers:
    """Act for those of a group's people who are ``on``."""

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
        """``asked`` returns the people who must answer now, for buttons under the group's messages.

        ``advised`` gets a person and the answers offered to them, and returns the one that a computer would
        give; None: any of them.
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
        #: Matters tapped so far, by them or on the page: person and matter.
        self._done: set[tuple[int, str]] = set()
        #: The latest tap on each matter, and its time, because the bot may ask for a second one.
        self._taps: dict[tuple[int, str], tuple[Query, float]] = {}
        self._plan: dict[tuple[int, str], float] = {}

    def note(self, tapped: Query) -> None:
        """Note a tap. Its matter is done, unless the bot asks for a second tap."""
        matter = tapped.user.id, question_of(tapped.data)
        self._done.add(matter)
        self._taps[matter] = tapped, self.clock()

    def owes(self, user: User) -> bool:
        """Return True if a prompt in the person's private chat waits for an answer."""
        return next(self._prompts(user), None) is not None

    @property
    def patience(self) -> float | None:
        """Return the most seconds that anybody takes at this pace; None: nobody acts."""
        pace = PACES[self.pace]
        return None if pace is None else pace[1]

    def hurry(self) -> None:
        """Forget all planned times, because the pace has changed."""
        self._plan.clear()

    @property
    def next_at(self) -> float | None:
        """Return when the next person acts, in seconds since 1970, or None."""
        return min(self._plan.values(), default=None)

    def plan(self) -> None:
        """Plan when each person will act on what they could tap now."""
        self._wished()

    def act(self) -> bool:
        """Let one person act whose time has come; return False if there is none."""
        wishes, now = self._wished(), self.clock()
        due = [key for key, moment in self._plan.items() if moment <= now]
        if not due:
            return False
        key = min(due, key=self._plan.__getitem__)
        del self._plan[key]
        self._tap(wishes[key])
        return True

    def follow(self) -> bool:
        """Open the private chat for those whose tap was answered with a link to it; return True if any."""
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
        """Return what people could tap, by person and matter, and plan a time for each."""
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
        """Return when a second tap counts, in seconds since 1970; 0 if the bot does not ask for one."""
        tapped, at = self._taps.get(key, (None, 0.0))
        return at + SECOND_TAP_AFTER if tapped is not None and asks_for_second_tap(tapped) else 0.0

    def _acting(self) -> list[User]:
        return [user for user in self.people if user.id in self.on and not user.blocked]

    def _tap(self, wish: Wish) -> None:
        data = self.advised(wish.user, wish.offered) or self.rng.choice(wish.offered)
        self.note(self.telegram.tap(wish.user, wish.message, data))

    def _wishes(self, user: User) -> Iterator[Wish]:
        yield from self._prompts(user)
        # ``asked`` reads the stored room, so it is called only if a message of the group offers answers.
        yield from (wish for wish in self._open(user, self.group) if user.id in self.asked())
        lobby = newest_with_button(self.group, JOIN)
        if lobby is None or lobby.deleted:
            return
        yield from self._wish(user, lobby, data_with_verb(lobby, JOIN))
        # If nobody plays by hand, the first person starts the game.
        if user is self.people[0] and all(person.id in self.on for person in self.people):
            joined = {(person.id, question_of(data_with_verb(lobby, JOIN)[0])) for person in self.people}
            if joined <= self._done:
                yield from self._wish(user, lobby, data_with_verb(lobby, START))

    def _prompts(self, user: User) -> Iterator[Wish]:
        return self._open(user, self.telegram.private(user))

    def _open(self, user: User, chat: Chat) -> Iterator[Wish]:
        # Only the newest question counts: older ones are closed.
        for message in reversed(chat.messages.values()):
            if not message.deleted and (found := answer_data(message)):
                yield from self._wish(user, message, found)
                return

    def _wish(self, user: User, message: Message, offered: list[str]) -> Iterator[Wish]:
        if not offered:
            return
        matter = question_of(offered[0])
        tapped, _ = self._taps.get((user.id, matter), (None, 0.0))
        if tapped is not None and asks_for_second_tap(tapped):
            yield Wish(user, message, (tapped.data,), matter)
        elif (user.id, matter) not in self._done:
            yield Wish(user, message, tuple(offered), matter)
