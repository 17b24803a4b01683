"""Transports of a simulated process to Telegram and to the beacon, with faults and in virtual time."""

import asyncio
import math
from collections.abc import Callable
from typing import Any

import httpx
from telegram.error import NetworkError

from sandbox.beacon import RelayBehaviour, StandinBeacon
from sandbox.cloud.faults import Fault
from sandbox.cloud.network import Arrival, BotProcess, Network, raising
from sandbox.telegram.calls import COUNTED, Refusal, bad_request, forbidden, too_many
from sandbox.telegram.transport import StandinRequest, encode, serve


class NetworkRequest(StandinRequest):
    """python-telegram-bot's transport over the network, with faults, and with a ledger of all calls."""

    def __init__(self, network: Network, process: BotProcess, world: Any) -> None:
        super().__init__(world.telegram)
        self.network = network
        self.process = process
        self.world = world

    async def answer_call(
        self, path: str, params: dict[str, Any], files: dict[str, bytes]
    ) -> tuple[int, bytes]:
        """Return the stand-in's answer, or a fault's. If the answer is lost, wait for ever."""
        ledger, invocation, world = self.world.ledger, self.process.invocation, self.world
        method_name = path.rpartition("/")[2]
        record = ledger.sent(invocation, method_name, params)

        def perform() -> tuple[int, bytes]:
            left = world.faults.plan.flood_left(world.clock())
            if left and method_name in COUNTED:
                world.flood_calls += 1
                record.code = 429
                return encode(too_many(math.ceil(left)).envelope())
            status, body = serve(self.tg, path, params, files)
            world.tell(invocation, "calls", method_name, params.get("chat_id", ""), record.owed, status)
            ledger.performed(record, self.tg.journal.calls[-1])
            return status, body

        def instead(fault: Fault) -> Arrival | None:
            chat = str(params.get("chat_id", ""))
            if fault is Fault.FORBIDDEN and chat.isdigit():
                # So that Telegram really refuses, the person blocks the bot now.
                world.on_forbidden(int(chat))
                return None
            refused = _refusal(fault, self.network)
            if refused is not None:
                record.code = refused.code
                status, body = encode(refused.envelope())
                return lambda: (status, body)
            if fault is Fault.UNREACHABLE:
                return _no_connection
            return None

        told = lambda: ledger.answered(record)  # noqa: E731
        status, body = await _answer(self.network, self.process, "telegram", perform, instead, told)
        return status, body


class BeaconTransport(httpx.AsyncBaseTransport):
    """HTTP to the beacon's relays, with faults and in virtual time."""

    def __init__(self, network: Network, process: BotProcess, beacon: StandinBeacon) -> None:
        self._network = network
        self._process = process
        self._beacon = beacon

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return the relay's answer, or a fault's. If the answer is lost, wait for ever."""

        def perform() -> tuple[int, bytes]:
            begins, ends = self._network.faults.plan.beacon_away
            if begins <= self._network.machine.clock() < ends:
                raise httpx.ConnectError("nobody listens", request=request)
            return self._beacon.answer(request.url.path)

        def instead(fault: Fault) -> Arrival | None:
            if fault is Fault.EARLY:
                return lambda: (404, b"")
            if fault is Fault.FORGED:
                return lambda: self._beacon.answer(request.url.path, RelayBehaviour(forged=True))
            if fault is Fault.BROKEN:
                return lambda: (502, b"")
            return raising(httpx.ConnectError("no connection", request=request))

        status, body = await _answer(self._network, self._process, "beacon", perform, instead)
        headers = {"Content-Type": "application/json"}
        return httpx.Response(status, headers=headers, content=body, request=request)


async def _answer(
    network: Network,
    process: BotProcess,
    service: str,
    perform: Callable[[], tuple[int, bytes]],
    instead: Callable[[Fault], Arrival | None],
    told: Callable[[], None] = lambda: None,
) -> Any:
    """Send a request, and wait for its answer. ``told`` is called once the sender has the answer."""
    answered: asyncio.Future[Arrival] = asyncio.get_running_loop().create_future()

    def arrived(answer: Arrival) -> None:
        if not answered.done():
            told()
            answered.set_result(answer)

    network.send(process, service, perform, instead, arrived)
    return (await answered)()


def _refusal(fault: Fault, network: Network) -> Refusal | None:
    if fault in (Fault.BROKEN, Fault.BROKEN_AFTER):
        return Refusal(502, "Bad Gateway")
    if fault is Fault.TOO_MANY:
        return too_many(network.rng.choice((1, 3, 10, 35, 120)))
    if fault is Fault.BAD:
        return bad_request("something that has no name")
    if fault is Fault.FORBIDDEN:
        return forbidden("something that has no name")
    return None


def _no_connection() -> Any:
    raise NetworkError("no connection") from httpx.ConnectError("no connection")
