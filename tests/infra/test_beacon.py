"""The beacon: the times of its rounds, valid answers, and the next relay if an answer is not valid."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hashlib
import json
import logging
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from bot.rooms.sealing import QUICKNET, Beacon
from engine import proof
from infra.beacon import BeaconClient, BeaconRound, BeaconUnavailable, NotOutYet, operators_of
from infra.telegram.gateway import Loop

#: The real answer of api.drand.sh for this round, recorded to the byte.
ROUND = 1000
RECORDED = (
    b'{"round":1000,"randomness":"fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",'
    b'"signature":"b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed'
    b'5e39"}'
)
FIRST, SECOND, THIRD, FOURTH = QUICKNET.addresses
NOW = QUICKNET.time_of(ROUND) + 1.0
JSON = {"Content-Type": "application/json"}
Answer = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


class Relays(httpx.AsyncBaseTransport):
    """A transport with a prepared answer for each relay, by default drand's own."""

    def __init__(self, **answers: Answer) -> None:
        self.answers = answers
        self.asked: list[str] = []
        self.timeouts: list[float] = []
        self.pause: Callable[[], object] = lambda: None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(str(request.url))
        self.timeouts.append(request.extensions["timeout"]["read"])
        self.pause()
        places = dict(zip(QUICKNET.addresses, ("first", "second", "third", "fourth"), strict=True))
        answer = self.answers.get(places[f"https://{request.url.host}"])
        if answer is None:
            return httpx.Response(200, headers=JSON, content=RECORDED)
        if isinstance(answer, Exception):
            raise answer
        if callable(answer):
            return answer(request)
        return answer


def fetch(
    client: BeaconClient, beacon: Beacon, round: int, deadline: float
) -> Coroutine[Any, Any, BeaconRound]:
    out_at = beacon.time_of(round)
    return client.fetch(round, beacon.addresses_of(round), out_at=out_at, deadline=deadline)


def fetched(
    relays: httpx.AsyncBaseTransport,
    round: int = ROUND,
    *,
    now: float = NOW,
    seconds: float = 10.0,
    clock: Callable[[], float] | None = None,
) -> BeaconRound:
    client = BeaconClient(relays, clock or (lambda: now))
    with contextlib.closing(Loop()) as loop:
        return loop.run(fetch(client, QUICKNET, round, now + seconds))


def said(**changed: Any) -> httpx.Response:
    """Return an answer in drand's format with some other fields."""
    fields = {**json.loads(RECORDED), **changed}
    body = {name: value for name, value in fields.items() if value is not None}
    return httpx.Response(200, headers=JSON, json=body)


def test_quicknets_rounds_come_every_three_seconds() -> None:
    assert QUICKNET.time_of(1) == 1692803367
    assert QUICKNET.time_of(27_946_612) == 1776643200, "2026-04-20 00:00:00 UTC"


@pytest.mark.parametrize(
    ("after", "round"), [(0.0, 1000), (0.001, 1001), (2.999, 1001), (3.0, 1001), (-3.0, 999)]
)
def test_the_round_after_a_moment_is_not_out_before_it(after: float, round: int) -> None:
    at = QUICKNET.time_of(1000) + after
    assert QUICKNET.round_after(at) == round
    assert QUICKNET.time_of(round) >= at > QUICKNET.time_of(round - 1)


def test_the_proof_command_names_the_same_chain() -> None:
    assert tuple(f"{address}/public/7" for address in proof.ADDRESSES) == QUICKNET.addresses_of(7)
    assert (QUICKNET.genesis, QUICKNET.period) == (proof.GENESIS, proof.PERIOD)


def test_an_answer_as_drand_gives_it_is_a_rounds_randomness() -> None:
    relays = Relays()
    found = fetched(relays)
    assert found.round == ROUND
    assert found.randomness.hex() == "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"
    assert found.signature.hex().startswith("b44679b9a59af2ec")
    assert sorted(relays.asked) == sorted(QUICKNET.addresses_of(ROUND)), "all are asked at once"
    assert found.disagreed == ()


