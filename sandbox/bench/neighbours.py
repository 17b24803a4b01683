"""Measure how much longer one group's messages wait if other groups cause trouble for the same bot."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.rooms.codec import decode
from bot.rooms.model import Match
from bot.rooms.names import RoomName
from bot.rooms.player import Player
from handlers.service.build import build
from infra.observability import Log
from infra.store.entries import unpack_entry
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable
from infra.telegram.loop import Loop
from local.dynamodb import Client
from local.queue import QueueClient
from sandbox.cloud.faults import Fault, FaultPlan
from sandbox.cloud.network import USUAL
from sandbox.faults.world import World
from sandbox.game import NAMES
from sandbox.harness import TABLE
from sandbox.item_size import item_size
from sandbox.measurements import Section, table
from sandbox.random_players import RandomPlayers
from sandbox.sketch import sketch
from sandbox.started_games import store_started_game
from sandbox.telegram import Chat, User
from sandbox.telegram.limits import FloodLimits
from sandbox.telegram.transport import StandinRequest

#: Virtual seconds: of play, between two looks at prompts, and until a neighbour answers.
SECONDS, LOOKING, THINKING = 900, 10.0, 40.0
#: The goals: seconds that a message may wait longer, and bytes of a room's item.
MOST_LONGER, MOST_BYTES = 2.0, 100 * 1024
HOUR = 3600.0


#: A message's chat and text, and its number among the messages with this text in this chat.
MessageKey = tuple[int, str, int]


class SteadyPlayers(RandomPlayers):
    """People whose choices depend only on the question, not on the order or the time of taps."""

    def choose(self, user: User, offered: Sequence[str]) -> str:
        """Return the callback data that a person taps, always the same for the same question."""
        return random.Random(f"{user.id}/{offered}").choice(offered)


class SharedBot:
    """A bot in the simulated cloud with several groups."""

    def __init__(self, seed: int) -> None:
        self.world = World(seed, FaultPlan.none(), USUAL, judged=False)
        self.clock = self.world.clock
        self.telegram = self.world.telegram
        self.rng = random.Random(f"neighbours/{seed}")
        self.largest = 0
        #: Seconds that each message of the watched room waited, without its intended delay.
        self.waited: dict[MessageKey, float] = {}
        self.watched = ""
        #: The waiting messages of the watched room by entry: the key, and the earliest time to send it.
        self._written: dict[str, tuple[MessageKey, float]] = {}
        self._seen: Counter[tuple[int, str]] = Counter()
        self.world.table.watchers.append(self._stored)
        client: Any = Client(self.world.table)
        sqs: Any = QueueClient(lambda body, delay: self.world.queue.put(body, delay, Fault.NONE))
        self.rooms = Rooms(DynamoTable(client, TABLE), self.clock)
        self._loop = Loop()
        #: A bot without a pace, to set up the rooms.
        self.built = build(
            self.world.configuration,
            dynamodb=client,
            sqs=lambda: sqs,
            request=StandinRequest(self.telegram),
            clock=self.clock,
            loop=self._loop,
            log=Log(lambda level, line: None),
            draw=sketch,
            limited=False,
        )

    def close(self) -> None:
        """End the bot's processes."""
        self._loop.close()
        self.world.close()

    def waiting(self) -> dict[MessageKey, float]:
        """Return the seconds that each still waiting message of the watched room has waited."""
        return {message: max(0.0, self.clock() - since) for message, since in self._written.values()}

    def repeat(self, seconds: float, act: Callable[[], object]) -> None:
        """Call ``act`` every ``seconds`` seconds."""

        def again() -> None:
            self.world.machine.after(seconds, again)
            act()

        self.world.machine.after(seconds, again)

    def run(self, seconds: float) -> None:
        """Let virtual time pass."""
        end = self.clock() + seconds
        while self.clock() < end and self.world.machine.step():
            pass

    def _stored(self, key: tuple[str, str], before: Any, after: Any) -> None:
        if key[1] != "room" or after is None:
            return
        self.largest = max(self.largest, item_size(after))
        if key[0] != self.watched:
            return
        was, now = before["outbox"]["M"] if before else {}, after["outbox"]["M"]
        for identifier in sorted(now.keys() - was.keys()):
            entry = unpack_entry(now[identifier]["B"])
            # A group's limit per minute may delay an edit of its status.
            if entry.chat > 0 or entry.target is None:
                said = entry.chat, str(entry.params.get("text") or entry.params.get("caption"))
                self._seen[said] += 1
                self._written[identifier] = (
                    (*said, self._seen[said]),
                    self.clock() + (entry.hold_seconds or 0),
                )
        for identifier in self._written.keys() & (was.keys() - now.keys()):
            message, since = self._written.pop(identifier)
            self.waited[message] = max(0.0, self.clock() - since)


