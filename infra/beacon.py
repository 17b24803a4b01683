"""A public randomness beacon: drand's quicknet, or another chain of drand's kind.

Every few seconds a score of organisations together sign the number of the round; the signature's SHA-256 is
the round's randomness, which nobody can foresee or choose, and which is kept for ever. By HTTP, as drand's
relays serve it (docs.drand.love, "HTTP API"): ``GET <address>/<chain>/public/<round>``.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import httpx

RANDOMNESS_BYTES = 32
#: A BLS signature on the curve's first group, compressed, as quicknet has it.
SIGNATURE_BYTES = 48

#: Seconds that one mirror is waited for, in all.
_PATIENCE = 2.0
#: Bytes of an answer that are read; drand's own have about 250.
_LONGEST = 4096
#: What drand's relays say of a round that is not out: Not Found, or Too Early.
_EARLY = frozenset({404, 425})


class NotOutYet(Exception):
    """The round is not out, or no mirror has it yet. To be asked again soon."""


class BeaconUnavailable(Exception):
    """No mirror gave an answer that holds. Says of each what it did, by its host."""


@dataclass(frozen=True, slots=True)
class Randomness:
    """What a beacon made of one round."""

    round: int
    #: 32 bytes: the SHA-256 of the signature.
    randomness: bytes
    #: 48 bytes, which anybody with a BLS library can check against the chain's public key.
    signature: bytes


@dataclass(frozen=True, slots=True)
class Beacon:
    """One chain of a beacon: when its rounds are out, and where they can be had."""

    #: The chain's hash, hexadecimal: what all its mirrors call it by.
    chain: str
    #: When round 1 was out, in seconds since 1970.
    genesis: int
    #: Seconds between two rounds.
    period: int
    #: The mirrors' addresses without a path, in the order in which they are asked.
    addresses: tuple[str, ...]

    def time_of(self, round: int) -> int:
        """When a round is out, in seconds since 1970."""
        return self.genesis + self.period * (round - 1)

    def round_after(self, at: float) -> int:
        """The first round that is out at this time (seconds since 1970) or later."""
        return max(1, 1 + math.ceil((at - self.genesis) / self.period))

    def addresses_of(self, round: int) -> tuple[str, ...]:
        """Where anybody can look a round up, mirror by mirror."""
        return tuple(f"{address}/{self.chain}/public/{round}" for address in self.addresses)


#: drand's quicknet, run by the League of Entropy; ``GET <address>/<chain>/info`` says the same.
QUICKNET = Beacon(
    chain="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    genesis=1692803367,
    period=3,
    addresses=(
        "https://api.drand.sh",
        "https://api2.drand.sh",
        "https://api3.drand.sh",
        "https://drand.cloudflare.com",
    ),
)


def beacon_of(addresses: str | None) -> Beacon:
    """Quicknet, by these addresses (with commas between them) or, without any, by drand's own."""
    if addresses is None:
        return QUICKNET
    return replace(QUICKNET, addresses=tuple(address.rstrip("/") for address in addresses.split(",")))


class BeaconClient:
    """Fetches a beacon's rounds.

    Args:
        beacon: which.
        transport: HTTP's transport; by default the real one.
        clock: seconds since 1970.
    """

    def __init__(
        self,
        beacon: Beacon,
        transport: httpx.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.beacon = beacon
        self._transport = transport
        self._clock = clock

    async def fetch(self, round: int, deadline: float) -> Randomness:
        """A round's randomness, from the first mirror whose answer holds.

        An answer holds when it is of this round and its randomness is its signature's hash. Before the
        round's own time nobody is asked: an answer could only be forged. No client is kept: a game asks once,
        and a frozen process would find its connections dead.

        Args:
            round: which, from 1 on.
            deadline: seconds since 1970 by when there must be an answer; a mirror is waited for 2 s at most.

        Raises NotOutYet where the round's time has not come, or no answer holds and a mirror says it is too
        early; BeaconUnavailable where no answer holds, for other reasons.
        """
        if self._clock() < self.beacon.time_of(round):
            raise NotOutYet(f"round {round}")
        failures: dict[str, str] = {}
        verify: Any = httpx.create_ssl_context() if self._needs_tls() else False
        async with httpx.AsyncClient(transport=self._transport, verify=verify) as client:
            for url in self.beacon.addresses_of(round):
                left = min(_PATIENCE, deadline - self._clock())
                if left <= 0:
                    break
                found = await _asked(client, url, round, left)
                if isinstance(found, Randomness):
                    return found
                failures[httpx.URL(url).netloc.decode()] = found
        if _TOO_EARLY in failures.values():
            raise NotOutYet(f"round {round}")
        told = "; ".join(f"{host}: {failure}" for host, failure in failures.items())
        raise BeaconUnavailable(f"round {round}: {told or 'no time left to ask'}")

    def _needs_tls(self) -> bool:
        # Reading the certificates takes longer than all the rest; a stand-in needs none.
        return self._transport is None and any(a.startswith("https:") for a in self.beacon.addresses)


_TOO_EARLY = "too early"


async def _asked(client: httpx.AsyncClient, url: str, round: int, seconds: float) -> Randomness | str:
    """One mirror's answer, or why it does not count."""
    try:
        # httpx's time-outs are for each step of a request; this one is for all of it.
        ask = client.stream("GET", url, timeout=seconds, headers={"Accept-Encoding": "identity"})
        async with asyncio.timeout(seconds), ask as response:
            if response.status_code in _EARLY:
                return _TOO_EARLY
            if response.status_code != httpx.codes.OK:
                return f"status {response.status_code}"
            if response.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return "not JSON"
            if "content-encoding" in response.headers:  # not asked for, and unpacked it might be endless
                return "packed"
            body = b""
            async for part in response.aiter_bytes():
                body += part
                if len(body) > _LONGEST:
                    return "too long"
    except (httpx.HTTPError, TimeoutError) as error:
        return type(error).__name__
    return _checked(body, round)


def _checked(body: bytes, round: int) -> Randomness | str:
    """An answer that holds, or why it does not."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return "not JSON"
    if not isinstance(answer, dict):
        return "not a round"
    randomness, signature = (_bytes(answer.get(name)) for name in ("randomness", "signature"))
    if type(answer.get("round")) is not int or randomness is None or signature is None:
        return "not a round"
    if answer["round"] != round:
        return "another round"
    if (len(randomness), len(signature)) != (RANDOMNESS_BYTES, SIGNATURE_BYTES):
        return "wrong size"
    if hashlib.sha256(signature).digest() != randomness:
        return "randomness is not the signature's hash"
    return Randomness(round, randomness, signature)


def _bytes(text: object) -> bytes | None:
    if not isinstance(text, str) or not re.fullmatch(r"(?:[0-9a-f]{2})+", text):
        return None
    return bytes.fromhex(text)