FORGED = {
    "randomness that is not the signature's hash": said(randomness="00" * 32),
    "another signature": said(signature="b4" * 48),
    "another round": said(round=999),
    "a later round": said(round=1001),
    "a round in words": said(round="1000"),
    "a round that is a fraction": said(round=1000.0),
    "no round": said(round=None),
    "no randomness": said(randomness=None),
    "no signature": said(signature=None),
    "randomness too short": said(randomness="fe29"),
    "a signature of another size": said(
        signature="b4", randomness="27952171c7fcdf0ddc765ab4f4e1c537cb29e5e533d57b3456257ee785c81711"
    ),
    "digits that are none": said(randomness="zz" * 32),
    "a number for randomness": said(randomness=7),
    "a list": httpx.Response(200, headers=JSON, json=[1000]),
    "brackets without end": httpx.Response(200, headers=JSON, content=b"[" * 4000),
    "nothing": httpx.Response(200, headers=JSON, content=b" "),
    "not UTF-8": httpx.Response(200, headers=JSON, content=b"\xff\xfe{}"),
    "a page": httpx.Response(200, headers={"Content-Type": "text/html"}, content=RECORDED),
    "no kind of content": httpx.Response(200, content=RECORDED),
    "a packed answer": httpx.Response(
        200, headers={**JSON, "Content-Encoding": "gzip"}, content=gzip.compress(RECORDED)
    ),
    "a redirect": httpx.Response(302, headers={"Location": f"{SECOND}/elsewhere"}),
    "a fault": httpx.Response(500, headers=JSON),
    "a limit": httpx.Response(429, headers=JSON),
    "a ban": httpx.Response(403, headers=JSON, content=RECORDED),
    "no content": httpx.Response(204, headers=JSON),
    "a body without end": httpx.Response(200, headers=JSON, content=RECORDED + b" " * 5000),
    "no connection": httpx.ConnectError("refused"),
    "a broken line": httpx.RemoteProtocolError("closed"),
    "no answer in time": httpx.ReadTimeout("slow"),
}


@pytest.mark.parametrize("answer", FORGED.values(), ids=FORGED.keys())
def test_a_relay_whose_answer_does_not_hold_is_passed_over(answer: Answer) -> None:
    assert fetched(Relays(first=answer)).randomness.hex().startswith("fe290bec")
    with pytest.raises(BeaconUnavailable):
        fetched(Relays(first=answer, second=answer, third=answer, fourth=answer))


@pytest.mark.parametrize("status", [404, 425])
def test_a_round_that_no_relay_has_yet_is_not_out_yet(status: int) -> None:
    early = httpx.Response(status, headers={**JSON, "Cache-Control": "must-revalidate, no-cache, max-age=0"})
    with pytest.raises(NotOutYet):
        fetched(Relays(first=early, second=early, third=early, fourth=early))
    with pytest.raises(NotOutYet):
        fetched(Relays(first=httpx.Response(500), second=early, third=early, fourth=httpx.ConnectError("")))
    with pytest.raises(NotOutYet):
        fetched(Relays(fourth=early))


#: A valid answer that differs from drand's for the round.
LIE = said(signature="b4" * 48, randomness=hashlib.sha256(bytes.fromhex("b4" * 48)).hexdigest())


def test_two_relays_of_different_operators_must_agree() -> None:
    down = httpx.Response(503)
    for missing in ({"fourth": down}, {"first": down, "second": down, "third": down}):
        with pytest.raises(BeaconUnavailable, match="503"):
            fetched(Relays(**missing))
    assert fetched(Relays(first=down, second=down)).disagreed == ()


def test_a_relay_that_lies_is_named_and_the_others_agree() -> None:
    found = fetched(Relays(first=LIE))
    assert found.randomness.hex().startswith("fe290bec")
    assert found.disagreed == ("api.drand.sh",)


