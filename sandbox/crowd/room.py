"""A room and its people, who open a lobby, all join at the same moment, and all answer at the same moment.

In every third room, the bot's computers have some of the seats.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from pydantic_core import to_json

from bot.display import buttons
from bot.rooms.codec import SCHEMA, decode
from bot.rooms.model import Room, Settings
from bot.rooms.names import RoomName
from engine import waiting_on
from sandbox.buttons import answer_data, newest_with_button
from sandbox.faults.world import World
from sandbox.game import NAMES, newest_ruleset, taps_to_choose
from sandbox.game_plan import GamePlan
from sandbox.random_players import RandomPlayers
from sandbox.setups import option_sets
from sandbox.telegram import Chat, Message, User

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


def planned(number: int, rng: random.Random) -> GamePlan:
    """Return the game that room ``number`` plays. Every fourth room votes in the group."""
    name, players = SIZES[number % len(SIZES)]
    rules = newest_ruleset(name)
    sets = [chosen for key, chosen in option_sets(rules, players).items() if key != "all"]
    ballots = "group" if number % 4 == 3 else "private"
    return GamePlan(rules, players, dict(rng.choice(sets)), Settings(ballots=ballots))


class Impatient(RandomPlayers):
    """People of whom some tap a second time at once, perhaps with another choice."""

    def choose(self, user: User, offered: Sequence[str]) -> str:
        """Return the callback data that a person taps, and sometimes tap before."""
        choice = super().choose(user, offered)
        if self.rng.random() < TWICE:
            message = next(m for m in self._chats(user) if choice in answer_data(m))
            self.telegram.tap(user, message, self.rng.choice(offered))
        return choice

    def _chats(self, user: User) -> Iterator[Message]:
        assert self.group is not None
        for chat in (self.telegram.private(user), self.group):
            yield from reversed(chat.messages.values())


class CrowdRoom:
    """One room and its people."""

    def __init__(self, world: World, number: int, rng: random.Random) -> None:
        telegram = world.telegram
        self.number = number
        self.plan = planned(number, rng)
        #: How many of the players are computers.
        self.computers = rng.randint(1, self.plan.players - 1) if number % 3 == 1 else 0
        self.people: list[User] = [
            telegram.add_user(name, started=True) for name in NAMES[: self.plan.players - self.computers]
        ]
        self.group: Chat = telegram.add_group(f"Crowd {number}", self.people)
        self.key = RoomName(self.group.id).key
        self.over = False
        self._world = world
        self._telegram = telegram
        self._rng = rng
        self._players = Impatient(telegram, self.people, rng, self.group, self._asked)
        self._planned = False
        self._script = self._play()

    def __str__(self) -> str:
        return f"room {self.number} ({self.plan.game})"

    @property
    def body(self) -> dict[str, Any]:
        """Return the stored room."""
        return self._world.history.bodies[self.key]

    def _room(self) -> Room:
        return decode(to_json(self.body), SCHEMA)

    def notice(self) -> None:
        """Plan when to act next, because one of the room's chats has changed, or a toast came."""
        if not self._planned and not self.over:
            self._planned = True
            self._world.machine.after(self._rng.uniform(*THINKING), self.act)

    def act(self) -> None:
        """Let everybody take their next step, all at the same moment."""
        self._planned = False
        self.over = next(self._script, None) is None

    def _play(self) -> Iterator[bool]:
        """Play from the lobby to the end. Each yield waits until something changes."""
        host = self.people[0]
        self._telegram.send(host, self.group, "/newgame")
        while newest_with_button(self.group, "join") is None:
            yield True
        yield from self._choose("ruleset", self.plan.rules.id)
        yield from self._tap_all(self.people, self._data("join", 1))
        if self.computers:
            yield from self._tap_all([host], self._data("computers", 1, self.computers))
        for name, value in self.plan.options.items():
            yield from self._choose(name, value)
        yield from self._tap_all([host], self._data("start", 1))
        while newest_with_button(self.group, "rematch") is None:
            for user, message in self._players.prompts():
                self._players.tap(user, message)
            yield True

    def _choose(self, key: str, value: str) -> Iterator[bool]:
        """Set an item of the lobby. If a broken bot lost the lobby, go on: the checks will report it."""
        with suppress(ValueError):
            for data in taps_to_choose(self._room(), key, value):
                yield from self._tap_all(self.people[:1], data)

    def _tap_all(self, users: Sequence[User], data: str) -> Iterator[bool]:
        """Let all tap at the same moment, and wait until the bot has answered each of them."""
        lobby = newest_with_button(self.group, "join") or newest_with_button(self.group, "setup")
        made = [self._telegram.tap(user, lobby, data, forged=True) for user in users if lobby is not None]
        while any(query.answer is None for query in made):
            yield True

    def _data(self, verb: str, *args: int) -> str:
        return buttons.data(RoomName(self.group.id), verb, *args)

    def _asked(self) -> list[int]:
        """Return the places in ``people`` of those who must answer in the group."""
        match = self._room().match
        if match is None or match.game.question is None:
            return []
        ids = [user.id for user in self.people]
        return [
            ids.index(match.in_person[seat]) for seat in waiting_on(match.game) if seat in match.in_person
        ]
