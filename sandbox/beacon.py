"""A stand-in for the public beacon: it answers in drand's format, and a seed decides each signature.

As in drand, the randomness is the SHA-256 of the signature. The signature itself cannot be verified. Tests
and simulators pass ``client()`` to the bot.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import httpx

from bot.rooms.sealing import QUICKNET
from infra.beacon import SIGNATURE_BYTES, BeaconClient

CHAIN = hashlib.sha256(b"the desk's own beacon").hexdigest()
#: A chain of our own, with quicknet's period and three relays.
STANDIN_CHAIN = replace(
    QUICKNET,
    chain=CHAIN,
    addresses=("http://beacon.invalid", "http://relay.invalid", "http://third.invalid"),
)


@dataclass(frozen=True, slots=True)
class RelayBehaviour:
    """How a relay behaves. By default it answers like drand."""

    #: True if its address refuses connections.
    gone: bool = False
    #: Seconds by which its rounds are late (or, if negative, early).
    late: float = 0.0
    #: True if its randomness is not its signature's hash.
    forged: bool = False
    #: True if its answer is consistent in itself but differs from the other relays'.
    lying: bool = False


WORKING = RelayBehaviour()


class StandinBeacon:
    """A beacon whose rounds follow from a seed; ``clock``: seconds since 1970."""

    beacon = STANDIN_CHAIN

    def __init__(self, clock: Callable[[], float], seed: int = 0) -> None:
        #: The current behaviour of each relay, by address.
        self.behaviours: dict[str, RelayBehaviour] = {}
        #: The addresses that were asked, in order.
        self.asked: list[str] = []
        self._clock = clock
        self._seed = str(seed).encode()

    def set_behaviour(self, behaviour: RelayBehaviour) -> None:
        """Let all relays behave like this."""
        self.behaviours = dict.fromkeys(self.beacon.addresses, behaviour)

    def signature(self, round: int) -> bytes:
        """Return a round's signature: 48 bytes."""
        return hmac.digest(self._seed, str(round).encode(), "sha512")[:SIGNATURE_BYTES]

    def randomness(self, round: int) -> bytes:
        """Return a round's randomness: 32 bytes."""
        return hashlib.sha256(self.signature(round)).digest()

    def answer(self, path: str, behaviour: RelayBehaviour = WORKING) -> tuple[int, bytes]:
        """Return a relay's answer to ``GET /<chain>/public/<round>``: HTTP status and a body of JSON."""
        found = re.fullmatch(rf"/{self.beacon.chain}/public/(\d{{1,12}})", path)
        if found is None or int(found[1]) < 1:
            return 400, b""
        round = int(found[1])
        if self._clock() < self.beacon.time_of(round) + behaviour.late:
            return 404, b""
        signature = bytes(SIGNATURE_BYTES) if behaviour.lying else self.signature(round)
        randomness = bytes(32) if behaviour.forged else hashlib.sha256(signature).digest()
        said = {"round": round, "randomness": randomness.hex(), "signature": signature.hex()}
        return 200, json.dumps(said, separators=(",", ":")).encode()

    def client(self, transport: httpx.AsyncBaseTransport | None = None) -> BeaconClient:
        """Return the bot's client for this beacon; by default, ``answer`` answers without a socket."""
        return BeaconClient(transport or httpx.MockTransport(self._answer), self._clock)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        address = f"{request.url.scheme}://{request.url.netloc.decode()}"
        behaviour = self.behaviours.get(address, WORKING)
        self.asked.append(address)
        if behaviour.gone or address not in self.beacon.addresses:
            raise httpx.ConnectError("nobody listens", request=request)
        status, body = self.answer(request.url.path, behaviour)
        return httpx.Response(status, headers={"Content-Type": "application/json"}, content=body)
