"""Let people on the page play automatically: they join, and answer as a computer in their seat would."""

import random
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from sandbox.buttons import answer_data, asks_for_second_tap, data_with_verb, newest_with_button, question_of
from sandbox.telegram import Chat, Message, Query, Telegram, User

#: Seconds that a person takes to answer (from, to), by the name of the pace.
PACES = {"paused": None, "slow": (3.0, 8.0), "calm": (1.0, 3.0), "quick": (0.1, 0.4), "at once": (0.0, 0.0)}
#: Seconds until a person makes the second tap that the bot asks for.
SECOND_TAP_AFTER = 1.2
#: The verbs of the buttons that join and start a game.
JOIN, START = "join", "start"


@dataclass(frozen=True, slots=True)
class PossibleTap:
    """Buttons of which a person can tap one. ``matter`` names the question or button."""

    user: User
    message: Message
    offered: tuple[str, ...]
    matter: str


class AutoPlayers:
    """Act for those people of a group whose ids are in ``on``."""

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
        """Remember the group, and how to find out what to tap.

        Args:
            telegram: the Telegram with the group.
            group: the group's chat.
            people: everybody in the group.
            clock: returns the real time in seconds since 1970.
            rng: decides pauses, and taps without advice.
            asked: returns the ids of the people who must answer now.
            advised: gets a person and the callback data of their answers; returns the answer that a computer
                would give, or None for any answer.
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
        #: (person, matter) of all taps so far, by automatic players or on the page.
        self._done: set[tuple[int, str]] = set()
        #: The latest tap on each matter and its time, because the bot may ask for a second tap.
        self._taps: dict[tuple[int, str], tuple[Query, float]] = {}
        self._plan: dict[tuple[int, str], float] = {}

    def note(self, tapped: Query) -> None:
        """Note a tap. Its matter is done unless the bot asks for a second tap."""
        matter = tapped.user.id, question_of(tapped.data)
        self._done.add(matter)
        self._taps[matter] = tapped, self.clock()

    def owes(self, user: User) -> bool:
        """Return True if a prompt in the person's private chat waits for an answer."""
        return next(self._prompts(user), None) is not None

    @property
    def patience(self) -> float | None:
        """Return the maximum seconds that a person takes at the current pace; None: nobody acts."""
        pace = PACES[self.pace]
        return None if pace is None else pace[1]

    def hurry(self) -> None:
        """Plan all times again, because the pace has changed."""
        self._plan.clear()

    @property
    def next_at(self) -> float | None:
        """Return when the next person acts, in seconds since 1970, or None."""
        return min(self._plan.values(), default=None)

    def plan(self) -> None:
        """Plan when each person will act on what they could tap now."""
        self._plan_taps()

    def act(self) -> bool:
        """Let the next person act whose time has come; return False if there is none."""
        taps, now = self._plan_taps(), self.clock()
        due = [key for key, moment in self._plan.items() if moment <= now]
        if not due:
            return False
        key = min(due, key=self._plan.__getitem__)
        del self._plan[key]
        self._tap(taps[key])
        return True

    def follow(self) -> bool:
        """Follow links to the private chat that answered people's taps; return True if anybody did."""
        followed = False
        for user in self._acting():
            for toast in self.telegram.toasts(user):
                if toast.url and (user.id, toast.url) not in self._done:
                    self._done.add((user.id, toast.url))
                    if not user.started:
                        self.telegram.open_link(user, toast.url)
                        followed = True
        return followed

    def _plan_taps(self) -> dict[tuple[int, str], PossibleTap]:
        """Return the possible taps by person and matter, and plan a time for each."""
        taps = {
            (tap.user.id, tap.matter): tap for user in self._acting() for tap in self._possible_taps(user)
        }
        pace, now, known = PACES[self.pace], self.clock(), self._plan
        if pace is None:
            self._plan = {}
            return taps
        self._plan = {
            key: known.get(key) or max(now + self.rng.uniform(*pace), self._second_tap_at(key))
            for key in taps
        }
        return taps

    def _second_tap_at(self, key: tuple[int, str]) -> float:
        """Return when a second tap counts, in seconds since 1970; 0 if the bot does not ask for one."""
        tapped, at = self._taps.get(key, (None, 0.0))
        return at + SECOND_TAP_AFTER if tapped is not None and asks_for_second_tap(tapped) else 0.0

    def _acting(self) -> list[User]:
        return [user for user in self.people if user.id in self.on and not user.blocked]

    def _tap(self, tap: PossibleTap) -> None:
        data = self.advised(tap.user, tap.offered) or self.rng.choice(tap.offered)
        self.note(self.telegram.tap(tap.user, tap.message, data))

    def _possible_taps(self, user: User) -> Iterator[PossibleTap]:
        yield from self._prompts(user)
        # ``asked`` reads the stored room. So call it only if a message of the group offers answers.
        yield from (tap for tap in self._open(user, self.group) if user.id in self.asked())
        lobby = newest_with_button(self.group, JOIN)
        if lobby is None or lobby.deleted:
            return
        yield from self._possible_tap(user, lobby, data_with_verb(lobby, JOIN))
        # If all people play automatically, the first one starts the game.
        if user is self.people[0] and all(person.id in self.on for person in self.people):
            joined = {(person.id, question_of(data_with_verb(lobby, JOIN)[0])) for person in self.people}
            if joined <= self._done:
                yield from self._possible_tap(user, lobby, data_with_verb(lobby, START))

    def _prompts(self, user: User) -> Iterator[PossibleTap]:
        return self._open(user, self.telegram.private(user))

    def _open(self, user: User, chat: Chat) -> Iterator[PossibleTap]:
        # Only the newest question counts, since older ones are closed.
        for message in reversed(chat.messages.values()):
            if not message.deleted and (found := answer_data(message)):
                yield from self._possible_tap(user, message, found)
                return

    def _possible_tap(self, user: User, message: Message, offered: list[str]) -> Iterator[PossibleTap]:
        if not offered:
            return
        matter = question_of(offered[0])
        tapped, _ = self._taps.get((user.id, matter), (None, 0.0))
        if tapped is not None and asks_for_second_tap(tapped):
            yield PossibleTap(user, message, (tapped.data,), matter)
        elif (user.id, matter) not in self._done:
            yield PossibleTap(user, message, tuple(offered), matter)
