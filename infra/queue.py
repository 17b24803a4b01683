"""Wake-ups: messages to ourselves that come back at a later time."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from infra.aws import client

if TYPE_CHECKING:
    from mypy_boto3_sqs.client import SQSClient

#: Seconds that SQS can hold a message back; longer waits go in several hops.
LONGEST_DELAY = 900


class QueueUnavailable(RuntimeError):
    """The queue did not take a message, as far as we know. The watchdog finds the room later."""


@dataclass(frozen=True, slots=True)
class Wakeup:
    """A reason to look at a room."""

    #: The room's key.
    room: str
    #: The time it is meant for, in seconds since 1970.
    at: float
    #: A word for the log; what is to be done stands in the room.
    reason: str
    #: How often the same was tried before.
    attempt: int = 0

    def pack(self) -> str:
        """As the body of a message."""
        return json.dumps(
            {"room": self.room, "at": self.at, "reason": self.reason, "attempt": self.attempt},
            separators=(",", ":"),
        )

    @classmethod
    def parse(cls, body: str) -> Wakeup:
        """The inverse of ``pack``. Raises ``ValueError`` for anything else."""
        try:
            data = json.loads(body)
            return cls(str(data["room"]), float(data["at"]), str(data["reason"]), int(data["attempt"]))
        except (KeyError, TypeError, ValueError):
            raise ValueError("not a wake-up") from None


def sqs_client(**overrides: Any) -> SQSClient:
    """A client of the queue with short time-outs; made only where a wake-up is sent."""
    made: SQSClient = client("sqs", connect=1, read=3, tries=3, **overrides)
    return made


class Wakeups:
    """Sends wake-ups; the client is made at the first one, as most taps need none."""

    def __init__(
        self,
        queue_url: str,
        clock: Callable[[], float],
        make_client: Callable[[], SQSClient] = sqs_client,
    ) -> None:
        self._queue_url = queue_url
        self._clock = clock
        self._make_client = make_client
        self._client: SQSClient | None = None

    def send(self, wakeup: Wakeup) -> None:
        """Queue a wake-up for its time, or for the longest delay on the way to it.

        Raises QueueUnavailable.
        """
        from botocore.exceptions import BotoCoreError, ClientError

        if self._client is None:
            self._client = self._make_client()
        wait = min(max(math.ceil(wakeup.at - self._clock()), 0), LONGEST_DELAY)
        try:
            self._client.send_message(QueueUrl=self._queue_url, MessageBody=wakeup.pack(), DelaySeconds=wait)
        except ClientError as error:
            raise QueueUnavailable(str(error.response.get("Error", {}).get("Code"))) from None
        except BotoCoreError as error:
            raise QueueUnavailable(type(error).__name__) from None

    def forward_if_early(self, wakeup: Wakeup) -> bool:
        """Send a wake-up on its next hop if its time has not come; says whether it was early.

        However little: by the clock that reads the room there would be nothing to do yet, and clocks differ.
        """
        if wakeup.at <= self._clock():
            return False
        self.send(wakeup)
        return True
