"""Run many rooms at once in virtual time: the bot's entries in simulated processes, and people who answer."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.rooms.names import RoomName
from bot.rooms.player import Player
from handlers import wakeup, webhook
from handlers.service.build import Built, build
from infra.configuration import Configuration
from infra.observability import Log
from infra.store.entries import unpack_entry
from infra.telegram.loop import Loop
from local.dynamodb import Client, LocalTable
from local.invocation import webhook_event
from local.queue import QueueClient
from sandbox.cloud.clients import queue_client, store_client
from sandbox.cloud.faults import Fault, FaultPlan, FaultSource
from sandbox.cloud.functions import WATCHDOG, Functions, LambdaContext
from sandbox.cloud.loop import ProcessLoop
from sandbox.cloud.machine import Machine
from sandbox.cloud.network import USUAL, Arrival, BotProcess, Network, raising
from sandbox.cloud.queue import Done, Queue
from sandbox.harness import ENVIRONMENT, SECRET
from sandbox.promises.invocation import Invocation
from sandbox.sketch import sketch
from sandbox.started_games import store_started_game
from sandbox.telegram import VirtualClock
from sandbox.telegram.transport import OfflineRequest

from .telegram import StormTelegram

PLAYERS = 7
#: Virtual seconds until a seat answers: from, to.
THINKING = (8.0, 50.0)
#: The number of updates that Telegram delivers at once (``MaxConnections`` in ``template.yaml``).
CONNECTIONS = 40
#: With limited chats, one room in this many is in slow mode, and one has two full private chats. Then:
#: seconds between two posts in slow mode, and seconds until full chats accept messages again.
LIMITED, SLOW, FULL = 50, 30.0, 300.0
_TOKEN = "424242:storm-token-of-no-value"
_CALM = 120.0
#: The ids of the first group and of the first person. Groups count downwards.
GROUP, PERSON = -1_001_000_000_000, 10_000_000


@dataclass(slots=True)
class Counters:
    """Count messages and wake-ups."""

    #: Messages that wait now in rooms without limited chats.
    waiting: int = 0
    #: Messages that wait now in rooms with limited chats.
    held: int = 0
    #: The maximum of ``waiting``.
    most: int = 0
    #: Seconds that each sent message waited. Edits in a group do not count, since its limit may delay them.
    waits: list[float] = field(default_factory=list)
    #: The times at which workers got wake-ups.
    wakeups: list[float] = field(default_factory=list)
    #: ``waiting`` at the beginning of each second of the storm.
    backlog: list[int] = field(default_factory=list)
    #: When each message that still waits was written, by room and id.
    written: dict[tuple[str, str], float] = field(default_factory=dict)


class _NetworkRequest(OfflineRequest):
    def __init__(self, simulation: Simulation, process: BotProcess) -> None:
        self._simulation = simulation
        self._process = process

    async def answer_call(
        self, path: str, params: dict[str, Any], files: dict[str, bytes]
    ) -> tuple[int, bytes]:
        answered: asyncio.Future[Arrival] = asyncio.get_running_loop().create_future()
        method = path.rpartition("/")[2]
        self._simulation.network.send(
            self._process,
            "telegram",
            lambda: self._simulation.telegram.answer(method, params),
            lambda fault: None,
            lambda answer: None if answered.done() else answered.set_result(answer),
        )
        return (await answered)()


class Simulation:
    """The bot's cloud, with rooms whose games have started.

    Args:
        limited: True if the bot limits its own pace; False if it only waits when Telegram refuses.
        chats: True if some groups are in slow mode and some private chats are full for a while.
    """

    def __init__(self, rooms: int, seed: int, *, limited: bool, chats: bool = False) -> None:
        self.rng = random.Random(f"storm/{seed}")
        self.clock = VirtualClock()
        self.machine = Machine(self.clock)
        faults = FaultSource(self.rng, FaultPlan.none(), self.clock)
        self.network = Network(self.machine, self.rng, faults, latencies=USUAL)
        self.telegram = StormTelegram(self.clock, self._asked)
        self.table = LocalTable()
        self.counters = Counters()
        self.configuration = Configuration.from_environment({**ENVIRONMENT, "BOT_TOKEN": _TOKEN})
        self.playing = False
        self._limited = limited
        self._entropy = random.Random(f"storm-entropy/{seed}")
        self._functions = Functions(self.machine, self.network, self._built, _last, CONNECTIONS)
        self._queue = Queue(self.machine, self.rng, self._wake)
        self._taps: deque[dict[str, Any]] = deque()
        self._in_flight = 0
        self._updates = 0
        self._asked_before: dict[int, list[str]] = {}
        #: The keys of rooms with limited chats.
        self._limited_rooms: set[str] = set()
        self._store_rooms(rooms)
        if chats:
            self._limit(rooms)
        self.table.watchers.append(self._stored)

    def storm(self, seconds: float) -> None:
        """Let everybody play for some seconds. For the same time afterwards, nobody answers."""
        self.clock.advance(_CALM)
        self.telegram.generous = False
        self.began = self.clock()
        self.telegram.full = dict.fromkeys(self.telegram.full, self.began + FULL)
        self.playing = True
        for person, answers in self._asked_before.items():
            self._asked(person, answers)
        self.machine.after(self.rng.uniform(0, WATCHDOG), self._watch)
        self._until(self.began + seconds)
        self.playing = False
        self._until(self.began + 2 * seconds)

    def close(self) -> None:
        """End all processes."""
        self._functions.close()

    def _until(self, moment: float) -> None:
        while self.clock() < moment:
            self.machine.at(self.clock() + 1.0, lambda: None)
            second = self.clock() + 1.0
            self.counters.backlog.append(self.counters.waiting)
            while self.clock() < second and self.machine.step():
                pass

    # --- the rooms ----------------------------------------------------------------------------------------

    def _limit(self, rooms: int) -> None:
        """Put some groups into slow mode. In some other rooms, fill two private chats for a while."""
        for number in range(0, rooms, LIMITED):
            chat = GROUP - number
            self.telegram.slow[chat] = SLOW
            self._limited_rooms.add(RoomName(chat).key)
        for number in range(LIMITED // 2, rooms, LIMITED):
            self.telegram.full |= {PERSON + number * 10 + seat: 0.0 for seat in (2, 3)}
            self._limited_rooms.add(RoomName(GROUP - number).key)

    def _store_rooms(self, rooms: int) -> None:
        """Store rooms whose games have just started: roles are dealt, and the first President is asked."""
        loop = Loop()
        client: Any = Client(self.table, lambda seconds: None)
        sqs = QueueClient(lambda body, delay: self._queue.put(body, delay, Fault.NONE))
        built = self._bot(client, sqs, _DirectRequest(self), loop, limited=False)
        for number in range(rooms):
            chat = GROUP - number
            players = tuple(
                Player(PERSON + number * 10 + seat, f"Player {seat}", "en") for seat in range(PLAYERS)
            )
            store_started_game(
                built, RoomName(chat), f"Room {number}", players, self._entropy.randbytes(32).hex()
            )
        loop.close()
        assert not any(len(item["outbox"]["M"]) for item in self.table.items.values() if "outbox" in item)

    def _asked(self, person: int, answers: list[str]) -> None:
        if self.telegram.generous:
            self._asked_before[person] = answers
            return
        if not self.playing:
            return
        self.machine.after(self.rng.uniform(*THINKING), lambda: self._tap(person, self.rng.choice(answers)))

    def _tap(self, person: int, data: str) -> None:
        if not self.playing:
            return
        self._updates += 1
        who = {"id": person, "is_bot": False, "first_name": "Player", "language_code": "en"}
        message = {"message_id": 1, "date": int(self.clock()), "chat": {"id": person, "type": "private"}}
        query = {
            "id": str(self._updates),
            "from": who,
            "message": message,
            "chat_instance": "1",
            "data": data,
        }
        self._taps.append({"update_id": self._updates, "callback_query": query})
        self._deliver()

    # --- the cloud ----------------------------------------------------------------------------------------

    def _deliver(self) -> None:
        while self._taps and self._in_flight < CONNECTIONS:
            update = self._taps.popleft()
            self._in_flight += 1
            event = webhook_event(update, {webhook.SECRET_HEADER: SECRET})
            respond = lambda built, context, e=event: webhook.respond(built, e, context)  # noqa: E731
            self._invoke("webhook", respond, self._delivered)

    def _delivered(self, reply: Any) -> None:
        self._in_flight -= 1
        assert reply["statusCode"] == 200
        self._deliver()

    def _watch(self) -> None:
        self.machine.after(WATCHDOG, self._watch)
        self._invoke("wakeup", lambda b, c: wakeup.respond(b, {}, c), lambda _: None)

    def _wake(self, bodies: list[tuple[str, str]], done: Done) -> None:
        self.counters.wakeups += [self.clock()] * len(bodies)
        event = {"Records": [{"messageId": number, "body": body} for number, body in bodies]}

        def woken(result: Any) -> None:
            assert not result["batchItemFailures"]
            done(set())

        self._invoke("wakeup", lambda b, c: wakeup.respond(b, event, c), woken)

    def _invoke(
        self, kind: str, respond: Callable[[Built, LambdaContext], Any], done: Callable[[Any], None]
    ) -> None:
        def ended(result: Any, raised: BaseException | None) -> None:
            # Do not run ``done`` in the process's thread, which would swallow an exception.
            self.machine.after(0, (lambda: done(result)) if raised is None else raising(raised))

        self._functions.invoke(Invocation(0, kind, self.clock()), respond, ended)

    def _built(self, process: BotProcess, loop: ProcessLoop) -> Built:
        client = store_client(self.network, process, self.table)
        sqs = queue_client(self.network, process, self._queue.put)
        return self._bot(client, sqs, _NetworkRequest(self, process), loop, limited=self._limited)

    def _bot(self, client: Any, sqs: Any, request: OfflineRequest, loop: Loop, *, limited: bool) -> Built:
        return build(
            self.configuration,
            dynamodb=client,
            sqs=lambda: sqs,
            request=request,
            clock=self.clock,
            entropy=lambda: self._entropy.randbytes(32).hex(),
            loop=loop,
            log=Log(lambda level, line: None),
            draw=sketch,
            limited=limited,
        )

    def _stored(self, key: tuple[str, str], before: Any, after: Any) -> None:
        if key[1] != "room" or after is None:
            return
        was, now = before["outbox"]["M"] if before else {}, after["outbox"]["M"]
        if was is now:
            return
        counters, moment = self.counters, self.clock()
        if key[0] in self._limited_rooms:
            counters.held += len(now) - len(was)
            return
        for identifier in now.keys() - was.keys():
            entry = unpack_entry(now[identifier]["B"])
            if entry.chat > 0 or entry.target is None:
                counters.written[key[0], identifier] = moment
        for identifier in was.keys() - now.keys():
            if (since := counters.written.pop((key[0], identifier), None)) is not None:
                counters.waits.append(moment - since)
        counters.waiting += len(now) - len(was)
        counters.most = max(counters.most, counters.waiting)


def _last(processes: int) -> int | None:
    """Return the index of the process that was busy last."""
    return processes - 1 if processes else None


class _DirectRequest(OfflineRequest):
    """A transport that calls Telegram directly, without the network, to set up the rooms."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    async def answer_call(
        self, path: str, params: dict[str, Any], files: dict[str, bytes]
    ) -> tuple[int, bytes]:
        return self._simulation.telegram.answer(path.rpartition("/")[2], params)