class Neighbour:
    """A group with a game that has just started."""

    def __init__(
        self, bot: SharedBot, players: int, *, among: Sequence[User] = (), forum: Chat | None = None
    ) -> None:
        self.bot = bot
        tg = bot.telegram
        self.people = [*among, *(tg.add_user(name, started=True) for name in NAMES[len(among) : players])]
        self.group = forum or tg.add_group("The Reichstag", self.people)
        topic = None
        if forum is not None:
            for user in self.people:
                tg.join(user, forum)
            topic = tg.add_topic(forum, "A table").id
        self.topic = topic
        self.name = RoomName(self.group.id, topic)
        seated = [Player(user.id, user.first_name, "en") for user in self.people]
        store_started_game(bot.built, self.name, "The Reichstag", seated, bot.rng.randbytes(32).hex())
        for user in self.people:
            bot.built.app.users.save(user.id, may_write=True, add_rooms=[self.name.key])

    def say(self, user: User, text: str) -> None:
        """Write a message in the group."""
        self.bot.telegram.send(user, self.group, text, self.topic)

    def ask(self, seconds: float) -> None:
        """Let people ask for the status in turn, every ``seconds`` seconds."""
        people = itertools.cycle(self.people)
        self.bot.repeat(seconds, lambda: self.say(next(people), "/status"))

    def play(self, thinking: float = THINKING, besides: Sequence[User] = ()) -> None:
        """Let people answer each prompt within ``thinking`` seconds, except those in ``besides``."""
        people = [user for user in self.people if user not in besides]
        rng = random.Random(self.bot.rng.random())
        seats = SteadyPlayers(self.bot.telegram, people, rng)

        def answer() -> None:
            for user, message in seats.prompts():
                self.bot.world.machine.after(rng.uniform(0, thinking), partial(seats.tap, user, message))

        self.bot.repeat(LOOKING, answer)

    def match(self) -> Match:
        """Return the stored game."""
        item = self.bot.rooms.load_following(self.name.key)
        assert item is not None
        match = decode(item.body, item.schema).match
        assert match is not None
        return match


# --- what neighbours do -------------------------------------------------------------------------------------

#: Adds a group to a shared bot, and returns a function that starts the trouble.
Trouble = Callable[[SharedBot], Callable[[], None]]


def slow_mode(bot: SharedBot) -> Callable[[], None]:
    """Add a group in slow mode of an hour, in which people play and ask for the status."""
    slow = Neighbour(bot, 5)

    def begin() -> None:
        slow.group.slow_mode = int(HOUR)
        bot.telegram.flood.count(slow.group.id, bot.clock())
        slow.play()
        slow.ask(7.0)

    return begin


def forum(bot: SharedBot, topics: int = 30) -> Callable[[], None]:
    """Add a forum with games in thirty topics, which share the limit of one group."""
    owner = bot.telegram.add_user("Otto", started=True)
    chat = bot.telegram.add_group("Forum", [owner], forum=True)
    tables = [Neighbour(bot, 5, forum=chat) for _ in range(topics)]

    def begin() -> None:
        for one in tables:
            one.play()
            one.ask(30.0)

    return begin


def full_private_chats(bot: SharedBot) -> Callable[[], None]:
    """Add a game with two people whose private chats refuse messages for an hour."""
    full = Neighbour(bot, 5)

    def begin() -> None:
        for user in full.people[2:4]:
            bot.telegram.flood.closed[user.id] = bot.clock() + HOUR
        full.play()

    return begin


def coming_and_going(bot: SharedBot) -> Callable[[], None]:
    """Add a player who leaves and returns, with one act per second."""
    home = Neighbour(bot, 7)
    ben, tg = home.people[1], bot.telegram

    def act(number: int) -> None:
        match = home.match()
        seat = "|".join((home.name.short, str(match.number), "1"))
        message = home.group.messages[max(home.group.messages)]
        if number % 3 == 0:
            home.say(ben, "/leave")
        else:
            tg.tap(ben, message, f"quit|{seat}|1" if number % 3 == 1 else f"sit|{seat}", forged=True)

    def begin() -> None:
        home.play(besides=[ben])
        numbers = itertools.count()
        bot.repeat(1.0, lambda: act(next(numbers)))

    return begin


