"""A queue in this process that delays messages as SQS does, by any clock."""

import heapq
import itertools
import threading
from collections.abc import Callable
from typing import Any


class QueueClient:
    """The part of boto3's SQS client that the bot uses.

    Args:
        put: takes a message's body and its delay in seconds.
    """

    def __init__(self, put: Callable[[str, int], object]) -> None:
        self._put = put

    def send_message(  # the names are boto3's
        self,
        *,
        QueueUrl: str,  # noqa: N803
        MessageBody: str,  # noqa: N803
        DelaySeconds: int = 0,  # noqa: N803
    ) -> dict[str, Any]:
        """Send a message. Raises ValueError if the delay is not from 0 to 900 seconds, as SQS requires."""
        if not 0 <= DelaySeconds <= 900:
            raise ValueError("SQS delays a message by at most 900 seconds")
        self._put(MessageBody, DelaySeconds)
        return {"MessageId": "1"}


class DelayQueue(QueueClient):
    """Keeps messages, and returns them once their delay is over. Safe for threads.

    If the clock is set back, the times of all waiting messages move back by as much.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(self.put)
        self._clock = clock
        self._number = itertools.count(1)
        self._waiting: list[tuple[float, int, str]] = []
        self._latest = clock()
        self._turn = threading.Lock()

    def put(self, body: str, delay: float) -> None:
        """Keep a message for this many seconds."""
        with self._turn:
            heapq.heappush(self._waiting, (self._now() + delay, next(self._number), body))

    @property
    def next_at(self) -> float | None:
        """The time at which the next message is due, or None."""
        with self._turn:
            self._now()
            return self._waiting[0][0] if self._waiting else None

    def due(self) -> dict[str, Any] | None:
        """Return the batch that Lambda would get now (one message), or None."""
        with self._turn:
            now = self._now()
            if not self._waiting or self._waiting[0][0] > now:
                return None
            _, number, body = heapq.heappop(self._waiting)
        return {"Records": [{"messageId": str(number), "body": body}]}

    def _now(self) -> float:
        """Return the time. If the clock was set back, first move back the times of all waiting messages."""
        now = self._clock()
        if (back := self._latest - now) > 0:
            # This does not change the order.
            self._waiting = [(at - back, number, body) for at, number, body in self._waiting]
        self._latest = now
        return now
