"""Play a game with transports that answer at once, and record the cost of each update.

They measure only our code, boto3 and python-telegram-bot. The table replaces the HTTP session of boto3.
Requests are serialised and signed and answers are parsed as always. Time spent inside the transports is
counted separately, to be subtracted.
"""

from __future__ import annotations

import gc
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.compat import HTTPHeaders
from telegram.request import RequestData

from bot.rooms.names import ChatId, RoomName
from engine import Seat, View
from handlers import webhook
from infra.observability import Log
from infra.store.table import ROOM, dynamodb_client
from local.dynamodb.table import Failed, LocalTable
from local.invocation import LambdaContext, webhook_event
from sandbox.game import GroupGame
from sandbox.harness import CREDENTIALS, Harness, sketch
from sandbox.telegram import Response, Telegram, User, VirtualClock
from sandbox.telegram.model import Message
from sandbox.telegram.transport import StandinRequest

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

_WORD = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass
class TransportTime:
    """Processor seconds of this thread that were spent inside the transports."""

    seconds: float = 0.0
    #: When a separate call last answered a tap, by ``now``; None: not since the last reset.
    answered: float | None = None

    def now(self) -> float:
        """Return the processor seconds of this thread without those inside the transports."""
        return time.thread_time() - self.seconds

    @contextmanager
    def count(self) -> Iterator[None]:
        """Count the time of the ``with`` block as time inside the transports."""
        began = time.thread_time()
        try:
            yield
        finally:
            self.seconds += time.thread_time() - began


def instant_dynamodb(table: LocalTable, transport_time: TransportTime) -> DynamoDBClient:
    """Return a real boto3 client whose HTTP requests are answered by a table in this process."""
    client = dynamodb_client(**CREDENTIALS)

    def send(request: AWSPreparedRequest, **_: Any) -> AWSResponse:
        with transport_time.count():
            return _answer(table, request)

    register: Any = client.meta.events.register
    register("before-send.dynamodb", send)
    return client


def _answer(table: LocalTable, request: AWSPreparedRequest) -> AWSResponse:
    target = request.headers["X-Amz-Target"]
    name = (target.decode() if isinstance(target, bytes) else str(target)).rpartition(".")[2]
    status, answer = 200, dict[str, Any]()
    try:
        answer = table.run(_WORD.sub("_", name).lower(), json.loads(cast(bytes, request.body)))
    except Failed as failed:
        code, _, message = failed.code.partition(": ")
        status = 400
        answer = {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": message}
        if failed.item is not None:
            answer["Item"] = failed.item
        if failed.reasons is not None:
            answer["CancellationReasons"] = failed.reasons
    headers = HTTPHeaders.from_dict({"content-type": "application/x-amz-json-1.0"})
    # The part of urllib3's response that botocore reads.
    raw = SimpleNamespace(stream=lambda: [json.dumps(answer).encode()])
    return AWSResponse(str(request.url), status, headers, raw)


class InstantRequest(StandinRequest):
    """python-telegram-bot's transport to the stand-in, which counts the stand-in's time separately."""

    def __init__(self, telegram: Telegram, transport_time: TransportTime) -> None:
        super().__init__(telegram)
        self._transport_time = transport_time

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *rest: Any, **more: Any
    ) -> tuple[int, bytes]:
        """Make one request; return (HTTP status, body)."""
        if url.endswith("/answerCallbackQuery"):
            self._transport_time.answered = self._transport_time.now()
        with self._transport_time.count():
            return await super().do_request(url, method, request_data, *rest, **more)


