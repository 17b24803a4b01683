"""Clients of DynamoDB and SQS that send their requests over the simulated network, in place of boto3's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from botocore.exceptions import ClientError, ConnectTimeoutError, ReadTimeoutError

from local.dynamodb import Client, LocalTable
from local.dynamodb.client import BROKEN, THROTTLED, TRIES
from local.dynamodb.table import Failed, Key
from local.queue import QueueClient

from .faults import Fault
from .network import Arrival, BotProcess, Network, raising

#: Seconds that boto3 waits for an answer, as the bot's clients are configured.
STORE_SECONDS, QUEUE_SECONDS = 2.0, 3.0
#: Partition keys of items that belong to the whole bot: the operator's orders and the limiter.
OF_THE_WHOLE_BOT = ("operator", "limiter")
_WHERE = "http://localhost"


def store_client(network: Network, process: BotProcess, table: LocalTable) -> Client:
    """Return the process's DynamoDB client."""

    def run(operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        def instead(fault: Fault) -> Arrival | None:
            if fault is Fault.RACE:
                _overtake(table, operation, arguments)
                return None
            failure = _STORE.get(fault)
            return None if failure is None else raising(failure())

        unheard, asked = process.invocation.unheard, _keys(operation, arguments)
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


def _keys(operation: str, arguments: Mapping[str, Any]) -> set[Key]:
    """Return the keys in a request, without the keys of the whole bot, since it also works without those."""
    keys = (_key(body) for body in _bodies(operation, arguments))
    return {key for key in keys if key is not None and key[0] not in OF_THE_WHOLE_BOT}


def queue_client(
    network: Network, process: BotProcess, put: Callable[[str, float, Fault], None]
) -> QueueClient:
    """Return the process's SQS client, which tries at most three times."""

    def send(body: str, delay: float) -> None:
        for last in range(TRIES):
            try:
                return once(body, delay)
            except (ClientError, ReadTimeoutError):
                if last == TRIES - 1:
                    raise
                process.sleep(0.05)

    def once(body: str, delay: float) -> None:
        queued = Fault.NONE

        def instead(fault: Fault) -> Arrival | None:
            nonlocal queued
            if fault in (Fault.WAKEUP_LOST, Fault.WAKEUP_TWICE, Fault.WAKEUP_LATE):
                queued = fault
                return None
            if fault is Fault.BROKEN:
                return raising(ClientError({"Error": {"Code": "InternalFailure"}}, "SendMessage"))
            return raising(ReadTimeoutError(endpoint_url=_WHERE))

        network.ask(process, "queue", lambda: put(body, delay, queued), instead, QUEUE_SECONDS)

    return QueueClient(send)
