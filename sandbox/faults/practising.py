"""Somebody who practises in their own chat while the group plays. Their chat is a room with its own game."""

from __future__ import annotations

import random
from typing import Any

from bot.rooms.names import RoomName
from sandbox.offered import newest, offered

from .people import PATIENCE_SECONDS, Person
from .world import World

NAME = "Sophie"
#: The most seconds between two looks for other buttons than answers.
_LOOKS = 20.0
#: The probability to tap each kind of button at a look, if there is one.
_TRIES = {"advise": 0.3, "claim": 0.3}


class Practiser:
    """A person who practises, and what they do besides answering."""

    def __init__(self, world: World, seed: int) -> None:
        self._world = world
        self._rng = random.Random(f"practiser/{seed}")
        user = world.telegram.add_user(NAME, started=True)
        self._chat = world.telegram.private(user)
        self.person = OnTheirOwn(world, user, self._chat, self._rng, (0.5, 6.0), self._rng.choice((0.0, 0.1)))
        self.key = RoomName(user.id).key
        world.practises(user.id)
        self._asked_at = -1e9
        world.machine.after(self._rng.uniform(0, 60), self._look)

    @property
    def over(self) -> bool:
        """Return True if the game is over."""
        match = self._body.get("match")
        return match is not None and match["game"]["question"] is None

    @property
    def _body(self) -> dict[str, Any]:
        return self._world.history.bodies.get(self.key, {})

    def _look(self) -> None:
        self._world.machine.after(self._rng.uniform(1, _LOOKS), self._look)
        if self.over or not self.person.playing:
            return
        if self._body.get("match") is not None:
            for verb, often in _TRIES.items():
                if self._rng.random() < often:
                    self._tap(verb)
            if self._rng.random() < 0.03:
                self.person.start_private()
        elif self._body.get("lobby") is None or not self._tap("start"):
            self._ask()

    def _tap(self, verb: str) -> bool:
        """Tap a button of this verb under the newest message with one; return False if there is none."""
        message = newest(self._chat, verb)
        if message is not None:
            self._world.telegram.tap(self.person.user, message, self._rng.choice(offered(message, verb)))
        return message is not None

    def _ask(self) -> None:
        if self._world.clock() - self._asked_at > PATIENCE_SECONDS:
            self._asked_at = self._world.clock()
            self._world.telegram.send(self.person.user, self._chat, "/practice")


class OnTheirOwn(Person):
    """A person who practises: to get a lost prompt again, they repeat the command and continue."""

    def start_private(self) -> None:
        """Ask for practice again, and tap the button that continues it."""
        self.world.telegram.send(self.user, self.group, "/practice")
        self.world.machine.after(PATIENCE_SECONDS, self._go_on)

    def _go_on(self) -> None:
        message = newest(self.group, "practice")
        if message is not None:
            self.world.telegram.tap(self.user, message, offered(message, "practice")[0])
