"""Deliver updates to the bot as Telegram's server does.

The source is ``WebhookActor.cpp`` in tdlib/telegram-bot-api. There is one queue per chat for messages and one
per user for taps, and each queue delivers one update at a time. After a reply other than 2xx, the update is
repeated at once, then after 2, 4, 8 … seconds up to 60, or after ``Retry-After``. Expired updates are
dropped.
"""

from __future__ import annotations

import json
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
    """The webhook's reply. Header names may be in any case."""

    status: int = 200
    body: bytes | str = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, reply: Mapping[str, Any]) -> Response:
        """Return the HTTP response that Lambda makes from its function's reply."""
        return cls(reply["statusCode"], reply.get("body", ""), reply.get("headers", {}))

    @property
    def retry_after(self) -> int:
        """Return the seconds in ``Retry-After``, at most an hour; 0 if the header is missing."""
        for name, value in self.headers.items():
            if name.lower() == "retry-after" and value.strip().isdigit():
                return min(int(value), MAX_RETRY_AFTER)
        return 0

    def method_call(self) -> Json | None:
        """Return the method call in the body, or None if there is none."""
        try:
            said = json.loads(self.body) if self.body else None
        except ValueError:
            return None
        return said if isinstance(said, dict) and isinstance(said.get("method"), str) else None


@dataclass(slots=True, eq=False)
class Pending:
    """An update in its queue."""

    update: Json
    queue: Hashable
    expires: float
    wake_at: float
    delay: float = 1.0
    fails: int = 0
    in_flight: bool = False

    @property
    def id(self) -> int:
        """Return the ``update_id``."""
        return int(self.update["update_id"])


@dataclass(slots=True)
class Webhook:
    """The parameters of ``setWebhook``."""

    url: str
    secret: str | None = None
    max_connections: int = DEFAULT_CONNECTIONS


#: Delivers an update with its headers to the bot. None or an exception means a broken connection.
Carry = Callable[[Json, dict[str, str]], Response | None]


class Delivery:
    """The queues of updates.

    The caller decides the order of deliveries: it takes updates from ``ready``, and calls ``deliver``, or
    ``begin`` and later ``finish``.
    """

    def __init__(self, clock: Callable[[], float], execute: Callable[[str, Json], object]) -> None:
        self._clock = clock
        self._execute = execute
        #: The updates that the bot has not accepted yet, by id and so in order.
        self._waiting: dict[int, Pending] = {}
        self._next_id = 100_000_001
        self.webhook: Webhook | None = None
        self.allowed: frozenset[str] | None = None
        self.dropped: list[Pending] = []
        self.on_push: list[Callable[[], None]] = []

    def push(self, kind: str, content: Json, queue: Hashable, life: float = MESSAGE_LIFE) -> Pending:
        """Queue an update of ``kind`` (``message``, ``callback_query`` …) for ``life`` seconds."""
        now = self._clock()
        pending = Pending({"update_id": self._next_id, kind: content}, queue, now + life, now)
        self._next_id += 1
        self._waiting[pending.id] = pending
        for told in self.on_push:
            told()
        return pending

    def copy(self, pending: Pending) -> Pending:
        """Queue an update again under a new id, as happens when a client repeats a request."""
        kind = next(key for key in pending.update if key != "update_id")
        return self.push(kind, pending.update[kind], pending.queue, pending.expires - self._clock())

    def pending(self) -> list[Pending]:
        """Return all updates that the bot has not accepted yet, ordered by id."""
        return list(self._waiting.values())

    def heads(self) -> list[Pending]:
        """Return the first update of each queue, ordered by id. Drop those that have expired."""
        now, heads = self._clock(), dict[Hashable, Pending]()
        for pending in self.pending():
            if pending.queue in heads:
                continue
            if pending.expires < now and not pending.in_flight:
                self.dropped.append(self._waiting.pop(pending.id))
            else:
                heads[pending.queue] = pending
        return list(heads.values())

    def ready(self) -> list[Pending]:
        """Return the updates that may be delivered now, in any order and in parallel."""
        now, heads = self._clock(), self.heads()
        most = self.webhook.max_connections if self.webhook else DEFAULT_CONNECTIONS
        free = max(0, most - sum(head.in_flight for head in heads))
        due = [head for head in heads if not head.in_flight and head.wake_at <= now]
        return due[:free]

    def next_at(self) -> float | None:
        """Return when the next update may be delivered, or None if there is none."""
        return min((head.wake_at for head in self.heads() if not head.in_flight), default=None)

    def begin(self, pending: Pending) -> tuple[Json, dict[str, str]]:
        """Start to deliver an update; return its JSON and the request's headers."""
        if pending.in_flight or pending not in self.heads():
            raise ValueError("this update is not the first of its queue, or is already being delivered")
        pending.in_flight = True
        headers = {"Content-Type": "application/json"}
        if self.webhook is not None and self.webhook.secret:
            headers[SECRET_HEADER] = self.webhook.secret
        return pending.update, headers

    def finish(self, pending: Pending, response: Response | None) -> None:
        """End a delivery. After 2xx, do the call in the reply, if any; otherwise repeat the update later."""
        pending.in_flight = False
        if response is not None and 200 <= response.status <= 299:
            self._waiting.pop(pending.id, None)
            if (said := response.method_call()) is not None:
                method = said.pop("method")
                if not method.lower().startswith(("get", "setwebhook", "deletewebhook", "close", "logout")):
                    self._execute(method, said)
            return
        wait = float(response.retry_after if response else 0)
        if not wait and pending.fails:
            wait = pending.delay = min(_LONGEST_WAIT, pending.delay * 2)
        pending.fails += 1
        pending.wake_at = self._clock() + wait
        if pending.wake_at > pending.expires:
            self.dropped.append(pending)
            self._waiting.pop(pending.id, None)

    def deliver(self, pending: Pending, carry: Carry) -> Response | None:
        """Deliver one update with ``carry``. An exception counts as a broken connection, and is raised."""
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
        """Deliver updates in the order of ids until none is due; return the number of deliveries.

        With ``until`` (such as ``VirtualClock.until``), advance time to the next retry instead of stopping.
        Raises ``RuntimeError`` after ``limit`` deliveries, since then the bot probably never stops.
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

    def pull(self, offset: int) -> list[Json]:
        """Do ``getUpdates``: confirm updates below ``offset``, return the others, at most a hundred."""
        self.heads()
        self._waiting = {id: pending for id, pending in self._waiting.items() if id >= offset}
        return [pending.update for pending in self.pending()][:100]

    def clear(self) -> None:
        """Drop all pending updates."""
        self._waiting.clear()