def test_two_operators_that_disagree_deal_nothing() -> None:
    down = httpx.Response(503)
    with pytest.raises(BeaconUnavailable, match="disagree") as failed:
        fetched(Relays(first=down, second=down, fourth=LIE))
    assert set(failed.value.disagreed) == {"api3.drand.sh", "drand.cloudflare.com"}
    with pytest.raises(BeaconUnavailable, match="disagree"):
        fetched(Relays(fourth=LIE)), "one operator's three addresses are one voice"


def test_with_the_addresses_of_one_operator_one_is_enough() -> None:
    alone = replace(QUICKNET, addresses=QUICKNET.addresses[:3])
    client, loop = BeaconClient(Relays(first=LIE, second=httpx.Response(503)), lambda: NOW), Loop()
    with contextlib.closing(loop):
        found = loop.run(fetch(client, alone, ROUND, NOW + 9))
    assert found.disagreed
    assert operators_of(alone.addresses) == {"drand.sh"}
    assert operators_of(["http://127.0.0.1:1", "http://127.0.0.1:2", "http://localhost"]) == {
        "127.0.0.1:1", "127.0.0.1:2", "localhost",
    }  # fmt: skip


def test_before_its_time_nobody_is_asked_for_a_round() -> None:
    relays = Relays()
    with pytest.raises(NotOutYet):
        fetched(relays, now=QUICKNET.time_of(ROUND) - 0.01)
    assert relays.asked == []
    fetched(relays, now=float(QUICKNET.time_of(ROUND)))


def test_each_relay_has_a_short_time_within_the_deadline() -> None:
    for seconds, patience in ((5.0, 2.0), (1.0, 1.0)):
        relays = Relays(**dict.fromkeys(("first", "second", "third", "fourth"), httpx.ReadTimeout("slow")))
        with pytest.raises(BeaconUnavailable, match=r"cloudflare\.com: ReadTimeout$"):
            fetched(relays, seconds=seconds)
        assert relays.timeouts == pytest.approx([patience] * 4)


def test_a_trickling_relay_is_given_up() -> None:
    class Trickle(httpx.AsyncByteStream):
        async def __aiter__(self):
            for byte in RECORDED:
                await asyncio.sleep(0.01)
                yield bytes([byte])

    trickling = httpx.Response(200, headers=JSON, stream=Trickle())
    began = time.monotonic()
    with pytest.raises(BeaconUnavailable, match=r"api\.drand\.sh: TimeoutError"):
        fetched(
            Relays(first=lambda request: trickling, fourth=httpx.Response(503)),
            seconds=0.1,
            clock=lambda: NOW + time.monotonic() - began,
        )


@contextmanager
def served(*, status: int = 200, headers: dict[str, str], body: bytes) -> Iterator[str]:
    """Yield the address of a relay behind a real socket."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def over_the_wire(beacon: Beacon) -> BeaconRound:
    with contextlib.closing(Loop()) as loop:
        return loop.run(fetch(BeaconClient(), beacon, ROUND, NOW + 2**31))


def test_a_huge_body_is_cut_off_and_the_next_relay_asked(caplog: pytest.LogCaptureFixture) -> None:
    with (
        caplog.at_level(logging.DEBUG),
        served(headers=JSON, body=b" " * 10_000_000) as huge,
        served(status=301, headers={"Location": "http://127.0.0.1:9/"}, body=b"") as moved,
        served(headers=JSON, body=RECORDED) as well,
        served(headers=JSON, body=RECORDED) as other,
    ):
        found = over_the_wire(replace(QUICKNET, addresses=(huge, moved, well, other)))
        with pytest.raises(BeaconUnavailable, match=r"too long.*status 301"):
            over_the_wire(replace(QUICKNET, addresses=(huge, moved)))
    assert found.randomness.hex().startswith("fe290bec")
    ours = [record for record in caplog.records if record.name.startswith("infra")]
    assert ours == [], "there is nothing to log that the caller does not know"
