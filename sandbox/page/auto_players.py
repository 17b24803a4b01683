"""Let people on the page play automatically: they join, and answer as a computer in their seat would."""

import random
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from sandbox.buttons import answer_data, asks_for_second_tap, data_with_verb, newest_with_button, question_of
from sandbox.telegram import Chat, Message, Query, Telegram, User

#: Seconds that a person takes to answer (from, to), by the name of the pace.
PACES = {"paused": None, "slow": (3.0, 8.0), "calm": (1.0, 3.0), "quick": (0.1, 0.4), "at once": (0.0, 0.0)}
#: Seconds until a person makes the second tap that the bot asks for.
SECOND_TAP_AFTER = 1.2
#: A person's id, and the question or button that they can tap.
Key = tuple[int, str]
#: A person, a message, and the buttons of which the person can tap one.
PossibleTap = tuple[User, Message, list[str]]
#: The verbs of the buttons that join and start a game.
JOIN, START = "join", "start"


class AutoPlayers:
    """Act for those people of a group whose ids are in ``on``.

    Args:
        telegram: the Telegram with the group.
        group: the group's chat.
        people: everybody in the group.
        asked: returns the ids of the people who must answer now.
        advised: gets a person and the callback data of their answers; returns the answer that a computer
            would give, or None for any answer.
    """

    def __init__(
        self,
        telegram: Telegram,
        group: Chat,
        people: list[User],
        asked: Callable[[], Collection[int]],
        advised: Callable[[User, Sequence[str]], str | None],
    ) -> None:
        self.telegram = telegram
        self.group = group
        self.people = people
        self.rng = random.Random()
        self.asked = asked
        self.advised = advised
        self.on: set[int] = set()
        self.pace = "calm"
        #: The latest tap on each question or button, by automatic players or on the page.
        self._taps: dict[Key, Query] = {}
        self._plan: dict[Key, float] = {}

    def note(self, tapped: Query) -> None:
        """Note a tap. Its question is done unless the bot asks for a second tap."""
        self._taps[tapped.user.id, question_of(tapped.data)] = tapped

    def owes(self, user: User) -> bool:
        """Return True if a prompt in the person's private chat waits for an answer."""
        return next(self._open(user, self.telegram.private(user)), None) is not None

    @property
    def patience(self) -> float | None:
        """Return the maximum seconds that a person takes at the current pace; None: nobody acts."""
        pace = PACES[self.pace]
        return None if pace is None else pace[1]

    def set_pace(self, pace: str) -> None:
        """Change the pace, and plan all times again. Raises ValueError if there is no such pace."""
        if pace not in PACES:
            raise ValueError("no such pace")
        self.pace = pace
        self._plan.clear()

    @property
    def next_at(self) -> float | None:
        """Return when the next person acts, in seconds since 1970, or None."""
        return min(self._plan.values(), default=None)

    def plan(self) -> dict[Key, PossibleTap]:
        """Plan when each person will act on what they could tap now, and return these taps."""
        possible = (tap for user in self._acting() for tap in self._possible_taps(user))
        taps = {(tap[0].id, question_of(tap[2][0])): tap for tap in possible}
        pace, now, known = PACES[self.pace], time.time(), self._plan
        self._plan = {}
        for key in taps if pace is not None else ():
            assert pace is not None
            passed = self.telegram.clock() - self._taps[key].time if key in self._taps else SECOND_TAP_AFTER
            self._plan[key] = known.get(key) or now + max(self.rng.uniform(*pace), SECOND_TAP_AFTER - passed)
        return taps

    def act(self) -> bool:
        """Let the next person act whose time has come; return False if there is none."""
        taps = self.plan()
        key = min(self._plan, key=self._plan.__getitem__, default=None)
        if key is None or self._plan[key] > time.time():
            return False
        del self._plan[key]
        user, message, offered = taps[key]
        data = self.advised(user, offered) or self.rng.choice(offered)
        self.note(self.telegram.tap(user, message, data))
        return True

    def follow(self, people: Iterable[User] | None = None) -> bool:
        """Follow links to the private chat that answered taps; return True if anybody did.

        ``people``: those who do; by default, those who play automatically.
        """
        followed = False
        for user in self._acting() if people is None else people:
            urls = [toast.url for toast in self.telegram.toasts(user) if toast.url]
            if urls and not user.started:
                self.telegram.open_link(user, urls[-1])
                followed = True
        return followed

    def _acting(self) -> list[User]:
        return [user for user in self.people if user.id in self.on and not user.blocked]

    def _possible_taps(self, user: User) -> Iterator[PossibleTap]:
        yield from self._open(user, self.telegram.private(user))
        # ``asked`` reads the stored room. So call it only if a message of the group offers answers.
        yield from (tap for tap in self._open(user, self.group) if user.id in self.asked())
        lobby = newest_with_button(self.group, JOIN)
        if lobby is None or lobby.deleted:
            return
        join = data_with_verb(lobby, JOIN)
        yield from self._possible_tap(user, lobby, join)
        # If all people play automatically, the first one starts the game.
        if user is self.people[0] and all(
            person.id in self.on and (person.id, question_of(join[0])) in self._taps for person in self.people
        ):
            yield from self._possible_tap(user, lobby, data_with_verb(lobby, START))

    def _open(self, user: User, chat: Chat) -> Iterator[PossibleTap]:
        # Only the newest question counts, since older ones are closed.
        for message in reversed(chat.messages.values()):
            if not message.deleted and (found := answer_data(message)):
                yield from self._possible_tap(user, message, found)
                return

    def _possible_tap(self, user: User, message: Message, offered: list[str]) -> Iterator[PossibleTap]:
        if offered:
            tapped = self._taps.get((user.id, question_of(offered[0])))
            if tapped is None:
                yield user, message, offered
            elif asks_for_second_tap(tapped):
                yield user, message, [tapped.data]
