"""The bot's cloud in virtual time, with faults: functions, table, queue, schedule, Telegram, beacon."""

import asyncio
import math
import random
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import httpx
from telegram.error import NetworkError

from bot.rooms.names import from_key
from handlers import wakeup, webhook
from handlers.service.build import Built, build
from infra.configuration import Configuration
from infra.observability import Log
from infra.store.table import StoreUnavailable
from local.dynamodb import LocalTable
from local.invocation import webhook_event
from sandbox.beacon import RelayBehaviour, StandinBeacon
from sandbox.clocks import BEGINNING
from sandbox.cloud.faults import Fault, Faults
from sandbox.cloud.machine import Died, Machine
from sandbox.cloud.network import (
    LATENCIES,
    USUAL,
    Arrival,
    BotProcess,
    Invocation,
    Network,
    queue_client,
    raising,
    store_client,
)
from sandbox.cloud.queue import Done, Queue
from sandbox.harness import ENVIRONMENT, seeded_entropy, sketch, telegram_with_webhook
from sandbox.promises.deals import Deals
from sandbox.promises.history import History, tapped
from sandbox.telegram import Response, VirtualClock
from sandbox.telegram.calls import COUNTED, Refusal, bad_request, forbidden, too_many
from sandbox.telegram.delivery import DEFAULT_CONNECTIONS, Pending
from sandbox.telegram.transport import StandinRequest, encode, serve

from .leaks import Leaks
from .ledger import Ledger

#: Time-outs of the functions in seconds, as in ``template.yaml``.
TIMEOUTS = {"webhook": 20.0, "wakeup": 60.0}
#: Seconds between two runs of the watchdog, as in ``template.yaml``.
WATCHDOG = 180.0
#: Seconds by which some of the queue's messages come early, because its clock is ahead of the worker's.
EARLY = 0.8
#: The maximum number of warm processes of each function.
MOST_IDLE = 6

#: Is called with each event, to trace a seed: who does it, and what happens.
Tell = Callable[..., None]


