"""A stand-in for the beacon, in drand's format: a seed decides each round's signature.

The randomness is the signature's SHA-256, as in drand, but nobody can check the signature. Tests and the
simulators give ``transport()`` to the bot's client; a server answers with ``answer``.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import httpx

from bot.rooms.sealing import QUICKNET, Beacon
from infra.beacon import SIGNATURE_BYTES, BeaconClient

CHAIN = hashlib.sha256(b"the desk's own beacon").hexdigest()
#: Our own chain with quicknet's period and three relays.
DESK = replace(
    QUICKNET,
    chain=CHAIN,
    addresses=("http://beacon.invalid", "http://relay.invalid", "http://third.invalid"),
)


@dataclass(frozen=True, slots=True)
class Mood:
    """The behaviour of a relay; by default it answers like drand."""

    #: True if nobody listens at its address.
    gone: bool = False
    #: Seconds until it answers.
    slow: float = 0.0
    #: Seconds by which its rounds are late (or, if negative, early).
    late: float = 0.0
    #: True if its randomness is not its signature's hash.
    forged: bool = False
    #: True if it answers with the round before the requested one.
    behind: bool = False
    #: True if its answer is valid, but differs from the others'.
    lying: bool = False


WELL = Mood()


class DeskBeacon:
    """A chain whose rounds a seed decides.

    Args:
        clock: seconds since 1970.
        seed: the same seed makes the same rounds.
        beacon: its chain, period and addresses.
        pause: lets seconds pass while a relay is slow; by default real ones.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        seed: int = 0,
        beacon: Beacon = DESK,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        self.beacon = beacon
        #: The mood of each relay now, by address.
        self.moods: dict[str, Mood] = {}
        #: The addresses asked so far, in order.
        self.asked: list[str] = []
        self._clock = clock
        self._seed = str(seed).encode()
        self.pause = pause

    def be(self, mood: Mood) -> None:
        """Put all relays into this mood."""
        self.moods = dict.fromkeys(self.beacon.addresses, mood)

    def signature(self, round: int) -> bytes:
        """Return a round's signature: 48 bytes."""
        return hmac.digest(self._seed, str(round).encode(), "sha512")[:SIGNATURE_BYTES]

    def randomness(self, round: int) -> bytes:
        """Return a round's randomness: 32 bytes."""
        return hashlib.sha256(self.signature(round)).digest()

    def answer(self, path: str, mood: Mood = WELL) -> tuple[int, bytes]:
        """Return a relay's answer to ``GET /<chain>/public/<round>``: HTTP status and a body of JSON."""
        found = re.fullmatch(rf"/{self.beacon.chain}/public/(\d{{1,12}})", path)
        if found is None or int(found[1]) < 1:
            return 400, b""
        round = int(found[1])
        if self._clock() < self.beacon.time_of(round) + mood.late:
            return 404, b""
        shown = round - 1 if mood.behind else round
        signature = bytes(SIGNATURE_BYTES) if mood.lying else self.signature(shown)
        randomness = bytes(32) if mood.forged else hashlib.sha256(signature).digest()
        said = {"round": shown, "randomness": randomness.hex(), "signature": signature.hex()}
        return 200, json.dumps(said, separators=(",", ":")).encode()

    def client(self, transport: httpx.AsyncBaseTransport | None = None) -> BeaconClient:
        """Return the bot's client of this beacon, with this transport or directly."""
        return BeaconClient(transport or self.transport(), self._clock)

    def transport(self) -> httpx.AsyncBaseTransport:
        """Return a transport without a socket: ``answer`` gets its requests."""
        return _Wire(self)


class _Wire(httpx.AsyncBaseTransport):
    def __init__(self, desk: DeskBeacon) -> None:
        self._desk = desk

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        desk, url = self._desk, request.url
        address = f"{url.scheme}://{url.netloc.decode()}"
        mood = desk.moods.get(address, WELL)
        desk.asked.append(address)
        if mood.gone or address not in desk.beacon.addresses:
            raise httpx.ConnectError("nobody listens", request=request)
        patience = float(request.extensions["timeout"]["read"])
        if mood.slow:
            await self._wait(min(mood.slow, patience))
        if mood.slow >= patience:
            raise httpx.ReadTimeout("too slow", request=request)
        status, body = desk.answer(url.path, mood)
        headers = {"Content-Type": "application/json"}
        return httpx.Response(status, headers=headers, content=body, request=request)

    async def _wait(self, seconds: float) -> None:
        if self._desk.pause is None:
            await asyncio.sleep(seconds)
        else:
            self._desk.pause(seconds)
