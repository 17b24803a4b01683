"""One bot with many groups whose games have just started, in the simulated cloud and in virtual time."""

import random
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from bot.conversation.lobby.sealing import begin
from bot.conversation.outcome import Context
from bot.rooms.codec import SCHEMA, decode, encode, first_setup
from bot.rooms.model import Lobby, Match, Room
from bot.rooms.names import ChatId, RoomName, UserId
from bot.rooms.player import Player
from handlers.service import effects
from handlers.service.build import build
from infra.observability import Log
from infra.store.items import Change, RoomItem
from local.dynamodb import Client
from local.queue import QueueClient
from sandbox.cloud.faults import Fault
from sandbox.faults.ledger import Owed
from sandbox.faults.world import World
from sandbox.game import NAMES
from sandbox.harness import sketch
from sandbox.item_size import item_size
from sandbox.random_players import RandomPlayers
from sandbox.telegram import Chat, User
from sandbox.telegram.transport import StandinRequest


def is_judged(message: Owed) -> bool:
    """Return False for an edit in a group, which the group's limit per minute may delay."""
    return message.entry.chat > 0 or message.entry.target is None


def seconds_waited(message: Owed, now: float) -> float:
    """Return the seconds that a message waited in its outbox (until ``now``), without its intended delay."""
    until = message.removed_at if message.removed else now
    return max(0.0, until - message.written - (message.entry.hold_seconds or 0))


class SharedBot:
    """A bot in the simulated cloud, without faults, for several groups.

    ``paced``: True if the bot limits its own pace; False if it only waits when Telegram refuses.
    """

    def __init__(self, seed: int, *, paced: bool = True) -> None:
        self.world = World(seed, calm=True, paced=paced)
        self.clock = self.world.clock
        self.telegram = self.world.telegram
        self.rng = random.Random(f"shared/{seed}")
        #: The size of the largest item of a room so far, in bytes.
        self.largest = 0
        #: False once nobody answers any more.
        self.playing = True
        self.world.table.watchers.append(self._stored)
        client: Any = Client(self.world.table)
        sqs: Any = QueueClient(lambda body, delay: self.world.queue.put(body, delay, Fault.NONE))
        #: A bot without a pace, to set up the rooms.
        self.built = build(
            self.world.configuration,
            dynamodb=client,
            sqs=lambda: sqs,
            request=StandinRequest(self.telegram),
            clock=self.clock,
            log=Log(lambda level, line: None),
            draw=sketch,
            limited=False,
        )

    def close(self) -> None:
        """End the bot's processes."""
        self.built.app.gateway.close()
        self.world.close()

    def repeat(self, seconds: float, act: Callable[[], object]) -> None:
        """Call ``act`` every ``seconds`` seconds."""

        def again() -> None:
            self.world.machine.after(seconds, again)
            act()

        self.world.machine.after(seconds, again)

    def run(self, seconds: float) -> None:
        """Let virtual time pass. The bot must not fail meanwhile."""
        end = self.clock() + seconds
        while self.clock() < end and self.world.machine.step():
            pass
        assert not self.world.broken, self.world.broken[:3]

    @property
    def messages(self) -> Iterable[Owed]:
        """Return all messages that rooms wrote, in order."""
        return self.world.ledger.owed.values()

    def _stored(self, key: tuple[str, str], before: Any, after: Any) -> None:
        if key[1] == "room" and after is not None:
            self.largest = max(self.largest, item_size(after))


def choose_steadily(user: User, offered: Sequence[str]) -> str:
    """Return a choice that depends only on the question, not on the order or the time of taps."""
    return random.Random(f"{user.id}/{offered}").choice(offered)


class Group:
    """A group with a game that has just started: roles are dealt, and the first President is asked.

    ``among``: people who also play in other groups. ``forum``: play in a new topic of this forum.
    """

    def __init__(
        self, bot: SharedBot, players: int, *, among: Iterable[User] = (), forum: Chat | None = None
    ) -> None:
        self.bot, tg = bot, bot.telegram
        self.people = [*among]
        self.people += [tg.add_user(name, started=True) for name in NAMES[len(self.people) : players]]
        self.group = forum or tg.add_group("The Reichstag", self.people)
        self.topic: int | None = None
        if forum is not None:
            for user in self.people:
                tg.join(user, forum)
            self.topic = tg.add_topic(forum, "A table").id
        self.name = RoomName(ChatId(self.group.id), self.topic)
        self._start_game()
        for user in self.people:
            bot.built.app.users.save(user.id, may_write=True, add_rooms=[self.name.key])

    def _start_game(self) -> None:
        app = self.bot.built.app
        room = Room(self.name.chat, self.topic, title=self.group.title, lobby_count=1)
        players = tuple(Player(UserId(user.id), user.first_name, "en") for user in self.people)
        entropy = self.bot.rng.randbytes(32).hex()
        known = Context(int(app.clock()), entropy, "shared_bot", b"key", counted=frozenset())
        begun = begin(room, Lobby(1, players[0].id, first_setup(), players), known)
        entries = effects.entries(begun.room, begun.effects)
        made = app.rooms.create(self.name.key, Change(encode(begun.room), SCHEMA, None, entries))
        assert isinstance(made, RoomItem)
        app.outbox_service.deliver(made, "setting up", app.clock() + 60)

    def say(self, user: User, text: str) -> None:
        """Write a message in the group."""
        self.bot.telegram.send(user, self.group, text, self.topic)

    def play(self, thinking: tuple[float, float], looking: float, besides: Sequence[User] = ()) -> None:
        """Let people answer each prompt, except those in ``besides``.

        They look for prompts every ``looking`` seconds, and then think, from and to ``thinking`` seconds.
        """
        people = [user for user in self.people if user not in besides]
        rng = random.Random(self.bot.rng.random())
        seats = RandomPlayers(self.bot.telegram, people, rng, choose=choose_steadily)

        def look() -> None:
            for user, message in seats.prompts() if self.bot.playing else ():
                self.bot.world.machine.after(rng.uniform(*thinking), partial(tap, user, message))

        def tap(user: User, message: Any) -> None:
            if self.bot.playing:
                seats.tap(user, message)

        self.bot.repeat(looking, look)

    def match(self) -> Match:
        """Return the stored game."""
        item = self.bot.built.app.rooms.load_following(self.name.key)
        assert item is not None
        match = decode(item.body, item.schema).match
        assert match is not None
        return match
