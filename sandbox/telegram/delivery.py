"""Updates on their way to the bot, as Telegram's own server handles them.

Read in tdlib/telegram-bot-api, ``WebhookActor.cpp``: one queue per chat for messages and one per user for
taps, each strictly one at a time; a reply other than 2xx is tried again at once, then after 2, 4, 8 …
seconds up to 60–120, or after ``Retry-After``; what has expired is dropped.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
MESSAGE_LIFE = 24 * 3600.0
CALLBACK_LIFE = 150.0
MAX_RETRY_AFTER = 3600
DEFAULT_CONNECTIONS = 40
_LONGEST_WAIT = 60.0


@dataclass(slots=True, frozen=True)
class Response:
    """The webhook's reply: an HTTP status, a body, headers (any case)."""

    status: int = 200
    body: bytes | str = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, reply: Mapping[str, Any]) -> Response:
        """Return what Lambda makes of the reply of its function."""
        return cls(reply["statusCode"], reply.get("body", ""), reply.get("headers", {}))

    @property
    def retry_after(self) -> int:
        """Seconds asked for in ``Retry-After``, 0 when absent, at most an hour."""
        for name, value in self.headers.items():
            if name.lower() == "retry-after" and value.strip().isdigit():
                return min(int(value), MAX_RETRY_AFTER)
        return 0

    def method_call(self) -> Json | None:
        """Return the one method call that a 2xx body may carry."""
        try:
            said = json.loads(self.body) if self.body else None
        except ValueError:
            return None
        return said if isinstance(said, dict) and isinstance(said.get("method"), str) else None


@dataclass(slots=True, eq=False)
class Pending:
    """One update in its queue."""

    update: Json
    queue: Hashable
    expires: float
    wake_at: float
    delay: float = 1.0
    fails: int = 0
    in_flight: bool = False

    @property
    def id(self) -> int:
        """The ``update_id``."""
        return int(self.update["update_id"])


@dataclass(slots=True)
class Webhook:
    """The parameters that ``setWebhook`` was given."""

    url: str
    secret: str | None = None
    max_connections: int = DEFAULT_CONNECTIONS
    last_error: str | None = None
    last_error_time: float = 0.0


#: Takes an update and its headers to the bot; None or an exception means a broken connection.
Carry = Callable[[Json, dict[str, str]], Response | None]


