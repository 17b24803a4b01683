"""A public randomness beacon: drand's quicknet, or another chain of drand's kind.

Every few seconds about twenty organisations jointly sign the number of the round. The signature's SHA-256 is
the round's randomness. Nobody can foresee or choose it, and it stays public. drand's relays serve it over
HTTP (docs.drand.love, "HTTP API"): ``GET <address>/<chain>/public/<round>``.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import httpx

RANDOMNESS_BYTES = 32
#: The length of quicknet's signatures in bytes. drand calls their format ``bls-unchained-g1-rfc9380``
#: (pkg.go.dev/github.com/drand/drand/v2/crypto).
SIGNATURE_BYTES = 48

#: Seconds to wait for one relay's whole answer.
_PATIENCE = 2.0
#: Seconds to wait for the other relays once enough agree, to notice a relay that lies.
_GRACE = 0.3
#: An answer with more bytes is not valid. drand's own answers have about 250.
_MOST_BYTES = 4096
#: The statuses with which relays answer before a round is out: Not Found, or Too Early.
_EARLY = frozenset({404, 425})


class NotOutYet(Exception):
    """The round is not out, or it has not reached the relays of enough operators. Ask again soon."""


class BeaconUnavailable(Exception):
    """The relays gave no value that enough operators agree on. The text says why.

    ``disagreed``: the hosts whose valid answers differ, if that is why. One of them lies.
    """

    def __init__(self, text: str, disagreed: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.disagreed = disagreed


class BeaconRound(NamedTuple):
    """One round of a beacon."""

    round: int
    #: 32 bytes: the SHA-256 of the signature.
    randomness: bytes
    #: 48 bytes. Anybody with a BLS library can check them against the chain's public key.
    signature: bytes
    #: Hosts of relays that gave another valid answer.
    disagreed: tuple[str, ...] = ()


def operators_of(addresses: Iterable[str]) -> frozenset[str]:
    """Return the operators of these addresses, by the last two labels of their hosts."""
    return frozenset(_operator(address) for address in addresses)


def _operator(address: str) -> str:
    url = httpx.URL(address)
    labels = url.host.split(".")
    if len(labels) < 2 or labels[-1].isdecimal():  # a name without a domain, or an IP address
        return url.netloc.decode()
    return ".".join(labels[-2:])


class BeaconClient:
    """Fetches a beacon's rounds from its relays.

    Args:
        transport: HTTP's transport; by default the real one.
        clock: seconds since 1970.
    """

    def __init__(
        self, transport: httpx.AsyncBaseTransport | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._transport = transport
        self._clock = clock

    async def fetch(
        self, round: int, addresses: Sequence[str], *, out_at: float, deadline: float
    ) -> BeaconRound:
        """Return a round that relays of two different operators confirm.

        If one operator runs all addresses, one answer is enough. Ask all relays at once. An answer is valid
        if it is for this round and its randomness is the hash of its signature. Before the round is out, ask
        no relay: an answer could only be forged. Open a new HTTP client each time: a game needs only one
        round, and after Lambda freezes the process old connections would be dead.

        Args:
            round: its number, from 1 on.
            addresses: the round's address at each relay.
            out_at: when the round is out, in seconds since 1970.
            deadline: the latest time for an answer, in seconds since 1970; no relay gets more than 2 s.

        Raises NotOutYet if the round's time has not come. Raises BeaconUnavailable if no time is left to ask.
        If not enough operators give the same valid answer, raises BeaconUnavailable if valid answers differ.
        If they do not differ, raises NotOutYet if a relay says that it is too early, and BeaconUnavailable if
        none says so.
        """
        if self._clock() < out_at:
            raise NotOutYet(f"round {round}")
        left = min(_PATIENCE, deadline - self._clock())
        if left <= 0:
            raise BeaconUnavailable(f"round {round}: no time left to ask")
        said = await self._ask_all(round, addresses, left)
        hosts = {url: httpx.URL(url).netloc.decode() for url in addresses}
        values = {url: answer for url, answer in said.items() if isinstance(answer, BeaconRound)}
        found = _find_agreed(said, addresses)
        if found is not None:
            others = [hosts[url] for url, value in values.items() if value != found]
            return found._replace(disagreed=tuple(others))
        if len(set(values.values())) > 1:
            disagreed = tuple(hosts[url] for url in values)
            raise BeaconUnavailable(f"round {round}: {', '.join(disagreed)} disagree", disagreed)
        if _TOO_EARLY in said.values():
            raise NotOutYet(f"round {round}")
        failed = [f"{hosts[url]}: {said[url]}" for url in addresses if isinstance(said.get(url), str)]
        raise BeaconUnavailable(f"round {round}: {'; '.join(failed) or 'one operator is not enough'}")

    async def _ask_all(
        self, round: int, addresses: Sequence[str], seconds: float
    ) -> dict[str, BeaconRound | str]:
        """Return the relays' answers by address. Once enough agree, wait only a moment for the others."""
        # Loading the certificates takes longer than all the rest. A transport given to us does not use them.
        encrypted = self._transport is None and any(address.startswith("https:") for address in addresses)
        verify: Any = httpx.create_ssl_context() if encrypted else False
        said: dict[str, BeaconRound | str] = {}
        async with httpx.AsyncClient(transport=self._transport, verify=verify) as client:
            tasks = {asyncio.ensure_future(_ask_relay(client, url, round, seconds)): url for url in addresses}
            waiting = set(tasks)
            while waiting:
                enough = _find_agreed(said, addresses) is not None
                until = asyncio.ALL_COMPLETED if enough else asyncio.FIRST_COMPLETED
                grace = _GRACE if enough else None
                done, waiting = await asyncio.wait(waiting, timeout=grace, return_when=until)
                said |= {tasks[task]: task.result() for task in done}
                if enough:
                    break
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
        return said


_TOO_EARLY = "too early"


def _find_agreed(said: Mapping[str, BeaconRound | str], addresses: Sequence[str]) -> BeaconRound | None:
    """Return the answer that two operators gave, or the only one if all addresses are its own."""
    needed = min(2, len(operators_of(addresses)))
    for value in said.values():
        same = [url for url, other in said.items() if other == value]
        if isinstance(value, BeaconRound) and len(operators_of(same)) >= needed:
            return value
    return None


async def _ask_relay(client: httpx.AsyncClient, url: str, round: int, seconds: float) -> BeaconRound | str:
    """Return one relay's answer, or the reason why it does not count."""
    try:
        # httpx's time-outs apply to each step of a request; this one covers all of it.
        ask = client.stream("GET", url, timeout=seconds, headers={"Accept-Encoding": "identity"})
        async with asyncio.timeout(seconds), ask as response:
            if response.status_code in _EARLY:
                return _TOO_EARLY
            if response.status_code != httpx.codes.OK:
                return f"status {response.status_code}"
            if response.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return "not JSON"
            if "content-encoding" in response.headers:  # not requested, and it could unpack to any length
                return "packed"
            body = b""
            async for part in response.aiter_bytes():
                body += part
                if len(body) > _MOST_BYTES:
                    return "too long"
    except (httpx.HTTPError, TimeoutError) as error:
        return type(error).__name__
    return _validate(body, round)


def _validate(body: bytes, round: int) -> BeaconRound | str:
    """Return a valid answer, or the reason why it is not valid."""
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
    return BeaconRound(round, randomness, signature)


def _bytes(text: object) -> bytes | None:
    if not isinstance(text, str) or not re.fullmatch(r"(?:[0-9a-f]{2})+", text):
        return None
    return bytes.fromhex(text)
