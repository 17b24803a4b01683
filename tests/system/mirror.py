"""Play a pair of worlds (see ``tests.worlds``) with two bots. The viewer must see the same in both.

Everything that a viewer's phone shows is compared: calls to the viewer's private chat and to the group
(method, texts, keyboards, callback data, message ids, picture bytes), their order, their virtual time, and
the answers to the viewer's taps.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from bot.conversation.game.deadlines import NOTICE, OPEN, deadline
from bot.display.buttons import data
from bot.rooms.model import Ballots, Switch
from engine import OFFERED, SEATS, Chance, Reply, Seat, Setup
from infra.outbox.plan import MINUTE
from sandbox.buttons import asks_for_second_tap
from sandbox.harness import harness_in_memory
from sandbox.random_games import every_setup
from sandbox.telegram import Call, Message, User
from tests.engine.builders import open_question
from tests.system.table import Table
from tests.worlds import Leak, Move, Worlds, pairs

#: Commands between two steps: by anybody in the group, and by the viewer in private.
QUESTIONS = ("/board", "/players", "/history", "/status")
PRIVATE = ("/role", "/games")
SETUPS = {rules.name: tuple(every_setup((rules,))) for rules in OFFERED}


def worlds_of(number: int, setup: Setup | None = None, viewer: Seat | None = None) -> Worlds:
    """Play pair ``number``: rulesets take turns, and the number decides the rest.

    With a setup, it is that one, and the viewer's; a pair that parts at once is passed over.
    """
    rng = random.Random(f"mirror/{number}")
    name = OFFERED[number % len(OFFERED)].name
    while True:
        drawn = setup or rng.choice(SETUPS[name])
        who = viewer if setup else rng.choice([None, *SEATS[: drawn.players]])
        for pair in pairs(drawn, rng, [who]):
            if len(pair.play().script) > 8:
                return pair


@dataclass
class Side:
    """One of the two worlds, with its own bot."""

    table: Table
    viewer: int | None
    #: A person who does not play, and guesses the Fascists.
    guesser: User

    @property
    def user(self) -> User | None:
        return None if self.viewer is None else self.table.people[self.viewer]

    def do(self, moves: tuple[Move, ...]) -> None:
        """Do all acts of a step in this world at the same time."""
        self.table.pass_time()
        for move in moves:
            self._clock() if move is None else self._tap(move)
        self.table.harness.settle()
        self._watch()

    def ask(self, rng: random.Random) -> None:
        self.table.say(self.table.people[0], rng.choice(QUESTIONS))
        for user in rng.sample(self.table.people, 2):
            if not self.table.button_gone("role"):  # the group's limit may delay it
                self.table.press(user, "role")
        if self.viewer is not None:
            self.table.seat(self.viewer).say(rng.choice(PRIVATE))
        for user in (self.guesser, *([self.user] if self.user else [])):
            self._guess(user, rng)

    def _guess(self, user: User, rng: random.Random) -> None:
        """Ask to guess the Fascists, and tap seats if allowed."""
        self.table.say(user, "/guess")
        seats = rng.sample(range(len(self.table.match().players)), 5)
        for message in list(self.table.tg.private(user).messages.values())[-1:]:
            offers = [b["callback_data"] for b in message.buttons() if "callback_data" in b]
            for seat in seats if any(offer.startswith("guess|") for offer in offers) else ():
                button = data(self.table.name, "guess", self.table.match().number, seat)
                self.table.tap(user, message, button)

    def seen(self) -> list[Any]:
        """Return everything that the viewer received, in order."""
        shown: list[Any] = []
        chats = {self.table.group.id, self.guesser.id} | ({self.user.id} if self.user else set())
        for call in self.table.tg.journal:
            if call.chat in chats and call.method != "getChatMember":
                shown.append(_shown(call))
        if self.user is not None:
            shown += [("toast", toast) for toast in self.table.tg.toasts(self.user)]
        shown += [("guess", toast) for toast in self.table.tg.toasts(self.guesser)]
        return shown

    def _watch(self) -> None:
        """Let the dead, except the viewer, see all cards if the group allows it."""
        for seat, user in enumerate(self.table.people):
            for message in self.table.tg.private(user).messages.values() if seat != self.viewer else ():
                offers = [b["callback_data"] for b in message.buttons() if "callback_data" in b]
                for offer in offers:
                    if offer.startswith("watch|"):
                        self.table.tap(user, message, offer)

    def _clock(self) -> None:
        room = self.table.room()
        assert room.playing is not None
        question = open_question(room.playing.game)
        if question.meeting:
            at = deadline(room, room.playing)
            assert at is not None
            self.table.wait_until(at + 1)
        else:
            host = self.table.people[0]
            self.table.wait(OPEN)
            self.table.say(host, "/status")
            button = data(self.table.name, "clock", room.playing.number, question.number)
            self.table.tap(host, self._message(host, button), button)
            self.table.wait(NOTICE)

    def _tap(self, move: Reply) -> None:
        match = self.table.match()
        button = data(self.table.name, "answer", match.number, move.question, move.choice)
        user = self.table.people[move.seat]
        if asks_for_second_tap(self.table.tap(user, self._message(user, button), button)):
            self.table.pass_time()
            self._tap(move)

    def _message(self, user: User, button: str) -> Message:
        """Return the message with a button. The group's limit may delay it."""
        for _ in range(int(MINUTE)):
            for chat in (self.table.tg.private(user), self.table.group):
                for message in reversed(chat.messages.values()):
                    if any(b.get("callback_data") == button for b in message.buttons()):
                        return message
            self.table.wait(1)
        raise LookupError(f"seat {user.first_name} has no such button: {button}")