def pressing_start(bot: SharedBot, groups: int = 10) -> Callable[[], None]:
    """Add a person who must answer in ten groups, but only presses Start once a second."""
    anna = bot.telegram.add_user("Anna", started=True)
    tables = [Neighbour(bot, 5, among=[anna]) for _ in range(groups)]

    def begin() -> None:
        for one in tables:
            one.play(besides=[anna])
        bot.repeat(1.0, lambda: bot.telegram.send(anna, bot.telegram.private(anna), "/start"))

    return begin


TROUBLES: dict[str, Sequence[Trouble]] = {
    "a group in slow mode of an hour": [slow_mode],
    "a forum of 30 topics": [forum],
    "two full private chats": [full_private_chats],
    "a player leaves and returns, an act a second": [coming_and_going],
    "somebody in ten groups presses Start once a second": [pressing_start],
}
TROUBLES["all of them"] = [trouble for (trouble,) in TROUBLES.values()]


# --- the measurement ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Impact:
    """How much longer a group's messages wait because of its neighbours."""

    #: The number of compared messages.
    messages: int
    #: The longest wait in seconds without the trouble, and with it.
    before: float
    after: float
    #: The maximum number of seconds that a message waited longer because of the trouble.
    longer: float
    #: The size of the largest item of a room, in bytes.
    largest: int

    @property
    def reached(self) -> bool:
        """Return True if both goals are reached."""
        return self.messages > 0 and self.longer <= MOST_LONGER and self.largest <= MOST_BYTES


def measure_impact(troubles: Sequence[Trouble], seconds: float = SECONDS, seed: int = 1) -> Impact:
    """Play the same game twice: with calm neighbours, and with the same neighbours causing trouble."""
    calm, _ = _waits(troubles, seconds, seed, begun=False)
    loud, largest = _waits(troubles, seconds, seed, begun=True)
    both, before = calm.keys() & loud.keys(), max(calm.values())
    # A few texts differ, such as a count of ballots. Those messages are compared with the longest calm wait.
    longer = max(loud[each] - (calm[each] if each in both else before) for each in loud)
    if len(both) <= 0.95 * max(len(calm), len(loud)):
        longer = math.inf  # the games differ too much, such as if one stopped
    return Impact(len(both), before, max(loud.values()), longer, largest)


def _waits(
    troubles: Sequence[Trouble], seconds: float, seed: int, *, begun: bool
) -> tuple[dict[MessageKey, float], int]:
    with closing(SharedBot(seed)) as bot:
        begins = [trouble(bot) for trouble in troubles]
        fine = Neighbour(bot, 7)
        bot.watched = fine.name.key
        # Let the group's minute pass in which the games were set up.
        bot.run(120)
        # Telegram enforces its limits per group and per bot, but tolerates bursts in one chat.
        bot.telegram.flood.limits = FloodLimits(per_chat_second=None)
        fine.play(thinking=0)
        if begun:
            for begin in begins:
                begin()
        bot.run(seconds)
        return bot.waited | bot.waiting(), bot.largest


def run() -> Section:
    """Measure each kind of neighbour, and all of them together."""
    rows = []
    for name, troubles in TROUBLES.items():
        found = measure_impact(troubles)
        waits = [f"{value:.1f} s" for value in (found.before, found.after, found.longer)]
        rows.append([name, found.messages, *waits, found.largest, "yes" if found.reached else "no"])
    return Section(
        "Neighbours",
        f"""A group of seven plays with private ballots for {SECONDS} virtual seconds. Each seat answers at
        most {LOOKING:g} s after it is asked. Meanwhile other groups cause trouble for the same bot. Each of
        the group's messages (posts, and edits in private) is compared with the same message of the same game
        in which the others do nothing. The intended pause before an ending does not count. Goal: no message
        waits
        more than {MOST_LONGER:g} s longer, and no room's item is larger than {MOST_BYTES:,} bytes.""",
        table(
            [
                "neighbours",
                "messages",
                "longest wait alone",
                "with them",
                "longer",
                "largest item",
                "reached",
            ],
            rows,
        ),
    )
