"""Transports that answer at once, to measure only our code, boto3 and python-telegram-bot.

The table is behind boto3's own HTTP session: requests are serialised and signed, answers parsed, as always.
Time spent behind the transports is counted separately, and subtracted.
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
from sandbox.desk import CREDENTIALS
from sandbox.telegram import Telegram
from sandbox.telegram.transport import StandinRequest

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

_WORD = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass
class Behind:
    """Processor seconds of this thread that were spent behind the transports."""

    seconds: float = 0.0
    #: The time when a separate call last answered a tap, by ``now``; None: not since the last reset.
    answered: float | None = None

    def now(self) -> float:
        """Processor seconds of this thread without what went on behind the transports."""
        return time.thread_time() - self.seconds

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what is done inside as behind the transports."""
        began = time.thread_time()
        try:
            yield
        finally:
            self.seconds += time.thread_time() - began


def instant_dynamodb(table: LocalTable, behind: Behind) -> DynamoDBClient:
    """Return a real client whose HTTP session is a table in this process."""
    client = dynamodb_client(**CREDENTIALS)

    def send(request: AWSPreparedRequest, **_: Any) -> AWSResponse:
        with behind.counted():
            return _answered(table, request)

    register: Any = client.meta.events.register
    register("before-send.dynamodb", send)
    return client


def _answered(table: LocalTable, request: AWSPreparedRequest) -> AWSResponse:
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
    """As much of urllib3's response as botocore reads."""

    def stream(self, *_: Any, **__: Any) -> Iterator[bytes]:
        yield self.read()


class InstantRequest(StandinRequest):
    """python-telegram-bot's transport to the stand-in, which counts the stand-in's time separately."""

    def __init__(self, telegram: Telegram, behind: Behind) -> None:
        super().__init__(telegram)
        self._behind = behind

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *rest: Any, **more: Any
    ) -> tuple[int, bytes]:
        """Make one request; return (HTTP status, body)."""
        if url.endswith("/answerCallbackQuery"):
            self._behind.answered = self._behind.now()
        with self._behind.counted():
            return await super().do_request(url, method, request_data, *rest, **more)
