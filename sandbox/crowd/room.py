"""A room and its people, who open a lobby, all join at the same moment, and all answer at the same moment.

In every third room, the bot's computers have some of the seats.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice

from bot.display import buttons
from bot.rooms.model import Room, Settings
from bot.rooms.names import RoomName
from engine import waiting_on
from sandbox.buttons import (
    ANSWER,
    answers_by_question,
    asks_for_second_tap,
    data_with_verb,
    newest_with_button,
)
from sandbox.game import NAMES, newest_ruleset, taps_to_choose
from sandbox.game_plan import GamePlan
from sandbox.setups import option_sets
from sandbox.telegram import Chat, Telegram, User
from sandbox.telegram.model import Message, Query

#: (ruleset, players) of the rooms, in turn. Most groups are small, and some play the larger rulesets.
SIZES = (
    ("classic", 5),
    ("online", 6),
    ("red-dawn", 6),
    ("classic", 5),
    ("xl", 6),
    ("classic", 7),
    ("online", 5),
    ("red-dawn", 5),
    ("classic", 5),
    ("online", 8),
    ("classic", 6),
    ("xl", 9),
)
#: Virtual seconds until a room's people all act: from, to.
THINKING = (1.0, 4.0)
#: The share of taps that are followed by a second one, perhaps with another choice.
TWICE = 0.08
#: Seconds without an answer after which a person taps again.
PATIENCE = 20.0
#: How many of a chat's last messages people look at.
_SCREEN = 8


def _is_open(query: Query) -> bool:
    """Return True if the tapped button is still there."""
    return query.data in data_with_verb(query.message, ANSWER)


def planned(number: int, rng: random.Random) -> GamePlan:
    """Return the game that room ``number`` plays. Every fourth room votes in the group."""
    name, players = SIZES[number % len(SIZES)]
    rules = newest_ruleset(name)
    sets = [chosen for key, chosen in option_sets(rules, players).items() if key != "all"]
    ballots = "group" if number % 4 == 3 else "private"
    return GamePlan(rules, players, dict(rng.choice(sets)), Settings(ballots=ballots))


class CrowdRoom:
    """One room and its people.

    Args:
        room: returns the stored room with a given key.
    """

    def __init__(
        self, telegram: Telegram, number: int, rng: random.Random, room: Callable[[str], Room | None]
    ) -> None:
        self.number = number
        self.plan = planned(number, rng)
        #: How many of the players are computers.
        self.computers = rng.randint(1, self.plan.players - 1) if number % 3 == 1 else 0
        self.people: list[User] = [
            telegram.add_user(name, started=True) for name in NAMES[: self.plan.players - self.computers]
        ]
        self.group: Chat = telegram.add_group(f"Crowd {number}", self.people)
        self.act_at: float | None = None
        self.over = False
        #: Taps on answers, by their query's id.
        self.taps: dict[str, Query] = {}
        #: How many of these taps were second ones.
        self.twice = 0
        self._telegram = telegram
        self._rng = rng
        self._room = room
        #: The latest tap of each person, by chat and question.
        self._answered: dict[tuple[int, str], list[Query]] = {}
        self._script = self._play()

    def __str__(self) -> str:
        return f"room {self.number} ({self.plan.game})"

    @property
    def key(self) -> str:
        """Return the room's key in the table."""
        return RoomName(self.group.id).key

    def notice(self) -> None:
        """Plan when to act next, because one of the room's chats has changed."""
        if self.act_at is None and not self.over:
            self.act_at = self._telegram.clock() + self._rng.uniform(*THINKING)

    def act(self) -> None:
        """Let everybody take their next step, all at the same moment."""
        self.act_at = None
        if next(self._script, None) is None:
            self.over = True
        # If a toast asks for a second tap, or no toast comes, no chat changes. So plan another step here.
        taps = (query for made in self._answered.values() for query in made)
        if any(_is_open(query) and (query.answer is None or self._must_repeat(query)) for query in taps):
            self.notice()

    def _play(self) -> Iterator[bool]:
        """Play from the lobby to the end. Each yield waits until something changes."""
        host = self.people[0]
        self._telegram.send(host, self.group, "/newgame")
        while (lobby := newest_with_button(self.group, "join")) is None:
            yield True
        yield from self._choose("ruleset", self.plan.rules.id)
        yield from self._tap_all([(user, lobby, self._data("join", 1)) for user in self.people])
        if self.computers:
            yield from self._tap_all([(host, lobby, self._data("computers", 1, self.computers))])
        for name, value in self.plan.options.items():
            yield from self._choose(name, value)
        yield from self._tap_all([(host, lobby, self._data("start", 1))])
        while newest_with_button(self.group, "rematch") is None:
            self._answer()
            yield True

    def _choose(self, key: str, value: str) -> Iterator[bool]:
        """Set an item of the lobby. If a broken bot lost the lobby, go on: the checks will report it."""
        room, lobby = (
            self._room(self.key),
            newest_with_button(self.group, "join") or newest_with_button(self.group, "setup"),
        )
        if room is None or lobby is None:
            return
        try:
            taps = taps_to_choose(room, key, value)
        except ValueError:
            return
        for data in taps:
            yield from self._tap_all([(self.people[0], lobby, data)])

    def _tap_all(self, taps: list[tuple[User, Message, str]]) -> Iterator[bool]:
        """Make all taps at the same moment, and wait until the bot has answered each of them."""
        made = [self._telegram.tap(user, message, data, forged=True) for user, message, data in taps]
        while any(query.answer is None for query in made):
            yield True

    def _data(self, verb: str, *args: int) -> str:
        return buttons.data(RoomName(self.group.id), verb, *args)

    def _answer(self) -> None:
        """Let everybody with a prompt answer it."""
        for user in self.people:
            self._answer_in(self._telegram.private(user), [user])
        self._answer_in(self.group, None)

    def _answer_in(self, chat: Chat, asked: list[User] | None) -> None:
        for message in islice(reversed(chat.messages.values()), _SCREEN):
            for question, choices in answers_by_question(message).items():
                if message.deleted:
                    continue
                if (made := self._answered.get((chat.id, question))) is not None:
                    made[:] = [self._repeat(query) for query in made]
                    continue
                who = self._asked(question) if asked is None else asked
                if who:
                    self._answered[chat.id, question] = [self._tap(user, message, choices) for user in who]

    def _asked(self, question: str) -> list[User]:
        """Return the people who must answer this question of the group; none if it is not open."""
        room = self._room(self.key)
        if room is None or room.match is None or room.match.game.question is None:
            return []
        if (
            question
            != f"{ANSWER}|{RoomName(self.group.id).short}|{room.match.number}|{room.match.game.asked}"
        ):
            return []
        people, waiting = room.match.in_person, waiting_on(room.match.game)
        return [self._telegram.users[people[seat]] for seat in waiting if seat in people]

    def _repeat(self, query: Query) -> Query:
        """Repeat a tap if needed; return the latest tap."""
        return self._tap(query.user, query.message, [query.data]) if self._must_repeat(query) else query

    def _must_repeat(self, query: Query) -> bool:
        """Return True if the bot asked for a second tap, or showed no toast though the button is still there.

        Toasts can be missing: if an update is delivered twice, the second delivery may be answered first,
        without a toast. And Telegram refuses answers that come too late.
        """
        silent = not query.answer.text if query.answer else self._telegram.clock() > query.time + PATIENCE
        return (silent or asks_for_second_tap(query)) and _is_open(query)

    def _tap(self, user: User, message: Message, choices: list[str]) -> Query:
        for again in range(1 + (self._rng.random() < TWICE)):
            query = self._telegram.tap(user, message, self._rng.choice(choices))
            self.taps[query.id] = query
            self.twice += again
        return query
