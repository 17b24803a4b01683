"""The one DynamoDB table: its client, and the errors that the rest of the program has to tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError

from infra.aws import client

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

#: Errors of a request that the service will never take. All others go away, or somebody can fix the cause.
_NEVER = frozenset({"SerializationException", "ValidationException"})


class StoreError(RuntimeError):
    """The table could not be used.

    The text names the operation and the service's code, or the key of an item that cannot be read, or says
    what was too busy. Apart from that key, it never quotes data from an item.
    """


class StoreUnavailable(StoreError):
    """The store does not answer now: it throttles, times out, is out of reach, or denies access.

    A write may have been done all the same.
    """


class StoreRefused(StoreError):
    """The request will never work: an item is too large or damaged, or the request is malformed."""


class ConditionFailed(Exception):
    """A condition did not hold; ``item`` is the stored one, if there is one."""

    def __init__(self, item: dict[str, Any] | None) -> None:
        super().__init__("condition failed")
        self.item = item


class TransactionRefused(Exception):
    """A condition in a transaction did not hold. ``reasons`` has a code for each action, or None."""

    def __init__(self, reasons: list[str | None], items: list[dict[str, Any] | None]) -> None:
        super().__init__("transaction cancelled")
        self.reasons = reasons
        self.items = items


def dynamodb_client(**overrides: Any) -> DynamoDBClient:
    """Return a client with short time-outs and few retries. Somebody waits, and Telegram repeats updates.

    It tries three times at most, with one second to connect and two to answer. ``overrides`` go to
    ``boto3.Session.client``.
    """
    settings = {"max_pool_connections": 4, "tcp_keepalive": True}
    made: DynamoDBClient = client("dynamodb", connect=1, read=2, tries=3, config=settings, **overrides)
    return made


class DynamoTable:
    """A table's name and its client, with errors sorted."""

    def __init__(self, client: DynamoDBClient, name: str) -> None:
        self.client = client
        self.name = name

    def call(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """Run one single-item operation or query, such as ``update_item``, on this table.

        Raises ConditionFailed if the operation's condition did not hold; StoreUnavailable; StoreRefused.
        """
        with _translate_errors(operation):
            answer: dict[str, Any] = getattr(self.client, operation)(TableName=self.name, **arguments)
        return answer

    def items(self, operation: str, **arguments: Any) -> Iterator[dict[str, Any]]:
        """Yield all items of a ``query`` or ``scan``; one request a page, made on demand.

        Raises StoreUnavailable, StoreRefused.
        """
        while True:
            answer = self.call(operation, **arguments)
            yield from answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return
            arguments["ExclusiveStartKey"] = answer["LastEvaluatedKey"]

    def transact(self, actions: list[dict[str, Any]]) -> None:
        """Write all of the actions or none; the table's name is filled in.

        Raises TransactionRefused if the condition of an action did not hold; StoreUnavailable, for example if
        another transaction holds one of the items; StoreRefused.
        """
        named: list[Any] = [
            {kind: {"TableName": self.name, **body} for kind, body in action.items()} for action in actions
        ]
        with _translate_errors("transact_write_items"):
            self.client.transact_write_items(TransactItems=named)


@contextmanager
def _translate_errors(operation: str) -> Iterator[None]:
    # Always ``from None``: the service's own texts may quote parts of an item.
    try:
        yield
    except ClientError as error:
        raise _translate(operation, error) from None
    except ParamValidationError:
        raise StoreRefused(f"{operation}: ParamValidationError") from None
    except BotoCoreError as error:
        raise StoreUnavailable(f"{operation}: {type(error).__name__}") from None


def _translate(operation: str, error: ClientError) -> Exception:
    response: dict[str, Any] = dict(error.response)
    code = str(response.get("Error", {}).get("Code", ""))
    if code == "ConditionalCheckFailedException":
        return ConditionFailed(response.get("Item"))
    if code == "TransactionCanceledException":
        reasons = response.get("CancellationReasons", [])
        codes = [None if reason.get("Code") in (None, "None") else reason["Code"] for reason in reasons]
        if any(found == "ConditionalCheckFailed" for found in codes):
            return TransactionRefused(codes, [reason.get("Item") for reason in reasons])
        if any(found == "ValidationError" for found in codes):
            return StoreRefused(f"{operation}: ValidationError")
        return StoreUnavailable(f"{operation}: {code}")
    kind = StoreRefused if code in _NEVER else StoreUnavailable
    return kind(f"{operation}: {code}")
