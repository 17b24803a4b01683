"""What a process of the bot is built with: a store, a queue and a wire to Telegram, all by the network."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from typing import Any

import httpx
from botocore.exceptions import ClientError, ConnectTimeoutError, ReadTimeoutError
from telegram.error import NetworkError

from home.dynamodb import Client, LocalTable
from home.dynamodb.client import BROKEN, THROTTLED, TRIES
from home.dynamodb.table import Failed, Key
from home.queue import QueueClient
from sandbox.beacon import DeskBeacon, Mood
from sandbox.telegram.errors import Refusal, bad_request, forbidden, too_many
from sandbox.telegram.journal import EDITS, POSTS
from sandbox.telegram.transport import StandinRequest, encode, serve

from .fates import Fate
from .network import Arrival, BotProcess, Network, _raise

#: Seconds that boto3 waits for an answer, as the bot's clients are configured.
STORE_SECONDS, QUEUE_SECONDS = 2.0, 3.0
#: The calls that Telegram counts.
COUNTED = POSTS | EDITS
#: Partition keys of the operator's orders and of the limiter.
OF_THE_WHOLE_BOT = ("operator", "limiter")
_WHERE = "http://localhost"


def store_client(network: Network, process: BotProcess, table: LocalTable) -> Client:
    """The process's DynamoDB client."""

    def run(operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        def instead(fate: Fate) -> Arrival | None:
            if fate is Fate.RACE:
                _overtake(table, operation, arguments)
                return None
            failure = _STORE.get(fate)
            return None if failure is None else lambda: _raise(failure())

        unheard, asked = process.invocation.unheard, _keys(operation, arguments)
        unheard |= asked
        try:
            found = network.ask(
                process, "store", lambda: table.run(operation, arguments), instead, STORE_SECONDS
            )
        except Failed as failed:
            if failed.code not in (THROTTLED, BROKEN):
                unheard -= asked  # a condition that does not hold is an answer
            raise
        unheard -= asked
        return found

    return Client(run, process.sleep)


_STORE: dict[Fate, Callable[[], Exception]] = {
    Fate.LOST_BEFORE: lambda: ReadTimeoutError(endpoint_url=_WHERE),
    Fate.LOST_AFTER: lambda: ReadTimeoutError(endpoint_url=_WHERE),
    Fate.UNREACHABLE: lambda: ConnectTimeoutError(endpoint_url=_WHERE),
    Fate.THROTTLED: lambda: Failed(THROTTLED),
    Fate.BROKEN: lambda: Failed(BROKEN),
}


def _overtake(table: LocalTable, operation: str, arguments: Mapping[str, Any]) -> None:
    """Somebody else saves the same room just before: its version grows, nothing else changes."""
    for body in _bodies(operation, arguments):
        at = _key(body)
        if at is None or "ConditionExpression" not in body:
            continue
        item = table.items.get(at)
        if item is not None and "v" in item:
            fresh = {**item, "v": {"N": str(int(item["v"]["N"]) + 1)}, "writer": {"S": "somebody else"}}
            table.store(at, item, fresh)


def _bodies(operation: str, arguments: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What an operation does to one item each."""
    if operation != "transact_write_items":
        return [arguments]
    return [body for action in arguments["TransactItems"] for body in action.values()]


def _key(body: Mapping[str, Any]) -> Key | None:
    key = body.get("Key") or body.get("Item")
    return None if key is None else (key["pk"]["S"], key["sk"]["S"])


def _keys(operation: str, arguments: Mapping[str, Any]) -> set[Key]:
    """The items that a request is about, but for those of the whole bot: it goes on without them."""
    keys = (_key(body) for body in _bodies(operation, arguments))
    return {key for key in keys if key is not None and key[0] not in OF_THE_WHOLE_BOT}


def queue_client(
    network: Network, process: BotProcess, put: Callable[[str, float, Fate], None]
) -> QueueClient:
    """The process's SQS client, which tries three times at most."""

    def send(body: str, delay: float) -> None:
        for left in range(TRIES - 1, -1, -1):
            try:
                return once(body, delay)
            except (ClientError, ReadTimeoutError):
                if not left:
                    raise
                process.sleep(0.05)
        raise AssertionError

    def once(body: str, delay: float) -> None:
        queued: list[Fate] = []

        def instead(fate: Fate) -> Arrival | None:
            if fate in (Fate.WAKEUP_LOST, Fate.WAKEUP_TWICE, Fate.WAKEUP_LATE):
                queued.append(fate)
                return None
            if fate is Fate.BROKEN:
                error: Any = {"Error": {"Code": "InternalFailure"}}
                return lambda: _raise(ClientError(error, "SendMessage"))
            return lambda: _raise(ReadTimeoutError(endpoint_url=_WHERE))

        def perform() -> None:
            put(body, delay, queued[0] if queued else Fate.WELL)

        network.ask(process, "queue", perform, instead, QUEUE_SECONDS)

    return QueueClient(send)


class Wire(StandinRequest):
    """The transport of python-telegram-bot, in virtual time."""

    def __init__(self, network: Network, process: BotProcess, world: Any) -> None:
        super().__init__(world.telegram)
        self._network = network
        self._process = process
        self._world = world

    async def called(self, path: str, params: dict[str, Any], files: dict[str, bytes]) -> tuple[int, bytes]:
        """The stand-in's answer; waits in vain where it is lost."""
        answered: asyncio.Future[Arrival] = asyncio.get_running_loop().create_future()
        ledger, invocation = self._world.ledger, self._process.invocation
        method_name = path.rpartition("/")[2]
        record = ledger.sent(invocation, method_name, params)

        def perform() -> tuple[int, bytes]:
            left = self._network.fates.weather.flood_left(self._network.machine.clock())
            if left and method_name in COUNTED:
                self._world.knocks += 1
                ledger.answered_with(record, 429)
                return encode(too_many(math.ceil(left)).envelope())
            status, body = serve(self.tg, path, params, files)
            self._world.tell(invocation, "calls", method_name, params.get("chat_id", ""), record.owed, status)
            ledger.performed(record, self.tg.journal.calls[-1])
            return status, body

        def instead(fate: Fate) -> Arrival | None:
            chat = str(params.get("chat_id", ""))
            if fate is Fate.FORBIDDEN and chat.isdigit():
                # Nobody is refused for nothing: the person blocks the bot at this moment.
                self._world.on_forbidden(int(chat))
                return None
            refused = _refusal(fate, self._network)
            if refused is not None:
                ledger.answered_with(record, refused.code)
                status, body = encode(refused.envelope())
                return lambda: (status, body)
            if fate is Fate.UNREACHABLE:
                return _no_connection
            return None

        def arrived(answer: Arrival) -> None:
            if not answered.done():
                ledger.answered(record)
                answered.set_result(answer)

        self._network.send(self._process, "telegram", perform, instead, arrived)
        return (await answered)()


class BeaconWire(httpx.AsyncBaseTransport):
    """HTTP to the beacon's mirrors, in virtual time."""

    def __init__(self, network: Network, process: BotProcess, beacon: DeskBeacon) -> None:
        self._network = network
        self._process = process
        self._beacon = beacon

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The mirror's answer; waits in vain where it is lost."""
        answered: asyncio.Future[Arrival] = asyncio.get_running_loop().create_future()

        def perform() -> tuple[int, bytes]:
            begins, ends = self._network.fates.weather.beacon_away
            if begins <= self._network.machine.clock() < ends:
                raise httpx.ConnectError("nobody listens", request=request)
            return self._beacon.answer(request.url.path)

        def instead(fate: Fate) -> Arrival | None:
            if fate is Fate.EARLY:
                return lambda: (404, b"")
            if fate is Fate.FORGED:
                return lambda: self._beacon.answer(request.url.path, Mood(forged=True))
            if fate is Fate.BROKEN:
                return lambda: (502, b"")
            return lambda: _raise(httpx.ConnectError("no connection", request=request))

        def arrived(answer: Arrival) -> None:
            if not answered.done():
                answered.set_result(answer)

        self._network.send(self._process, "beacon", perform, instead, arrived)
        status, body = (await answered)()
        headers = {"Content-Type": "application/json"}
        return httpx.Response(status, headers=headers, content=body, request=request)


def _refusal(fate: Fate, network: Network) -> Refusal | None:
    if fate in (Fate.BROKEN, Fate.BROKEN_AFTER):
        return Refusal(502, "Bad Gateway")
    if fate is Fate.TOO_MANY:
        return too_many(network.rng.choice((1, 3, 10, 35, 120)))
    if fate is Fate.BAD:
        return bad_request("something that has no name")
    if fate is Fate.FORBIDDEN:
        return forbidden("something that has no name")
    return None


def _no_connection() -> Any:
    raise NetworkError("no connection") from httpx.ConnectError("no connection")
