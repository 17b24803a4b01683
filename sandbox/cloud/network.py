"""Carry requests from processes to services, and answers back, with latencies and faults.

The clients of DynamoDB and SQS send their requests over this network, in place of boto3's.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from botocore.exceptions import ClientError, ConnectTimeoutError, ReadTimeoutError

from local.dynamodb import Client, LocalTable
from local.dynamodb.client import BROKEN, THROTTLED, TRIES
from local.dynamodb.table import Failed, Key
from local.queue import QueueClient

from .faults import Fault, Faults
from .machine import Died, Machine, Process

T = TypeVar("T")
#: An answer on its way. The process calls it when it arrives; it returns or raises the service's answer.
Arrival = Callable[[], Any]

#: Seconds that a request takes, and its answer again, by service: usual from–to, the longest, and the
#: probability of a longer one than usual.
Latencies = Mapping[str, tuple[float, float, float, float]]
LATENCIES: Latencies = {
    "store": (0.002, 0.02, 0.9, 0.02),
    "queue": (0.004, 0.03, 1.0, 0.02),
    "beacon": (0.03, 0.3, 2.5, 0.05),
    "telegram": (0.03, 0.3, 3.5, 0.03),
}
#: Latencies in which every request takes a usual time.
USUAL: Latencies = {
    "store": (0.0015, 0.0075, 0.0075, 0.0),
    "queue": (0.0025, 0.01, 0.01, 0.0),
    "beacon": (0.03, 0.3, 0.3, 0.0),
    "telegram": (0.015, 0.075, 0.075, 0.0),
}

#: Seconds that boto3 waits for an answer, as the bot's clients are configured.
STORE_SECONDS, QUEUE_SECONDS = 2.0, 3.0
#: Partition keys of items that belong to the whole bot: the operator's orders and the limiter.
OF_THE_WHOLE_BOT = ("operator", "limiter")
_WHERE = "http://localhost"


@dataclass(slots=True)
class Invocation:
    """One run of an entry."""

    number: int
    kind: str
    began: float
    update: dict[str, Any] | None = None
    #: When a request last met a fault.
    troubled_at: float = -1.0
    died: bool = False
    over: bool = False
    #: When it last wrote a room. It still knows the outbox of that time.
    wrote: float = 0.0
    #: Items whose latest request to the store got no answer.
    unheard: set[Any] = field(default_factory=set)

    def __str__(self) -> str:
        return f"#{self.number} {self.kind}"


class Network:
    """Carry requests and their faults."""

    def __init__(
        self,
        machine: Machine,
        rng: random.Random,
        faults: Faults,
        tell: Callable[..., None],
        latencies: Latencies,
    ) -> None:
        self.tell = tell
        self.machine = machine
        self.rng = rng
        self.faults = faults
        self._latencies = latencies
        #: The invocation whose request a service is processing now.
        self.acting: Invocation | None = None

    def send(
        self,
        process: BotProcess,
        service: str,
        perform: Callable[[], Any],
        instead: Callable[[Fault], Arrival | None],
        arrived: Callable[[Arrival], None],
    ) -> None:
        """Send a request. Call it in the process's thread.

        Args:
            perform: processes the request at the service. An exception that it raises is an answer, too.
            instead: returns the answer for a fault, or None to process the request all the same.
            arrived: gets the answer in the process's thread, unless the answer is lost.
        """
        process.check_alive()
        invocation = process.invocation
        fault = self.faults.draw(service)
        if fault is not Fault.NONE:
            invocation.troubled_at = self.machine.clock()
            self.tell(invocation, "meets", f"{service}: {fault}")
        if fault is Fault.KILLED_BEFORE:
            self.kill(process, invocation)
            raise Died
        there, back = self._latency(service), self._latency(service)

        def arrive() -> None:
            if fault is Fault.LOST_BEFORE:
                return
            said = None if fault in _DONE else instead(fault)
            if said is None:
                said = self._perform(invocation, perform)
            if fault is Fault.BROKEN_AFTER:
                said = instead(fault) or said
            if fault is Fault.KILLED_AFTER:
                self.kill(process, invocation)
            elif fault is not Fault.LOST_AFTER:
                self.machine.after(back, lambda: process.deliver(lambda: arrived(said)))

        self.machine.after(there, arrive)

    def _perform(self, invocation: Invocation, perform: Callable[[], Any]) -> Arrival:
        self.acting = invocation
        try:
            result = perform()
        except Exception as error:
            return raising(error)
        finally:
            self.acting = None
        return lambda: result

    def ask(
        self,
        process: BotProcess,
        service: str,
        perform: Callable[[], T],
        instead: Callable[[Fault], Arrival | None],
        patience: float,
    ) -> T:
        """Send a request and wait for its answer, as boto3 does. Raises what the answer raises.

        If no answer comes within ``patience`` seconds, it raises what ``instead(LOST_AFTER)`` raises.
        """
        box: list[Arrival] = []
        self.send(process, service, perform, instead, box.append)
        until = self.machine.clock() + patience
        while not box:
            if self.machine.clock() >= until:
                process.invocation.troubled_at = self.machine.clock()
                late = instead(Fault.LOST_AFTER)
                assert late is not None
                return late()
            process.wait(until)
        return box[0]()

    def kill(self, process: BotProcess, invocation: Invocation) -> None:
        """Kill a process, unless it no longer runs this invocation."""
        if not (invocation.over or process.dead):
            invocation.died = True
            process.kill()

    def _latency(self, service: str) -> float:
        low, high, worst, rarely = self._latencies[service]
        return self.rng.uniform(high, worst) if self.rng.random() < rarely else self.rng.uniform(low, high)


#: Faults that happen after the request is processed, and no fault.
_DONE = frozenset({Fault.NONE, Fault.LOST_AFTER, Fault.BROKEN_AFTER, Fault.KILLED_AFTER})


class BotProcess(Process):
    """A process of the bot with its current invocation."""

    invocation: Invocation


def raising(error: BaseException) -> Arrival:
    """Return an answer that raises an error."""

    def arrival() -> Any:
        raise error

    return arrival


def store_client(network: Network, process: BotProcess, table: LocalTable) -> Client:
    """Return the process's DynamoDB client."""

    def run(operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        def instead(fault: Fault) -> Arrival | None:
            if fault is Fault.RACE:
                _overtake(table, operation, arguments)
                return None
            failure = _STORE.get(fault)
            return None if failure is None else raising(failure())

        # The bot also works without the items of the whole bot.
        asked = {key for key in keys_in(operation, arguments) if key[0] not in OF_THE_WHOLE_BOT}
        unheard = process.invocation.unheard
        unheard |= asked
        try:
            found = network.ask(
                process, "store", lambda: table.run(operation, arguments), instead, STORE_SECONDS
            )
        except Failed as failed:
            if failed.code not in (THROTTLED, BROKEN):
                unheard -= asked  # a failed condition is an answer, too
            raise
        unheard -= asked
        return found

    return Client(run, process.sleep)


_STORE: dict[Fault, Callable[[], Exception]] = {
    Fault.LOST_BEFORE: lambda: ReadTimeoutError(endpoint_url=_WHERE),
    Fault.LOST_AFTER: lambda: ReadTimeoutError(endpoint_url=_WHERE),
    Fault.UNREACHABLE: lambda: ConnectTimeoutError(endpoint_url=_WHERE),
    Fault.THROTTLED: lambda: Failed(THROTTLED),
    Fault.BROKEN: lambda: Failed(BROKEN),
}


def _overtake(table: LocalTable, operation: str, arguments: Mapping[str, Any]) -> None:
    """Let another writer save the same room first. Only its version changes."""
    for body in _bodies(operation, arguments):
        at = _key(body)
        if at is None or "ConditionExpression" not in body:
            continue
        item = table.items.get(at)
        if item is not None and "v" in item:
            fresh = {**item, "v": {"N": str(int(item["v"]["N"]) + 1)}, "writer": {"S": "somebody else"}}
            table.store(at, item, fresh)


def _bodies(operation: str, arguments: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the parts of a request, each of which concerns one item."""
    if operation != "transact_write_items":
        return [arguments]
    return [body for action in arguments["TransactItems"] for body in action.values()]


def _key(body: Mapping[str, Any]) -> Key | None:
    key = body.get("Key") or body.get("Item")
    return None if key is None else (key["pk"]["S"], key["sk"]["S"])


def keys_in(operation: str, arguments: Mapping[str, Any]) -> list[Key]:
    """Return the keys of the items in a request, in order."""
    keys = (_key(body) for body in _bodies(operation, arguments))
    return [key for key in keys if key is not None]


def queue_client(
    network: Network, process: BotProcess, put: Callable[[str, float, Fault], None]
) -> QueueClient:
    """Return the process's SQS client, which tries at most three times."""

    def send(body: str, delay: float) -> None:
        queued = Fault.NONE

        def instead(fault: Fault) -> Arrival | None:
            nonlocal queued
            if fault in (Fault.WAKEUP_LOST, Fault.WAKEUP_TWICE, Fault.WAKEUP_LATE):
                queued = fault
                return None
            if fault is Fault.BROKEN:
                return raising(ClientError({"Error": {"Code": "InternalFailure"}}, "SendMessage"))
            return raising(ReadTimeoutError(endpoint_url=_WHERE))

        put_it = lambda: put(body, delay, queued)  # noqa: E731
        for last in range(TRIES):
            try:
                return network.ask(process, "queue", put_it, instead, QUEUE_SECONDS)
            except (ClientError, ReadTimeoutError):
                if last == TRIES - 1:
                    raise
                process.sleep(0.05)

    return QueueClient(send)