def _shown(call: Call) -> Any:
    return (call.time, call.method, call.chat, call.via, repr(sorted(call.params.items())), dict(call.files))


def watcher(table: Table) -> User:
    user = table.tg.add_user("Zoe", started=True)
    table.tg.join(user, table.group)
    table.harness.settle()
    return user


@contextmanager
def side(worlds: Worlds, chance: Chance, ballots: Ballots, open_cards: Switch) -> Iterator[Side]:
    with harness_in_memory(seed=1, validated=False) as at:
        table = Table(at).gather(worlds.setup.players, worlds.setup)
        room = table.room()
        # Meetings last long enough for everything that the script does in them. No computer replaces people
        # who miss answers.
        settings = replace(
            room.settings, ballots=ballots, open_cards=open_cards, meeting=3600, stand_in="off"
        )
        table.rewrite(replace(room, settings=settings))
        table.start(chance)
        yield Side(table, worlds.viewer, watcher(table))


def compare(worlds: Worlds, number: int) -> int:
    """Play both worlds; return the number of compared calls. Raises Leak."""
    rng = random.Random(f"asking/{number}")
    ballots: Ballots = rng.choice(("private", "group"))
    open_cards: Switch = rng.choice(("on", "on", "off"))
    steps = worlds.script[:-1] if worlds.parted == "end" else worlds.script
    with (
        side(worlds, worlds.left.chance, ballots, open_cards) as left,
        side(worlds, worlds.right.chance, ballots, open_cards) as right,
    ):
        for one, other in steps:
            left.do(one)
            right.do(other)
            if rng.random() < 0.1:
                state = rng.getstate()
                left.ask(rng)
                rng.setstate(state)
                right.ask(rng)
        for world in (left, right):
            world.table.wait(30)  # so that delayed edits are sent
        return _compared(worlds, left.seen(), right.seen())


def _compared(worlds: Worlds, left: list[Any], right: list[Any]) -> int:
    for index in range(max(len(left), len(right))):
        pair = [seen[index] if index < len(seen) else None for seen in (left, right)]
        if pair[0] != pair[1]:
            raise Leak(f"viewer {worlds.viewer} of {worlds.setup}: message {index}\n{pair[0]}\n{pair[1]}")
    return len(left)
