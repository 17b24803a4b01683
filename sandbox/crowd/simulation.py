"""Run all rooms, with Telegram, the queue and the schedule. Threads do the jobs.

Virtual time passes slowly while all workers are busy. When a worker is idle, time leaps to the next event, so
that nobody waits in real time for a group's limit or for a dead worker's lease to end.
"""

from __future__ import annotations

import json
import logging
import random
import threading
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from bot.rooms.codec import decode
from bot.rooms.model import Room
from infra.configuration import Configuration
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable, dynamodb_client
from local.invocation import webhook_event
from local.queue import DelayQueue
from sandbox.clocks import LeapingClock, slow_clock
from sandbox.dynoxide import Dynoxide
from sandbox.harness import ENVIRONMENT, telegram_with_webhook
from sandbox.schema import create_table
from sandbox.telegram import Chat, Response
from sandbox.telegram.delivery import Pending
from sandbox.telegram.transport import serve

from .messages import Messages
from .room import CrowdRoom
from .stream import keep_stream
from .worker import WAKEUP, WEBHOOK, Job, Killed, Worker

#: The table's name. dynoxide derives names of streams from it, and boto3 refuses short ones.
TABLE = "chancellery-crowd"
#: Virtual seconds for each real one. A tap waits at most 150 virtual seconds for its answer, and a busy
#: machine is slow.
PACE = 0.1
#: Seconds, as in ``template.yaml``.
VISIBILITY, WATCHDOG = 90.0, 180.0
#: Seconds by which a leap goes beyond the next event, so that more events happen at once.
STRIDE = 2.0
#: The maximum number of seconds that time may leap during one job: much less than a lease, and so little that
#: a second tap comes within ten seconds of the first.
AHEAD = 3.0
#: The share of updates that are repeated at once, and of those that come again under a new id.
REPEATED, COPIED = 0.04, 0.03
#: A worker that is killed dies after at most this many requests and answers, unless its job is over before.
MOST_STEPS = 16
#: After this many runs of the schedule without any call to Telegram, the run is stuck.
MOST_QUIET_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The settings of a run."""

    rooms: int
    workers: int
    seed: int
    #: A worker is killed in one of this many jobs; None: in none.
    kill: int | None = None
    #: The share of updates at which Telegram loses the connection and repeats the update while a worker is
    #: still busy with it.
    repeated: float = REPEATED
    #: Real seconds after which the run fails.
    seconds: float = 1200.0


class Simulation:
    """One run with its rooms, Telegram and workers."""

    def __init__(self, settings: RunSettings, dynoxide: Dynoxide, file: Path) -> None:
        self.settings = settings
        self.rng = random.Random(f"crowd/{settings.seed}")
        self.clock = LeapingClock(slow_clock(time.time(), PACE))
        self.telegram = telegram_with_webhook(self.clock, validated=False)
        self.telegram.on_change.append(self._changed)
        self.queue = DelayQueue(self.clock)
        self.messages = Messages()
        self.said: Counter[str] = Counter()
        self.failed: list[str] = []
        self.saves = self.conflicts = self.repeated = self.copied = self.killed = 0
        #: Updates by id, and the ids of those answered with 200.
        self.updates: dict[int, dict[str, Any]] = {}
        self.acknowledged: set[int] = set()
        self._client = dynamodb_client(**dynoxide.client_arguments)
        create_table(self._client, TABLE)
        keep_stream(self._client, TABLE, file)
        self.stored_rooms = Rooms(DynamoTable(self._client, TABLE), self.clock)
        self.rooms = [
            CrowdRoom(self.telegram, number, random.Random(f"party/{settings.seed}/{number}"), self.room)
            for number in range(settings.rooms)
        ]
        self._room_of = {
            chat: room for room in self.rooms for chat in (room.group.id, *(u.id for u in room.people))
        }
        for room in self.rooms:
            room.plan.store_room(self.stored_rooms, room.group)
        environment = {**ENVIRONMENT, "TABLE_NAME": TABLE, "BOT_TOKEN": self.telegram.token}
        self.configuration = Configuration.from_environment(environment)
        #: Held while chats, calls and deliveries change.
        self._turn = threading.RLock()
        self._idle = [Worker(self, dynoxide.client_arguments) for _ in range(settings.workers)]
        self._busy: list[Worker] = []
        self._ended: SimpleQueue[tuple[Worker, Future[Any]]] = SimpleQueue()
        self._watch_at = self.clock() + WATCHDOG
        self._quiet_rounds = 0

    def play(self) -> None:
        """Play until every game has ended and everything is sent, or until time is up."""
        until = time.monotonic() + self.settings.seconds
        # A killed worker leaves tasks behind, and asyncio would report each of them.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        for room in self.rooms:
            room.notice()
        with ThreadPoolExecutor(self.settings.workers) as threads:
            while not (self._done() or self._stuck(until)):
                self._step(threads)
        if self.telegram.delivery.dropped:
            self.failed.append(f"{len(self.telegram.delivery.dropped)} updates waited too long")
        for worker in (*self._idle, *self._busy):
            worker.close()
        self._client.close()

    def room(self, key: str) -> Room | None:
        """Return the stored room with this key."""
        item = self.stored_rooms.load(key)
        return None if item is None else decode(item.body, item.schema)

    def _changed(self, chat: Chat) -> None:
        self._room_of[chat.id].notice()

    # --- the main loop ------------------------------------------------------------------------------------

    def _done(self) -> bool:
        """Return True if all games are over, no worker has a job, and nothing waits to be delivered."""
        return (
            all(room.over for room in self.rooms)
            and not self._busy
            and not self.telegram.delivery.pending()
            and self.queue.next_at is None
            and not self._unsent()
        )

    def _unsent(self) -> bool:
        """Return True if an outbox still has entries."""
        items = (self.stored_rooms.load(room.key) for room in self.rooms)
        return any(item is not None and item.outbox for item in items)

    def _stuck(self, until: float) -> bool:
        if time.monotonic() > until:
            self.failed.append(f"not over after {self.settings.seconds:.0f} s")
        elif self._quiet_rounds > MOST_QUIET_ROUNDS:
            self.failed.append("nothing happens any more")
        else:
            return False
        return True

    def _step(self, threads: ThreadPoolExecutor) -> None:
        """Let people act, assign jobs, then take what workers have done."""
        with self._turn:
            for room in self.rooms:
                if room.act_at is not None and room.act_at <= self.clock():
                    room.act()
            self.rng.shuffle(self._idle)
            while self._idle and (job := self._next_job()) is not None:
                self._assign(threads, job)
            # If a worker is still idle, there is nothing left to do at this virtual time.
            leapt = bool(self._idle) and self._leap()
        try:
            if self._busy:
                worker, done = self._ended.get(timeout=0.001 if leapt else 0.05)
                with self._turn:
                    self._finished(worker, done)
        except Empty:
            pass

    def _assign(self, threads: ThreadPoolExecutor, job: Job) -> None:
        if self.settings.kill is not None and self.rng.random() * self.settings.kill < 1:
            job.dies_after = self.rng.randrange(MOST_STEPS)
        worker, job.leapt = self._idle.pop(), self.clock.leapt
        worker.job = job
        self._busy.append(worker)
        threads.submit(worker.run, job).add_done_callback(lambda done: self._ended.put((worker, done)))

    def _next_job(self) -> Job | None:
        for pending in self.telegram.delivery.ready():
            return self._webhook_job(pending)
        batch = self.queue.due()
        if batch is not None:
            return Job(WAKEUP, batch, wakeup=batch["Records"][0]["body"])
        if self._watch_at <= self.clock():
            self._watch_at += WATCHDOG
            self._quiet_rounds += 1
            return Job(WAKEUP, {})
        return None

    def _webhook_job(self, pending: Pending) -> Job:
        delivery = self.telegram.delivery
        first = pending.id not in self.updates
        update, headers = delivery.begin(pending)
        self.updates[pending.id] = update
        event = webhook_event(update, headers)
        job = Job(WEBHOOK, event, pending)
        if first and self.rng.random() < self.settings.repeated:
            self.repeated += 1
            job.broken = True
            delivery.finish(pending, None)  # puts it back to the head of its queue
        elif first and self.rng.random() < COPIED:
            self.copied += 1
            delivery.copy(pending)
        return job

    def _leap(self) -> bool:
        """Leap to the next event, but not far ahead of running jobs. Return True if time leapt."""
        moments = [room.act_at for room in self.rooms if room.act_at is not None]
        moments += [at for at in (self.telegram.delivery.next_at(), self.queue.next_at) if at is not None]
        moments.append(self._watch_at)
        step = max(0.0, min(moments) - self.clock()) + STRIDE
        for worker in self._busy:
            assert worker.job is not None
            step = min(step, AHEAD - (self.clock.leapt - worker.job.leapt))
        self.clock.leapt += max(0.0, step)
        return step > 0

    # --- the services of workers --------------------------------------------------------------------------

    def call(self, job: Job, path: str, params: dict[str, Any], files: Any) -> tuple[int, bytes]:
        """Return Telegram's answer to a call."""
        with self._turn:
            answer = serve(self.telegram, path, params, files)
            call = self.telegram.journal.calls.pop()
            self.messages.called(job, call)
            self._quiet_rounds = 0
            if call.method == "answerCallbackQuery":
                self._answered(str(params["callback_query_id"]))
            return answer

    def enqueue(self, body: str, delay: float) -> None:
        """Queue a wake-up."""
        self.queue.put(body, delay)

    def log(self, level: str, line: dict[str, Any]) -> None:
        """Note a line of the bot's log."""
        if level != "METRIC":
            self.said[line["event"]] += 1
            if line["event"] == "update_failed":
                self.failed.append(f"update_failed: {line.get('error')} in {line.get('where')}")

    def saved(self, won: bool) -> None:
        """Note that a room was saved, or that another writer was first."""
        with self._turn:
            self.saves += won
            self.conflicts += not won

    def _answered(self, query: str) -> None:
        self._room_of[self.telegram.queries[query].user.id].notice()

    def _finished(self, worker: Worker, done: Future[Any]) -> None:
        job = worker.job
        assert job is not None
        self._busy.remove(worker)
        self._idle.append(worker)
        error, reply = done.exception(), None
        if isinstance(error, Killed):
            self.killed += 1
            self.messages.excuse(job)
        elif error is not None:
            self.failed.append(f"raised: {error!r}")
        else:
            reply = done.result()
        if job.pending is not None and not job.broken:
            if reply is not None and reply["statusCode"] == 200:
                self.acknowledged.add(job.pending.id)
            self.telegram.delivery.finish(job.pending, None if reply is None else Response.of(reply))
            self._note_call_in_reply(reply or {})
        elif job.wakeup is not None and (reply is None or reply["batchItemFailures"]):
            self.queue.put(job.wakeup, VISIBILITY)

    def _note_call_in_reply(self, reply: dict[str, Any]) -> None:
        """Note the call to Telegram that the webhook's reply carried, if any."""
        if reply.get("body"):
            self.messages.called(None, self.telegram.journal.calls.pop())
            call = json.loads(reply["body"])
            if call["method"] == "answerCallbackQuery":
                self._answered(call["callback_query_id"])
