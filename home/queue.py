"""A queue in this process: what SQS does with delayed messages, by any clock."""

import heapq
import itertools
from collections.abc import Callable
from typing import Any


class DelayQueue:
    """Takes messages as boto3's SQS client does, and hands them out when their delay is over."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._number = itertools.count(1)
        self._waiting: list[tuple[float, int, str]] = []

    def send_message(  # the names are those of boto3
        self,
        *,
        QueueUrl: str,  # noqa: N803
        MessageBody: str,  # noqa: N803
        DelaySeconds: int = 0,  # noqa: N803
    ) -> dict[str, Any]:
        """Keep a message for its delay, in seconds, at most 900."""
        if not 0 <= DelaySeconds <= 900:
            raise ValueError("SQS delays a message by at most 900 seconds")
        number = next(self._number)
        heapq.heappush(self._waiting, (self._clock() + DelaySeconds, number, MessageBody))
        return {"MessageId": str(number)}

    @property
    def next_at(self) -> float | None:
        """When the next message comes out, or None."""
        return self._waiting[0][0] if self._waiting else None

    def due(self) -> dict[str, Any] | None:
        """The batch that Lambda would be handed now (one message), or None."""
        if not self._waiting or self._waiting[0][0] > self._clock():
            return None
        _, number, body = heapq.heappop(self._waiting)
        return {"Records": [{"messageId": str(number), "body": body}]}
