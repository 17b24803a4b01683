"""Transports of a simulated process to Telegram and to the beacon, with faults and in virtual time."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import httpx
from telegram.error import NetworkError

from sandbox.beacon import RelayBehaviour, StandinBeacon
from sandbox.cloud.faults import Fault
from sandbox.cloud.network import Arrival, BotProcess, Network, raising
from sandbox.telegram.errors import Refusal, bad_request, forbidden, too_many
from sandbox.telegram.journal import COUNTED
from sandbox.telegram.transport import StandinRequest, encode, serve


class FaultyRequest(StandinRequest):
    """python-telegram-bot's transport, with faults and in virtual time."""

    def __init__(self, network: Network, process: BotProcess, world: Any) -> None:
        super().__init__(world.telegram)
        self._network = network
        self._process = process
        self._world = world

    async def answer_call(
        self, path: str, params: dict[str, Any], files: dict[str, bytes]
    ) -> tuple[int, bytes]:
        """Return the stand-in's answer, or a fault's. If the answer is lost, wait for ever."""
        answered: asyncio.Future[Arrival] = asyncio.get_running_loop().create_future()
        ledger, invocation = self._world.ledger, self._process.invocation
        method_name = path.rpartition("/")[2]
        record = ledger.sent(invocation, method_name, params)

        def perform() -> tuple[int, bytes]:
            left = self._network.faults.plan.flood_left(self._network.machine.clock())
            if left and method_name in COUNTED:
                self._world.flood_calls += 1
                ledger.answered_with(record, 429)
                return encode(too_many(math.ceil(left)).envelope())
            status, body = serve(self.tg, path, params, files)
            self._world.tell(invocation, "calls", method_name, params.get("chat_id", ""), record.owed, status)
            ledger.performed(record, self.tg.journal.calls[-1])
            return status, body

        def instead(fault: Fault) -> Arrival | None:
            chat = str(params.get("chat_id", ""))
            if fault is Fault.FORBIDDEN and chat.isdigit():
                # So that Telegram really refuses, the person blocks the bot now.
                self._world.on_forbidden(int(chat))
                return None
            refused = _refusal(fault, self._network)
            if refused is not None:
                ledger.answered_with(record, refused.code)
                status, body = encode(refused.envelope())
                return lambda: (status, body)
            if fault is Fault.UNREACHABLE:
                return _no_connection
            return None

        def arrived(answer: Arrival) -> None:
            if not answered.done():
                ledger.answered(record)
                answered.set_result(answer)

        self._network.send(self._process, "telegram", perform, instead, arrived)
        return (await answered)()


class BeaconTransport(httpx.AsyncBaseTransport):
    """HTTP to the beacon's relays, with faults and in virtual time."""

    def __init__(self, network: Network, process: BotProcess, beacon: StandinBeacon) -> None:
        self._network = network
        self._process = process
        self._beacon = beacon

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return the relay's answer, or a fault's. If the answer is lost, wait for ever."""
        answered: asyncio.Future[Arrival] = asyncio.get_running_loop().create_future()

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

        def arrived(answer: Arrival) -> None:
            if not answered.done():
                answered.set_result(answer)

        self._network.send(self._process, "beacon", perform, instead, arrived)
        status, body = (await answered)()
        headers = {"Content-Type": "application/json"}
        return httpx.Response(status, headers=headers, content=body, request=request)


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