class World:
    """Everything except the people.

    Args:
        calm: without faults, with usual latencies, and without checking promises, since rooms that were
            stored without a lobby break some of them.
        paced: the bot limits its own pace.
        table: another table than one in this process, for many rooms. Leaks are not checked then.
    """

    def __init__(self, seed: int, *, calm: bool = False, paced: bool = True, table: Any = None) -> None:
        self.tell: Tell = _nobody_listens
        self.rng = random.Random(f"faults/{seed}")
        self.clock = VirtualClock()
        self.machine = Machine(self.clock)
        self.faults = Faults(self.rng, self.clock)
        if not calm:
            self.faults.plan()
        tell: Tell = lambda *what: self.tell(*what)  # noqa: E731
        self.network = Network(self.machine, self.rng, self.faults, tell, USUAL if calm else LATENCIES)
        self.table: LocalTable = table or LocalTable()
        self.telegram = telegram_with_webhook(self.clock, validated=False)
        self.configuration = Configuration.from_environment({**ENVIRONMENT, "BOT_TOKEN": self.telegram.token})
        self.queue = Queue(self.machine, self.rng, self._wake, 0.0 if calm else EARLY)
        #: When the wake-up entry got each message of the queue.
        self.wakeups: list[float] = []
        self.beacon = StandinBeacon(self.clock, seed)
        self.deals = Deals(self.clock, self.beacon, self.telegram, self.fail)
        self.ledger = Ledger(self.clock, _nobody_listens if calm else self.fail)
        self.history = History(self.clock, self.fail)
        #: The check of who may read what, for each person who practises.
        self._practice: dict[int, Leaks] = {}
        self._calm, self._paced = calm, paced
        self._leaks: Leaks | None = None
        if not (calm or table):
            self._leaks = Leaks(self.telegram, self.fail, elsewhere=self._practice)
        self.table.watchers.append(self._stored)
        # Deliver waiting updates soon.
        self.telegram.delivery.on_push.append(lambda: self.machine.after(0, self._bring))
        self.broken: list[str] = []
        #: How often the bot called during floods, when Telegram refuses everything.
        self.flood_calls = 0
        self.invocations = 0
        self.under_way = 0
        self.on_forbidden: Callable[[int], None] = lambda chat: None
        self._most_idle = DEFAULT_CONNECTIONS if calm else MOST_IDLE
        #: By function, the processes that are free for an invocation, and the bot built in each.
        self._idle: dict[str, list[tuple[BotProcess, Built]]] = {kind: [] for kind in TIMEOUTS}
        self._processes: list[BotProcess] = []
        self._first_brought: dict[int, float] = {}
        self._carried: set[int] = set()
        self._entropy = seeded_entropy(seed)
        self.machine.after(self.rng.uniform(0, WATCHDOG), self._watch)

    def fail(self, what: str) -> None:
        """Note a broken promise."""
        self.broken.append(f"at {self.passed:.2f} s: {what}")
        self.tell("BROKEN", what)

    def practises(self, user: int) -> None:
        """Note that a person practises in their private chat, and does not play elsewhere."""
        self._practice[user] = Leaks(self.telegram, self.fail, alone=user)

    def close(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.end()

    @property
    def passed(self) -> float:
        """Return the virtual seconds since the seed began."""
        return self.clock() - BEGINNING

    @property
    def quiet(self) -> bool:
        """Return True if no invocation runs and Telegram has no update to deliver."""
        return not self.under_way and not self.telegram.delivery.pending()

    # --- invocations --------------------------------------------------------------------------------------

    def _invoke(
        self,
        kind: str,
        event: dict[str, Any],
        done: Callable[[Any, bool], None],
        update: dict[str, Any] | None = None,
    ) -> Invocation:
        """Invoke an entry, with its time-out. ``done`` gets its result, and True if it raised or died."""
        self.invocations += 1
        self.under_way += 1
        invocation = Invocation(self.invocations, kind, self.clock(), update)
        self.tell(invocation, "begins", tapped(update) or (update or {}).get("update_id", ""))

        idle = self._idle[kind]
        process, built = self._take_process(idle)
        process.invocation = invocation
        ends = self.clock() + TIMEOUTS[kind]
        millis_left = lambda: max(0, int((ends - self.clock()) * 1000))  # noqa: E731
        context = SimpleNamespace(get_remaining_time_in_millis=millis_left)

        def ended(result: Any, raised: BaseException | None) -> None:
            invocation.died, invocation.over = isinstance(raised, Died), True
            if not invocation.died and len(idle) < self._most_idle:
                idle.append((process, built))
            else:
                process.dead = True
                process.loop.close()
            self.under_way -= 1
            self.tell(invocation, "ends", raised or result)
            # A run of the schedule may fail if the store does not answer, since the next one comes soon.
            scheduled = kind == "wakeup" and isinstance(raised, StoreUnavailable)
            if raised is not None and not isinstance(raised, Died) and not scheduled:
                self.fail(f"the {kind} entry raised {raised!r}")
            # Do not run ``done`` in the process's thread.
            self.machine.after(0, lambda: done(result, raised is not None))

        self.machine.at(ends, lambda: self.network.kill(process, invocation))
        entry = webhook if kind == "webhook" else wakeup
        process.run(lambda: entry.respond(built, event, context), ended)
        return invocation

    def _take_process(self, idle: list[tuple[BotProcess, Built]]) -> tuple[BotProcess, Built]:
        """Return a warm process with its bot, or start a new one."""
        if idle and self._calm:
            return idle.pop()
        if idle and self.rng.random() < 0.7:
            return idle.pop(self.rng.randrange(len(idle)))
        process = BotProcess(self.machine)
        self._processes = [running for running in self._processes if not running.dead] + [process]
        return process, self._built(process)

    def _built(self, process: BotProcess) -> Built:
        client: Any = store_client(self.network, process, self.table)
        sqs: Any = queue_client(self.network, process, self.queue.put)
        return build(
            self.configuration,
            dynamodb=client,
            sqs=lambda: sqs,
            request=NetworkRequest(self, process),
            clock=self.clock,
            entropy=self._entropy,
            loop=process.loop,
            log=Log(self._logged),
            draw=sketch,
            limited=self._paced,
            beacon=self.beacon.beacon,
            beacon_client=self.beacon.client(httpx.MockTransport(partial(self._ask_beacon, process))),
        )

    async def _ask_beacon(self, process: BotProcess, request: httpx.Request) -> httpx.Response:
        """Return the answer of the beacon's relay, or a fault's. If the answer is lost, wait for ever."""

        def perform() -> tuple[int, bytes]:
            begins, ends = self.faults.beacon_away
            if begins <= self.clock() < ends:
                raise httpx.ConnectError("nobody listens", request=request)
            return self.beacon.answer(request.url.path)

        def instead(fault: Fault) -> Arrival | None:
            if fault is Fault.EARLY:
                return lambda: (404, b"")
            if fault is Fault.FORGED:
                return lambda: self.beacon.answer(request.url.path, RelayBehaviour(forged=True))
            if fault is Fault.BROKEN:
                return lambda: (502, b"")
            return raising(httpx.ConnectError("no connection", request=request))

        status, body = await _answer(self.network, process, "beacon", perform, instead)
        return httpx.Response(status, headers={"Content-Type": "application/json"}, content=body)

    def _logged(self, level: str, line: dict[str, Any]) -> None:
        if level == "METRIC":
            return
        self.tell("log", line)
        if line["event"] == "update_failed":
            self.fail(f"an update could not be processed: {line.get('error')} in {line.get('where')}")
        elif line["event"] == "wakeup_failed" and line.get("error") not in (None, *_PASSING):
            self.fail(f"a wake-up failed: {line.get('error')} in {line.get('where')}")

    def _stored(self, key: tuple[str, str], before: Any, after: Any) -> None:
        if key[1] != "room" or after is None:
            return
        self.tell(self.network.acting, "wrote", key[0], _difference(before or {}, after))
        if self.network.acting is not None:
            self.network.acting.wrote = self.clock()
        self.ledger.changed(key[0], before, after)
        if self._calm:
            return
        self.deals.changed(key[0], before, after, self.network.acting)
        self.history.changed(key[0], before, after, self.network.acting)
        leaks = self._practice.get(from_key(key[0]).chat, self._leaks)
        if leaks is not None and (before is None or before.get("body") != after.get("body")):
            leaks.follow(self.history.bodies.get(key[0], {}))

    # --- Telegram's updates -------------------------------------------------------------------------------

    def _bring(self) -> None:
        for pending in self.telegram.delivery.ready():
            if pending.id in self._carried:
                continue
            self._carried.add(pending.id)
            fault = self.faults.draw("webhook")
            wait = self.rng.uniform(0.5, 40) if fault is Fault.DELAYED else self.rng.uniform(0.01, 0.2)
            if fault is Fault.COPIED:
                self.machine.after(self.rng.uniform(0, 5), partial(self.telegram.delivery.copy, pending))
            self.machine.after(wait, partial(self._deliver, pending, fault))
        moment = self.telegram.delivery.next_at()
        if moment is not None and moment > self.clock():
            self.machine.at(moment, self._bring)

    def _deliver(self, pending: Pending, fault: Fault) -> None:
        delivery = self.telegram.delivery
        if pending not in delivery.heads():
            return
        update, headers = delivery.begin(pending)
        self._first_brought.setdefault(pending.id, self.clock())
        if fault is Fault.NOT_INVOKED:
            self._finished(pending, Response(502))
            return
        event = webhook_event(update, headers)

        def done(reply: Any, died: bool) -> None:
            unheard = invocation.unheard and not self.history.counted(update["update_id"])
            if not died and reply["statusCode"] == 200 and unheard:
                self.fail("an update was acknowledged although nothing could be stored")
            if died:
                self._finished(pending, Response(502))
            elif fault is Fault.REPLY_LOST:
                self._finished(pending, None)
            else:
                self._finished(pending, Response.of(reply))

        invocation = self._invoke("webhook", event, done, update)

    def _finished(self, pending: Pending, response: Response | None) -> None:
        self._carried.discard(pending.id)
        self.telegram.delivery.finish(pending, response)
        if response is not None and response.status == 200:
            told = str((response.method_call() or {}).get("text", ""))
            for room in list(self.history.bodies):
                self.history.acknowledged(room, pending.update, self._first_brought[pending.id], told)
        self._bring()

    # --- the schedule ---------------------------------------------------------------------------------------

    def _watch(self) -> None:
        self.machine.after(WATCHDOG, self._watch)
        self._invoke("wakeup", {}, lambda *_: None)

    def _wake(self, bodies: list[tuple[str, str]], done: Done) -> None:
        """Pass a batch of (id, body) to the wake-up entry. ``done`` gets the ids that failed (None: all)."""
        self.wakeups += [self.clock()] * len(bodies)
        event = {"Records": [{"messageId": number, "body": body} for number, body in bodies]}

        def ended(result: Any, died: bool) -> None:
            failed = None if died else {f["itemIdentifier"] for f in result["batchItemFailures"]}
            done(failed)

        self._invoke("wakeup", event, ended)


def _nobody_listens(*what: object) -> None:
    pass


def _difference(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Describe a change of a room's item in a few words."""
    was, now = before.get("outbox", {"M": {}})["M"], after.get("outbox", {"M": {}})["M"]
    gone, come = sorted(set(was) - set(now)), sorted(set(now) - set(was))
    body = " body" if before.get("body") != after.get("body") else ""
    lease = after.get("lease", {"S": "none"})["S"].partition(" ")[2] or "none"
    return f"v{after['v']['N']}{body} lease {lease} +{come} -{gone}"


#: Errors with which a wake-up may fail, since the queue repeats it.
_PASSING = ("StoreUnavailable", "QueueUnavailable")


class NetworkRequest(StandinRequest):
    """python-telegram-bot's transport over the network, with faults, and with a ledger of all calls."""

    def __init__(self, world: World, process: BotProcess) -> None:
        super().__init__(world.telegram)
        self.process = process
        self.world = world

    async def answer_call(
        self, path: str, params: dict[str, Any], files: dict[str, bytes]
    ) -> tuple[int, bytes]:
        """Return the stand-in's answer, or a fault's. If the answer is lost, wait for ever."""
        ledger, invocation, world = self.world.ledger, self.process.invocation, self.world
        method_name = path.rpartition("/")[2]
        record = ledger.sent(invocation, method_name, params)

        def perform() -> tuple[int, bytes]:
            left = world.faults.flood_left()
            if left and method_name in COUNTED:
                world.flood_calls += 1
                record.code = 429
                return encode(too_many(math.ceil(left)).envelope())
            status, body = serve(self.tg, path, params, files)
            world.tell(invocation, "calls", method_name, params.get("chat_id", ""), record.owed, status)
            ledger.performed(record, self.tg.journal[-1])
            return status, body

        def instead(fault: Fault) -> Arrival | None:
            chat = str(params.get("chat_id", ""))
            if fault is Fault.FORBIDDEN and chat.isdigit():
                # So that Telegram really refuses, the person blocks the bot now.
                world.on_forbidden(int(chat))
                return None
            refused = _refusal(fault, world.network)
            if refused is not None:
                record.code = refused.code
                status, body = encode(refused.envelope())
                return lambda: (status, body)
            if fault is Fault.UNREACHABLE:
                return _no_connection
            return None

        told = lambda: ledger.answered(record)  # noqa: E731
        status, body = await _answer(world.network, self.process, "telegram", perform, instead, told)
        return status, body


async def _answer(
    network: Network,
    process: BotProcess,
    service: str,
    perform: Callable[[], tuple[int, bytes]],
    instead: Callable[[Fault], Arrival | None],
    told: Callable[[], None] = lambda: None,
) -> Any:
    """Send a request, and wait for its answer. ``told`` is called once the sender has the answer."""
    answered: asyncio.Future[Arrival] = asyncio.get_running_loop().create_future()

    def arrived(answer: Arrival) -> None:
        if not answered.done():
            told()
            answered.set_result(answer)

    network.send(process, service, perform, instead, arrived)
    return (await answered)()


def _refusal(fault: Fault, network: Network) -> Refusal | None:
    if fault in (Fault.BROKEN, Fault.BROKEN_AFTER):
        return Refusal(502, "Bad Gateway")
    if fault is Fault.TOO_MANY:
        return too_many(network.rng.choice((1, 3, 10, 35, 120)))
    if fault is Fault.BAD:
        return bad_request("something that has no name")
    if fault is Fault.FORBIDDEN:
        return forbidden("something that has no name")
    return None


def _no_connection() -> Any:
    raise NetworkError("no connection") from httpx.ConnectError("no connection")
