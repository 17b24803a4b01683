"""A person who practises in their private chat, a room with its own game, while the group plays."""

from __future__ import annotations

import random
from typing import Any

from bot.rooms.names import UserId, private_room
from sandbox.buttons import data_with_verb, newest_with_button

from .people import PATIENCE_SECONDS, Person
from .world import World

NAME = "Sophie"
#: The maximum number of seconds between two looks for buttons other than answers.
_LOOKS = 20.0
#: By verb, the probability of tapping such a button at a look.
_TRIES = {"advise": 0.3, "claim": 0.3}


class Practiser(Person):
    """A person who practises. To get a lost prompt again, they repeat the command and continue."""

    def __init__(self, world: World, seed: int) -> None:
        rng = random.Random(f"practiser/{seed}")
        user = world.telegram.add_user(NAME, started=True)
        super().__init__(world, user, world.telegram.private(user), rng, (0.5, 6.0), rng.choice((0.0, 0.1)))
        self.key = private_room(UserId(user.id)).key
        world.practises(user.id)
        self._asked_at = -1e9
        world.machine.after(rng.uniform(0, 60), self._do_more)

    @property
    def over(self) -> bool:
        """Return True if the practice game is over."""
        match = self._body.get("match")
        return match is not None and match["game"]["question"] is None

    @property
    def _body(self) -> dict[str, Any]:
        return self.world.history.bodies.get(self.key, {})

    def _do_more(self) -> None:
        """Do other things besides answering."""
        self.world.machine.after(self.rng.uniform(1, _LOOKS), self._do_more)
        if self.over or not self.playing:
            return
        if self._body.get("match") is not None:
            for verb, often in _TRIES.items():
                if self.rng.random() < often:
                    self._tap_newest(verb)
            if self.rng.random() < 0.03:
                self.start_private()
        elif self._body.get("lobby") is None or not self._tap_newest("start"):
            self._ask_again()

    def _tap_newest(self, verb: str) -> bool:
        """Tap a button of this verb under the newest message that has one; return False if there is none."""
        message = newest_with_button(self.group, verb)
        if message is not None:
            self.world.telegram.tap(self.user, message, self.rng.choice(data_with_verb(message, verb)))
        return message is not None

    def _ask_again(self) -> None:
        if self.world.clock() - self._asked_at > PATIENCE_SECONDS:
            self._asked_at = self.world.clock()
            self._ask()

    def _ask(self) -> None:
        self.world.telegram.send(self.user, self.group, "/practice")

    def start_private(self) -> None:
        """Ask for practice again, and tap the button that continues it."""
        self._ask()
        self.world.machine.after(PATIENCE_SECONDS, self._continue)

    def _continue(self) -> None:
        message = newest_with_button(self.group, "practice")
        if message is not None:
            self.world.telegram.tap(self.user, message, data_with_verb(message, "practice")[0])
