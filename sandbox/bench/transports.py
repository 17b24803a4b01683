"""Transports that answer at once, to measure only our code, boto3 and python-telegram-bot.

The table replaces the HTTP session of boto3. Requests are serialised and signed and answers are parsed as
always. Time spent inside the transports is counted separately, to be subtracted.
"""

from __future__ import annotations

import io
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.compat import HTTPHeaders
from telegram.request import RequestData

from infra.store.table import dynamodb_client
from local.dynamodb.table import Failed, LocalTable
from sandbox.harness import CREDENTIALS
from sandbox.telegram import Telegram
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
    return AWSResponse(str(request.url), status, headers, _Raw(json.dumps(answer).encode()))


class _Raw(io.BytesIO):
    """The part of urllib3's response that botocore reads."""

    def stream(self, *_: Any, **__: Any) -> Iterator[bytes]:
        yield self.read()


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
