"""A client for a table in this process. It has the methods of boto3's client that the bot uses.

It fails as boto3's client does: with ``ClientError`` and the service's code. If the error may be temporary,
it first tries again.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from local.dynamodb.table import Failed, LocalTable

#: Does one request on the table and returns its answer. Raises Failed, or botocore's own exceptions.
Run = Callable[[str, Mapping[str, Any]], dict[str, Any]]

THROTTLED = "ProvisionedThroughputExceededException"
BROKEN = "InternalServerError"
_PASSING = frozenset({THROTTLED, BROKEN, "ThrottlingException", "ServiceUnavailable"})
#: The same number as ``infra.store.table.dynamodb_client`` gives boto3.
TRIES = 3


class Client:
    """The low-level client: one method for each operation, with boto3's keyword arguments."""

    def __init__(
        self, table: LocalTable | Run, pause: Callable[[float], None] = lambda seconds: None
    ) -> None:
        self._run: Run = table.run if isinstance(table, LocalTable) else table
        self._pause = pause
        #: Called once for each operation, however often it is tried, with the service's name for it
        #: (``GetItem``).
        self.on_call: list[Callable[[str], None]] = []

    def __getattr__(self, operation: str) -> Callable[..., dict[str, Any]]:
        if operation.startswith("_"):
            raise AttributeError(operation)

        def call(**arguments: Any) -> dict[str, Any]:
            for hook in self.on_call:
                hook(operation.title().replace("_", ""))
            if operation == "transact_write_items":
                # boto3 names every transaction, so that DynamoDB recognises its repetitions.
                arguments.setdefault("ClientRequestToken", str(uuid.uuid4()))
            return self._tried(operation, arguments)

        return call

    def _tried(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        for last in range(TRIES - 1):
            try:
                return self._run(operation, arguments)
            except Failed as failed:
                if failed.code not in _PASSING:
                    raise _error(operation, failed) from None
            except BotoCoreError:
                pass  # the request or its answer was lost: try again
            self._pause(0.05 * 2**last)
        try:
            return self._run(operation, arguments)
        except Failed as failed:
            raise _error(operation, failed) from None


def _error(operation: str, failed: Failed) -> ClientError:
    code, _, message = failed.code.partition(": ")
    response: dict[str, Any] = {
        "Error": {"Code": code, "Message": message},
        "ResponseMetadata": {"HTTPStatusCode": 500 if code == BROKEN else 400},
    }
    if failed.item is not None:
        response["Item"] = failed.item
    if failed.reasons is not None:
        response["CancellationReasons"] = failed.reasons
    return ClientError(response, operation)  # type: ignore[arg-type]