#: The probability that a seat taps its answer again, which is illegal.
TAPS_AGAIN = 0.1
Item = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one update."""

    #: The kind of update: a command, a button with its verb, or an answer with its result.
    kind: str
    #: Milliseconds of the thread's processor time, without time inside the transports.
    ms: float
    #: The same, but only until the tap's toast was sent, by a call or in the reply.
    toast_ms: float
    reads: int
    writes: int
    #: The number of calls to Telegram, and True if the webhook's reply carried one more.
    calls: int
    in_reply: bool


class MeasuredHarness(Harness):
    """A harness that records the cost of each update."""

    def __init__(self, table: LocalTable, clock: Callable[[], float], seed: int) -> None:
        self.transport_time = TransportTime()
        client = instant_dynamodb(table, self.transport_time)
        silent = Log(lambda level, line: None)
        super().__init__(client, clock, validated=False, seed=seed, draw=self._draw, log=silent)
        self.table = table
        self.costs: list[Cost] = []
        self.wakeups = 0

    def transport(self) -> InstantRequest:
        """Return a transport to Telegram that answers at once."""
        return InstantRequest(self.telegram, self.transport_time)

    def wake(self, event: dict[str, Any]) -> None:
        """Pass an event to the wake-up entry, and count it."""
        self.wakeups += 1
        super().wake(event)

    def _draw(self, board: View, theme: str, computers: tuple[Seat, ...] = ()) -> bytes:
        # Pictures are measured separately.
        with self.transport_time.count():
            return sketch(board, theme, computers)

    def post(self, update: dict[str, Any], headers: dict[str, str]) -> Response:
        """Pass one update to the webhook's entry, and record its cost."""
        event = webhook_event(update, headers)
        reads, writes, calls = self.reads, self.writes, len(self.telegram.journal)
        transactions = self.requests["TransactWriteItems"]
        self.transport_time.answered, began = None, self.transport_time.now()
        reply = webhook.respond(self.built, event, LambdaContext())
        ended = self.transport_time.now()
        toast_at = self.transport_time.answered or ended
        over = self.requests["TransactWriteItems"] > transactions
        reads, writes = self.reads - reads, self.writes - writes
        calls = len(self.telegram.journal) - calls
        kind, ms = _kind(update, writes, calls, over), 1000 * (ended - began)
        self.costs.append(Cost(kind, ms, 1000 * (toast_at - began), reads, writes, calls, "body" in reply))
        return Response.of(reply)


def _kind(update: dict[str, Any], writes: int, calls: int, over: bool) -> str:
    query = update.get("callback_query")
    if query is None:
        text = str(update.get("message", {}).get("text", ""))
        return text.split("@")[0].split()[0] if text else "other"
    verb = str(query.get("data", "")).partition("|")[0]
    if verb != "answer":
        return f"button: {verb}"
    if over:
        return "answer that ends the game"
    if not writes:
        return "answer, illegal"
    return "answer, something sent" if calls else "answer, nothing sent"


class MeasuredGame(GroupGame):
    """A game in which some people tap twice."""

    harness: MeasuredHarness

    def __init__(self, harness: MeasuredHarness, players: int, seed: int) -> None:
        super().__init__(harness, players, seed)
        impatient, tap = random.Random(f"impatient/{seed}"), self.players.tap

        def tap_again(user: User, message: Message) -> bool:
            offered = [button.get("callback_data", "") for button in message.buttons()]
            done = tap(user, message)
            if done and impatient.random() < TAPS_AGAIN:
                harness.telegram.tap(user, message, offered[0], forged=True)
            return done

        self.players.tap = tap_again  # type: ignore[method-assign]

    def item(self) -> Item:
        """Return the stored item of the room."""
        return self.harness.table.items[RoomName(ChatId(self.group.id)).key, ROOM]


def play(
    ruleset: str,
    players: int,
    seed: int,
    options: str = "none",
    watch: Callable[[MeasuredHarness], None] = lambda harness: None,
    computers: int = 0,
) -> MeasuredGame:
    """Play a whole random game, and return it with its harness.

    Objects that exist at the start are frozen in the garbage collector, as the entries do after their first
    answer. So the harness's objects do not slow down the bot's collections.

    Args:
        watch: gets the harness before the game.
        computers: how many of the players are computers.
    """
    clock = VirtualClock()
    with closing(MeasuredHarness(LocalTable(), clock, seed)) as measured:
        gc.collect()
        gc.freeze()
        try:
            game = MeasuredGame(measured, players - computers, seed)
            watch(measured)
            game.open(ruleset, options, computers)
            game.play()
            # Some of the last messages of a large game still wait in the queue.
            clock.advance(5)
            measured.settle()
        finally:
            gc.unfreeze()
    return game


def named(ruleset: str, players: int, options: str = "none", computers: int = 0) -> str:
    """Return a game's name in a report."""
    return (
        f"{ruleset}, {players} players"
        + ", every option" * (options == "all")
        + f", {computers} of them computers" * bool(computers)
    )