class Delivery:
    """The queues.

    A caller decides the interleaving: ``ready``, then ``begin`` and ``finish``, or ``deliver``.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        execute: Callable[[str, Json], object],
        jitter: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._clock = clock
        self._execute = execute
        self._jitter = jitter
        self._queues: dict[Hashable, deque[Pending]] = {}
        self._next_id = 100_000_001
        self.webhook: Webhook | None = None
        self.allowed: frozenset[str] | None = None
        self.dropped: list[Pending] = []
        self.delivered = 0
        self.on_push: list[Callable[[], None]] = []

    def push(self, kind: str, content: Json, queue: Hashable, life: float = MESSAGE_LIFE) -> Pending:
        """Queue an update of ``kind`` (``message``, ``callback_query`` …) that lives ``life`` seconds."""
        now = self._clock()
        pending = Pending({"update_id": self._next_id, kind: content}, queue, now + life, now)
        self._next_id += 1
        self._queues.setdefault(queue, deque()).append(pending)
        for told in self.on_push:
            told()
        return pending

    def copy(self, pending: Pending) -> Pending:
        """Repeat an update under a new id, as a client that sends again causes it."""
        kind = next(key for key in pending.update if key != "update_id")
        return self.push(kind, pending.update[kind], pending.queue, pending.expires - self._clock())

    def pending(self) -> list[Pending]:
        """Return all updates that the bot has not accepted, by update id."""
        waiting = [pending for queue in self._queues.values() for pending in queue]
        return sorted(waiting, key=lambda pending: pending.id)

    def heads(self) -> list[Pending]:
        """Return the first of every queue, by update id; the others wait behind it."""
        self._expire()
        return sorted((queue[0] for queue in self._queues.values()), key=lambda pending: pending.id)

    def ready(self) -> list[Pending]:
        """Return updates that may be sent now, in any order and in parallel; never two of one queue."""
        now, heads = self._clock(), self.heads()
        most = self.webhook.max_connections if self.webhook else DEFAULT_CONNECTIONS
        free = max(0, most - sum(head.in_flight for head in heads))
        due = [head for head in heads if not head.in_flight and head.wake_at <= now]
        return due[:free]

    def next_at(self) -> float | None:
        """Return when the next update not in delivery may be sent, or None if there is none."""
        return min((head.wake_at for head in self.heads() if not head.in_flight), default=None)

    def begin(self, pending: Pending) -> tuple[Json, dict[str, str]]:
        """Take an update out for delivery: its JSON and the request's headers."""
        if pending.in_flight or pending not in self.heads():
            raise ValueError("this update is not at the head of its queue, or on its way already")
        pending.in_flight = True
        headers = {"Content-Type": "application/json"}
        if self.webhook is not None and self.webhook.secret:
            headers[SECRET_HEADER] = self.webhook.secret
        return pending.update, headers

    def finish(self, pending: Pending, response: Response | None) -> None:
        """Tell what came back: 2xx ends it (and may carry a call), all else is tried again later."""
        pending.in_flight = False
        if response is not None and 200 <= response.status <= 299:
            self._done(pending)
            self.delivered += 1
            self._reply(response)
            return
        status = (
            "Connection closed" if response is None else f"Wrong response from the webhook: {response.status}"
        )
        self._failed(pending, status, response.retry_after if response else 0)

    def deliver(self, pending: Pending, carry: Carry) -> Response | None:
        """Begin, carry and finish one update; an exception of ``carry`` breaks the line and propagates."""
        update, headers = self.begin(pending)
        response = None
        try:
            response = carry(update, headers)
        finally:
            self.finish(pending, response)
        return response

    def run_until_idle(
        self, carry: Carry, until: Callable[[float], object] | None = None, limit: int = 1_000_000
    ) -> int:
        """Deliver in the order of update ids until nothing is due; returns how many deliveries it took.

        With ``until`` (such as ``VirtualClock.until``) time moves on to the next retry instead of stopping.
        More than ``limit`` deliveries raise ``RuntimeError``: the bot is talking to itself.
        """
        for done in range(limit):
            ready = self.ready()
            if not ready and until is not None and (moment := self.next_at()) is not None:
                until(moment)
                ready = self.ready()
            if not ready:
                return done
            self.deliver(ready[0], carry)
        raise RuntimeError(f"still not idle after {limit} deliveries")

    def pull(self, offset: int, limit: int) -> list[Json]:
        """``getUpdates``: confirms what is below ``offset`` (negative: from the end), returns the rest."""
        self._expire()
        waiting = self.pending()
        if offset < 0:
            offset = waiting[offset:][0].id if waiting else 0
        for pending in waiting:
            if offset and pending.id < offset:
                self._queues[pending.queue].popleft()
                self.delivered += 1
        self._queues = {key: queue for key, queue in self._queues.items() if queue}
        return [pending.update for pending in waiting if pending.id >= offset][:limit]

    def clear(self) -> None:
        """``drop_pending_updates``."""
        self._queues.clear()

    def _done(self, pending: Pending) -> None:
        queue = self._queues.get(pending.queue)
        if queue and queue[0] is pending:
            queue.popleft()
            if not queue:
                del self._queues[pending.queue]

    def _expire(self) -> None:
        now = self._clock()
        for key, queue in list(self._queues.items()):
            while queue and not queue[0].in_flight and queue[0].expires < now:
                self.dropped.append(queue.popleft())
            if not queue:
                del self._queues[key]

    def _failed(self, pending: Pending, status: str, retry_after: int) -> None:
        wait = float(retry_after)
        if not retry_after and pending.fails:
            pending.delay = min(_LONGEST_WAIT * (1 + self._jitter()), pending.delay * 2)
            wait = pending.delay
        pending.fails += 1
        pending.wake_at = self._clock() + wait
        if pending.wake_at > pending.expires:
            self.dropped.append(pending)
            self._done(pending)
        if self.webhook is not None:
            self.webhook.last_error, self.webhook.last_error_time = status, self._clock()

    def _reply(self, response: Response) -> None:
        said = response.method_call()
        if said is None:
            return
        method = said.pop("method")
        if method.lower() in ("setwebhook", "deletewebhook", "close", "logout"):
            return
        if not method.lower().startswith("get"):
            self._execute(method, said)
