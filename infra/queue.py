"""Wake-ups: messages to ourselves that come back at a later time."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from botocore.exceptions import BotoCoreError, ClientError

from infra.aws import client

if TYPE_CHECKING:
    from mypy_boto3_sqs.client import SQSClient

#: Seconds that SQS can hold a message back; longer waits go in several hops.
LONGEST_DELAY = 900
#: A wake-up may queue the next one, and so on. This is the longest chain of wake-ups that are each queued for
#: less than ``QUICK`` seconds ahead. After that the watchdog wakes the room, which starts a new chain.
#: Lambda's own loop detection would stop a chain after 16. It is switched off, because longer chains are
#: normal: while only computers are asked in a group, each question takes a wake-up. So does each new try to
#: send after a 429.
LONGEST_CHAIN = 250
QUICK = 60


class QueueUnavailable(RuntimeError):
    """The wake-up was not queued, as far as we know: the queue did not take it, or its chain is too long.

    The watchdog finds the room later.
    """


class Wakeup(NamedTuple):
    """A message that makes the bot look at a room."""

    #: The room's key.
    room: str
    #: The time it is meant for, in seconds since 1970.
    at: float
    #: A word for the log. The room itself says what to do.
    reason: str
    #: The number of quick wake-ups that led to this one.
    chain: int = 0

    def pack(self) -> str:
        """Return the body of a message."""
        fields = {"room": self.room, "at": self.at, "reason": self.reason, "chain": self.chain}
        # The previous version needs ``attempt``. During a deploy or a rollback both versions take wake-ups.
        return json.dumps({**fields, "attempt": 0}, separators=(",", ":"))

    @classmethod
    def parse(cls, body: str) -> Wakeup:
        """Parse what ``pack`` returned. Raises ValueError for anything else."""
        try:
            data = json.loads(body)
            room, at, reason = str(data["room"]), float(data["at"]), str(data["reason"])
            return cls(room, at, reason, int(data.get("chain", 0)))
        except (KeyError, TypeError, ValueError):
            raise ValueError("not a wake-up") from None


def sqs_client(**overrides: Any) -> SQSClient:
    """Return a client of SQS with short time-outs."""
    made: SQSClient = client("sqs", connect=1, read=3, tries=3, **overrides)
    return made


class WakeupQueue:
    """Sends wake-ups. The client is made when the first one is sent, because most taps need none."""

    def __init__(
        self, queue_url: str, clock: Callable[[], float], make_client: Callable[[], SQSClient] = sqs_client
    ) -> None:
        self._queue_url = queue_url
        self._clock = clock
        self._make_client = make_client
        self._client: SQSClient | None = None
        self._chain = 0

    @contextmanager
    def following(self, wakeup: Wakeup) -> Iterator[None]:
        """Make the wake-ups that are sent within this context continue this wake-up's chain."""
        self._chain = wakeup.chain + 1
        try:
            yield
        finally:
            self._chain = 0

    def send(self, wakeup: Wakeup) -> None:
        """Queue a wake-up for its time, or for the longest delay if that is earlier.

        Raises QueueUnavailable if the queue does not take it, or if the chain is too long.
        """
        wait = wakeup.at - self._clock()
        chain = self._chain if wait < QUICK else 0
        if chain > LONGEST_CHAIN:
            raise QueueUnavailable("the chain of wake-ups is too long")
        self._put(wakeup._replace(chain=chain))

    def _put(self, wakeup: Wakeup) -> None:
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
        """Queue a wake-up again if it came before its time. Returns whether it was early.

        Even a fraction of a second counts as early: what the wake-up is for is not due yet.
        """
        if wakeup.at <= self._clock():
            return False
        self._put(wakeup)
        return True
