"""Run all rooms: Telegram, the queue and the schedule are in this process, and workers do the jobs.

Virtual time passes slowly while all workers are busy. When a worker is idle, time leaps to the next event, so
that nobody waits in real time for a group's limit or for a dead worker's lease to end.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.rooms.codec import decode
from bot.rooms.model import Room
from infra.store.rooms import Rooms
from infra.store.table import DynamoTable, dynamodb_client
from local.invocation import webhook_event
from local.queue import DelayQueue
from sandbox.dynoxide import Dynoxide
from sandbox.harness import ENVIRONMENT, telegram_with_webhook
from sandbox.schema import create_table
from sandbox.telegram import Chat, Response
from sandbox.telegram.delivery import Pending
from sandbox.telegram.transport import serve

from .messages import Messages
from .pool import DIED, Incoming, Job, Worker, WorkerPool
from .room import CrowdRoom
from .stream import keep_stream
from .worker import WAKEUP, WEBHOOK, Prepare, WorkerSettings, crowd_clock

#: The table's name. dynoxide derives names of streams from it, and boto3 refuses short ones.
TABLE = "chancellery-crowd"
#: Seconds, as in ``template.yaml``.
VISIBILITY, WATCHDOG = 90.0, 180.0
#: Seconds by which a leap goes beyond the next event, so that more events happen at once.
STRIDE = 2.0
#: The maximum number of seconds that time may leap during one job: much less than a lease, and so little that
#: a second tap comes within ten seconds of the first.
AHEAD = 3.0
#: The share of updates that are repeated at once, and of those that come again under a new id.
REPEATED, COPIED = 0.04, 0.03
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

    def __init__(
        self, settings: RunSettings, dynoxide: Dynoxide, file: Path, prepare: Prepare | None = None
    ) -> None:
        self.settings = settings
        self.rng = random.Random(f"crowd/{settings.seed}")
        began = time.time()
        self.clock = crowd_clock(began)
        self.telegram = telegram_with_webhook(self.clock, validated=False)
        self.telegram.on_change.append(self._changed)
        self.queue = DelayQueue(self.clock)
        self.messages = Messages()
        self.said: Counter[str] = Counter()
        self.failed: list[str] = []
        self.saves = self.conflicts = self.repeated = self.copied = 0
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
        self.pool = WorkerPool(
            settings.workers, WorkerSettings(began, environment, dynoxide.client_arguments, prepare)
        )
        self._watch_at = self.clock() + WATCHDOG
        self._quiet_rounds = 0

    def play(self) -> None:
        """Play until every game has ended and everything is sent, or until time is up."""
        until = time.monotonic() + self.settings.seconds
        for room in self.rooms:
            room.notice()
        try:
            while not (self._done() or self._stuck(until)):
                self._step()
            if self.telegram.delivery.dropped:
                self.failed.append(f"{len(self.telegram.delivery.dropped)} updates waited too long")
        finally:
            self.pool.close()
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
            and not self.pool.has_jobs
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

    def _step(self) -> None:
        """Let people act, assign jobs, then read the workers' messages."""
        now = self.clock()
        for room in self.rooms:
            if room.act_at is not None and room.act_at <= now:
                room.act()
        self._assign_jobs()
        # If a worker is still idle, there is nothing left to do at this virtual time.
        leapt = bool(self.pool.idle()) and self._leap()
        if self.pool.busy:
            for worker, said in self.pool.messages(0.0 if leapt else 0.05):
                self._hear(worker, said)

    def _assign_jobs(self) -> None:
        """Assign jobs to idle workers, as long as there are jobs."""
        idle = self.pool.idle()
        self.rng.shuffle(idle)
        while idle:
            job = self._next_job()
            if job is None:
                return
            worker = idle.pop()
            self.pool.assign(worker, job, self.clock.leapt)
            if self.settings.kill is not None and self.rng.random() * self.settings.kill < 1:
                self.pool.kill_soon(worker, self.rng.random())

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
        oldest = self.pool.oldest
        if oldest is not None:
            step = min(step, AHEAD - (self.clock.leapt - oldest))
        self.clock.leapt += max(0.0, step)
        return step > 0

    # --- messages of workers ------------------------------------------------------------------------------

    def _hear(self, worker: Worker, said: Incoming) -> None:
        kind, *rest = said
        if said is DIED:
            self._died(worker)
        elif kind == "call":
            self._call(worker, *rest)
        elif kind == "queue":
            body, delay = rest
            self.queue.put(body, delay)
        elif kind == "log":
            (line,) = rest
            self.said[line["event"]] += 1
            if line["event"] in ("update_failed", "raised"):
                self.failed.append(f"{line['event']}: {line.get('error')} in {line.get('where')}")
        else:
            self._finished(worker, *rest)

    def _call(self, worker: Worker, number: int, path: str, params: dict[str, Any], files: Any) -> None:
        job, leapt = worker.job, self.clock.leapt
        if job is not None:
            # Time may have leapt since the job began. Telegram gets the worker's time, so that both agree
            # about a group's limit.
            self.clock.leapt = job.leapt
        answer = serve(self.telegram, path, params, files)
        self.clock.leapt = leapt
        call = self.telegram.journal.calls.pop()
        self.messages.called(job, call)
        self._quiet_rounds = 0
        if call.method == "answerCallbackQuery":
            self._answered(str(params["callback_query_id"]))
        self.pool.answer(worker, number, answer)

    def _answered(self, query: str) -> None:
        self._room_of[self.telegram.queries[query].user.id].notice()

    def _finished(
        self, worker: Worker, reply: dict[str, Any] | None, saves: int, conflicts: int, cpu: float
    ) -> None:
        job = self.pool.free(worker)
        worker.cpu = cpu
        self.saves += saves
        self.conflicts += conflicts
        if job.pending is not None and not job.broken:
            assert reply is not None
            if reply["statusCode"] == 200:
                self.acknowledged.add(job.pending.id)
            self.telegram.delivery.finish(job.pending, Response.of(reply))
            self._note_call_in_reply(reply)
        elif job.wakeup is not None and (reply is None or reply["batchItemFailures"]):
            self._visible_later(job.wakeup)

    def _note_call_in_reply(self, reply: dict[str, Any]) -> None:
        """Note the call to Telegram that the webhook's reply carried, if any."""
        if reply.get("body"):
            self.messages.called(None, self.telegram.journal.calls.pop())
            call = json.loads(reply["body"])
            if call["method"] == "answerCallbackQuery":
                self._answered(call["callback_query_id"])

    def _died(self, worker: Worker) -> None:
        """Deliver a dead worker's update or wake-up again, as Telegram and the queue do."""
        if worker.job is None:
            return
        job = self.pool.free(worker)
        self.messages.excuse(job)
        if job.pending is not None and not job.broken:
            self.telegram.delivery.finish(job.pending, None)
        elif job.wakeup is not None:
            self._visible_later(job.wakeup)

    def _visible_later(self, body: str) -> None:
        self.queue.put(body, VISIBILITY)
