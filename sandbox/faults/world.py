"""A bot in the cloud, in one process and in virtual time: its functions, table, queue, schedule, Telegram."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from handlers import wakeup, webhook
from handlers.rooms.names import RoomName
from handlers.service.build import Built, build
from home.dynamodb import LocalTable
from home.invocation import webhook_event
from infra.configuration import Configuration
from infra.observability import Log
from infra.store.table import StoreUnavailable
from sandbox.beacon import DeskBeacon
from sandbox.desk import ENVIRONMENT, telegram
from sandbox.promises.deals import Deals
from sandbox.promises.history import History, tapped
from sandbox.promises.invocation import Invocation
from sandbox.sketch import sketch
from sandbox.telegram import Response, VirtualClock
from sandbox.telegram.clock import BEGINNING
from sandbox.telegram.delivery import Pending

from .fates import Fate, Fates, Weather
from .leaks import Leaks
from .ledger import Ledger
from .loop import ProcessLoop
from .machine import Died, Machine
from .network import BotProcess, Network
from .transports import BeaconWire, Wire, queue_client, store_client

#: Seconds, as in ``template.yaml``.
WEBHOOK_TIMEOUT, WAKEUP_TIMEOUT = 20.0, 60.0
VISIBILITY, RECEIVES, BATCH, WORKERS = 90.0, 5, 5, 5
WATCHDOG = 180.0
#: One message in so many comes so many seconds early: the queue's clock is another than the worker's.
EARLY_EVERY, EARLY = 5, 0.8
_MOST_IDLE = 6


#: Takes what happens, for whoever looks into a seed: who does it, and what.
Tell = Callable[..., None]
#: A process between two invocations, with what it was built of.
Warm = tuple[BotProcess, Built, ProcessLoop]


class World:
    """Everything but the people."""

    def __init__(self, seed: int) -> None:
        self.tell: Tell = _nobody_listens
        self.rng = random.Random(f"faults/{seed}")
        self.clock = VirtualClock()
        self.machine = Machine(self.clock)
        self.fates = Fates(self.rng, Weather.of(self.rng, self.clock()), self.clock)
        self.network = Network(self.machine, self.rng, self.fates, lambda *what: self.tell(*what))
        self.table = LocalTable()
        self.telegram = telegram(self.clock, validated=False)
        self.configuration = Configuration.from_environment({**ENVIRONMENT, "BOT_TOKEN": self.telegram.token})
        self.queue = Queue(self)
        self.beacon = DeskBeacon(self.clock, seed)
        self.deals = Deals(self.clock, self.beacon, self.telegram, self.fail)
        self.ledger = Ledger(self.clock, self.fail)
        self.history = History(self.clock, self.fail)
        #: Rooms of people who practise: what may be read there is judged by itself.
        self._practice: dict[str, Leaks] = {}
        self._practising: set[int] = set()
        self._leaks = Leaks(self.telegram, self.fail, elsewhere=self._practising)
        self.table.watchers.append(self._stored)
        self.telegram.delivery.on_push.append(self._pump)
        self.broken: list[str] = []
        #: How often the bot called although Telegram took nothing from it.
        self.knocks = 0
        self.invocations = 0
        self.under_way = 0
        self.on_forbidden: Callable[[int], None] = lambda chat: None
        self._idle: dict[str, list[Warm]] = {"webhook": [], "wakeup": []}
        self._processes: list[tuple[BotProcess, ProcessLoop]] = []
        self._first_brought: dict[int, float] = {}
        self._carried: set[int] = set()
        self._entropy = random.Random(f"entropy/{seed}")
        self.machine.after(self.rng.uniform(0, WATCHDOG), self._watch)

    def fail(self, what: str) -> None:
        """Note a broken promise."""
        self.broken.append(f"at {self.passed:.2f} s: {what}")
        self.tell("BROKEN", what)

    def practises(self, user: int) -> None:
        """Somebody practises in their own chat, and does nothing else."""
        self._practising.add(user)
        self._practice[RoomName(user).key] = Leaks(self.telegram, self.fail, alone=user)

    def close(self) -> None:
        """End all processes."""
        for process, loop in self._processes:
            process.end()
            loop.close()

    @property
    def passed(self) -> float:
        """Virtual seconds since the seed began."""
        return self.clock() - BEGINNING

    @property
    def quiet(self) -> bool:
        """Nothing is under way, and Telegram has nothing more to bring."""
        return not self.under_way and not self.telegram.delivery.pending()

    # --- invocations --------------------------------------------------------------------------------------

    def _invoke(
        self,
        kind: str,
        timeout: float,
        respond: Callable[[Built, Context], Any],
        done: Callable[[Any, bool], None],
        update: dict[str, Any] | None = None,
    ) -> Invocation:
        """Run an entry in a process, warm or new; ``done`` is told what it returned, or that it died."""
        warm = self._idle[kind]
        if warm and self.rng.random() < 0.7:
            process, built, loop = warm.pop(self.rng.randrange(len(warm)))
        else:
            process, built, loop = self._process()
        self.invocations += 1
        self.under_way += 1
        now = self.clock()
        invocation = process.invocation = Invocation(self.invocations, kind, now, update)
        context = Context(self.clock, now + timeout)
        self.tell(invocation, "begins", tapped(update) or (update or {}).get("update_id", ""))

        def ended(result: Any, raised: BaseException | None) -> None:
            self.under_way -= 1
            invocation.died, invocation.over = isinstance(raised, Died), True
            self.tell(invocation, "ends", raised or result)
            if not invocation.died and len(warm) < _MOST_IDLE:
                warm.append((process, built, loop))
            else:
                process.dead = True
                loop.close()
            # The schedule's own run may fail with the store: the next one comes soon.
            scheduled = kind == "wakeup" and isinstance(raised, StoreUnavailable)
            if raised is not None and not isinstance(raised, Died) and not scheduled:
                self.fail(f"the {kind} entry raised {raised!r}")
            # Whatever follows happens outside of this process's thread.
            self.machine.after(0, lambda: done(result, raised is not None))

        self.machine.at(now + timeout, lambda: self.network.kill(process, invocation))
        process.run(lambda: respond(built, context), ended)
        return invocation

    def _process(self) -> Warm:
        process = BotProcess(self.machine)
        loop = ProcessLoop(process)
        self._processes = [(p, o) for p, o in self._processes if not p.dead] + [(process, loop)]
        client: Any = store_client(self.network, process, self.table)
        sqs: Any = queue_client(self.network, process, self.queue.put)
        built = build(
            self.configuration,
            dynamodb=client,
            sqs=lambda: sqs,
            request=Wire(self.network, process, self),
            clock=self.clock,
            entropy=lambda: self._entropy.randbytes(32).hex(),
            loop=loop,
            log=Log(self._logged),
            draw=sketch,
            beacon=self.beacon.client(BeaconWire(self.network, process, self.beacon)),
        )
        return process, built, loop

    def _logged(self, level: str, line: dict[str, Any]) -> None:
        if level == "METRIC":
            return
        self.tell("log", line)
        if line["event"] == "indigestible":
            self.fail(f"an update could not be digested: {line.get('error')} in {line.get('where')}")
        elif line["event"] == "wakeup_failed" and line.get("error") not in (None, *_PASSING):
            self.fail(f"a wake-up failed: {line.get('error')} in {line.get('where')}")

    def _stored(self, key: tuple[str, str], before: Any, after: Any) -> None:
        if key[1] != "room" or after is None:
            return
        self.tell(self.network.acting, "wrote", key[0], _difference(before or {}, after))
        if self.network.acting is not None:
            self.network.acting.wrote = self.clock()
        self.ledger.changed(key[0], before, after)
        self.deals.changed(key[0], before, after, self.network.acting)
        self.history.changed(key[0], before, after, self.network.acting)
        if before is None or before.get("body") != after.get("body"):
            leaks = self._practice.get(key[0], self._leaks)
            leaks.follow(self.history.bodies.get(key[0], {}))

    # --- Telegram's updates -------------------------------------------------------------------------------

    def _pump(self) -> None:
        """Bring what can be brought, each update a little later than it could come."""
        self.machine.after(0, self._bring)

    def _bring(self) -> None:
        for pending in self.telegram.delivery.ready():
            if pending.id in self._carried:
                continue
            self._carried.add(pending.id)
            fate = self.fates.draw("webhook")
            wait = self.rng.uniform(0.5, 40) if fate is Fate.DELAYED else self.rng.uniform(0.01, 0.2)
            if fate is Fate.COPIED:
                self.machine.after(self.rng.uniform(0, 5), lambda p=pending: self._copy(p))  # type: ignore[misc]
            self.machine.after(wait, lambda p=pending, f=fate: self._deliver(p, f))  # type: ignore[misc]
        moment = self.telegram.delivery.next_at()
        if moment is not None and moment > self.clock():
            self.machine.at(moment, self._bring)

    def _copy(self, pending: Pending) -> None:
        self.telegram.delivery.copy(pending)

    def _deliver(self, pending: Pending, fate: Fate) -> None:
        delivery = self.telegram.delivery
        if pending not in delivery.heads():
            return
        update, headers = delivery.begin(pending)
        self._first_brought.setdefault(pending.id, self.clock())
        if fate is Fate.NOT_INVOKED:
            self._finished(pending, Response(502))
            return
        event = webhook_event(update, headers)

        def done(reply: Any, died: bool) -> None:
            unheard = invocation.unheard and not self.history.counted(update["update_id"])
            if not died and reply["statusCode"] == 200 and unheard:
                self.fail("an update was acknowledged, and nothing could be stored")
            if died:
                self._finished(pending, Response(502))
            elif fate is Fate.REPLY_LOST:
                self._finished(pending, None)
            else:
                self._finished(pending, Response.of(reply))

        invocation = self._invoke(
            "webhook", WEBHOOK_TIMEOUT, lambda b, c: webhook.respond(b, event, c), done, update
        )

    def _finished(self, pending: Pending, response: Response | None) -> None:
        self._carried.discard(pending.id)
        self.telegram.delivery.finish(pending, response)
        if response is not None and response.status == 200:
            for room in list(self.history.bodies):
                self.history.acknowledged(room, pending.update, self._first_brought[pending.id])
        self._bring()

    # --- the schedule ---------------------------------------------------------------------------------------

    def _watch(self) -> None:
        self.machine.after(WATCHDOG, self._watch)
        self._invoke("wakeup", WAKEUP_TIMEOUT, lambda b, c: wakeup.respond(b, {}, c), lambda *_: None)

    def wake(self, bodies: list[tuple[str, str]], done: Callable[[set[str] | None], None]) -> None:
        """Hand a batch of (id, body) to the wake-up entry; ``done`` is told the failed ones (None: all)."""
        event = {"Records": [{"messageId": number, "body": body} for number, body in bodies]}

        def ended(result: Any, died: bool) -> None:
            failed = None if died else {f["itemIdentifier"] for f in result["batchItemFailures"]}
            done(failed)

        self._invoke("wakeup", WAKEUP_TIMEOUT, lambda b, c: wakeup.respond(b, event, c), ended)


def _nobody_listens(*what: object) -> None:
    pass


def _difference(before: dict[str, Any], after: dict[str, Any]) -> str:
    """What changed in a room's item, in short."""
    was, now = before.get("outbox", {"M": {}})["M"], after.get("outbox", {"M": {}})["M"]
    gone, come = sorted(set(was) - set(now)), sorted(set(now) - set(was))
    body = " body" if before.get("body") != after.get("body") else ""
    lease = after.get("lease", {"S": "none"})["S"].partition(" ")[2] or "none"
    return f"v{after['v']['N']}{body} lease {lease} +{come} -{gone}"


#: What may keep a wake-up from being dealt with: it comes again.
_PASSING = ("StoreUnavailable", "QueueUnavailable")


class Context:
    """Lambda's, in virtual time."""

    def __init__(self, clock: Callable[[], float], ends: float) -> None:
        self._clock = clock
        self._ends = ends

    def get_remaining_time_in_millis(self) -> int:
        """Until the process is killed."""
        return max(0, int((self._ends - self._clock()) * 1000))


class Queue:
    """SQS with Lambda at its end: delays, batches, a visibility time-out, dead letters."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._ready: deque[tuple[str, str]] = deque()
        self._receives: Counter[str] = Counter()
        self._workers = 0
        self._number = 0

    def put(self, body: str, delay: float, fate: Fate) -> None:
        """A message arrives; the fate of it is decided already."""
        if fate is Fate.WAKEUP_LOST:
            return
        rng = self._world.rng
        times = [delay + (rng.uniform(5, 200) if fate is Fate.WAKEUP_LATE else rng.uniform(0, 0.3))]
        if fate is Fate.WAKEUP_TWICE:
            times.append(delay + rng.uniform(0, 30))
        self._number += 1
        if self._number % EARLY_EVERY == 0:
            times[0] = max(0.0, times[0] - EARLY)
        for copy, wait in enumerate(times):
            self._world.machine.after(wait, lambda n=f"{self._number}.{copy}": self._visible(n, body))  # type: ignore[misc]

    def _visible(self, number: str, body: str) -> None:
        if self._receives[number] >= RECEIVES:
            return
        self._ready.append((number, body))
        self._world.machine.after(self._world.rng.uniform(0.01, 0.3), self._poll)

    def _poll(self) -> None:
        if not self._ready or self._workers >= WORKERS:
            return
        batch = [self._ready.popleft() for _ in range(min(BATCH, len(self._ready)))]
        self._workers += 1
        for number, _ in batch:
            self._receives[number] += 1
        taken = self._world.clock()

        def done(failed: set[str] | None) -> None:
            self._workers -= 1
            for number, body in batch:
                if failed is None or number in failed:
                    self._world.machine.at(
                        taken + VISIBILITY,
                        lambda n=number, b=body: self._visible(n, b),  # type: ignore[misc]
                    )
            self._poll()

        self._world.wake(batch, done)
