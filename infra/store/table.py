"""The one DynamoDB table: its client, its errors, keys and values of items, and expressions for updates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError
from pydantic_core import from_json, to_json

from infra.aws import client

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

#: An item in the low-level client's form: attribute name -> {type: value}.
Attributes = dict[str, Any]

#: The arguments with which an update returns the item: as it is afterwards, or as it is if a condition fails.
RETURN_ITEM = {"ReturnValues": "ALL_NEW", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
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
        try:
            answer: dict[str, Any] = getattr(self.client, operation)(TableName=self.name, **arguments)
        except (ClientError, BotoCoreError) as error:
            raise _translate(operation, error) from None
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
        name = {"TableName": self.name}
        named: Any = [{kind: {**name, **body} for kind, body in action.items()} for action in actions]
        try:
            self.client.transact_write_items(TransactItems=named)
        except (ClientError, BotoCoreError) as error:
            raise _translate("transact_write_items", error) from None


def _translate(operation: str, error: ClientError | BotoCoreError) -> Exception:
    """Return our own error. It never quotes the service's text, which may quote parts of an item."""
    if isinstance(error, ParamValidationError):
        return StoreRefused(f"{operation}: ParamValidationError")
    if not isinstance(error, ClientError):
        return StoreUnavailable(f"{operation}: {type(error).__name__}")
    response: dict[str, Any] = dict(error.response)
    code = str(response.get("Error", {}).get("Code", ""))
    if code == "ConditionalCheckFailedException":
        return ConditionFailed(response.get("Item"))
    if code == "TransactionCanceledException":
        reasons = response.get("CancellationReasons", [])
        codes = [None if reason.get("Code") in (None, "None") else reason["Code"] for reason in reasons]
        if "ConditionalCheckFailed" in codes:
            return TransactionRefused(codes, [reason.get("Item") for reason in reasons])
        if "ValidationError" in codes:
            return StoreRefused(f"{operation}: ValidationError")
        return StoreUnavailable(f"{operation}: {code}")
    kind = StoreRefused if code in _NEVER else StoreUnavailable
    return kind(f"{operation}: {code}")


class Cursor:
    """The progress of a pass over the whole table that takes more than one run. One item for each pass."""

    def __init__(self, table: DynamoTable, name: str) -> None:
        self._table = table
        self._key: Attributes = {"pk": {"S": "pass"}, "sk": {"S": name}}

    def load(self) -> str | None:
        """Return the key of the room after which to go on, or None to start at the beginning.

        Raises StoreUnavailable.
        """
        item = self._table.call("get_item", Key=self._key, ConsistentRead=True).get("Item")
        return None if item is None else str(item["after"]["S"])

    def save(self, key: str) -> None:
        """Go on after this room next time. Raises StoreUnavailable."""
        self._table.call("put_item", Item={**self._key, "after": {"S": key}})

    def reset(self) -> None:
        """Start from the first room next time. Raises StoreUnavailable."""
        self._table.call("delete_item", Key=self._key)


# --- keys and values of items -------------------------------------------------------------------------------

#: The sort key of a room's own item.
ROOM = "room"
#: The start of the partition key of a room and of everything stored for it.
ROOM_PREFIX = "room#"
USER = "user"
GAME_PREFIX = "game#"
#: The only partition of the index ``due``. A bot sends at most 30 messages a second, so one is enough.
DUE_BUCKET = "due"


def user_key(user: int) -> str:
    """Return a user's partition key."""
    return f"user#{user}"


def game_reference(room: str, game: str) -> str:
    """Return the text by which a person's items refer to a finished game: its room's key and its id."""
    return f"{room}|{game}"


def parse_game_reference(reference: str) -> tuple[str, str]:
    """Return the room's key and the game's id."""
    room, _, game = reference.partition("|")
    return room, game


def in_partition(key: str, between: tuple[str, str] | None = None) -> dict[str, Any]:
    """Return the arguments of a query for a partition's items, or for those with sort keys in a range."""
    values = {":pk": {"S": key}}
    if between is None:
        return {"KeyConditionExpression": "pk = :pk", "ExpressionAttributeValues": values}
    values |= {":low": {"S": between[0]}, ":high": {"S": between[1]}}
    condition = "pk = :pk AND sk BETWEEN :low AND :high"
    return {"KeyConditionExpression": condition, "ExpressionAttributeValues": values}


def pack_value(value: Any) -> dict[str, Any]:
    """Return a value as an attribute: whole numbers as numbers, the rest as JSON text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return {"N": str(value)}
    return {"S": to_json(value).decode()}


def unpack_value(attribute: Mapping[str, Any]) -> Any:
    """Return the value that ``pack_value`` packed. DynamoDB gives a number as text, which is JSON too."""
    return from_json(*attribute.values())


def pack_number(value: float) -> dict[str, str]:
    """Return a time or count as an attribute, to the millisecond."""
    return {"N": f"{value:.3f}".rstrip("0").rstrip(".")}


# --- updates ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Expression:
    """Collects the parts of an update. It aliases every name, because some are reserved words of DynamoDB."""

    #: The clauses by their first words, such as SET.
    _clauses: dict[str, str] = field(default_factory=dict)
    _conditions: list[str] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)
    _values: dict[str, Any] = field(default_factory=dict)

    def value(self, attribute: dict[str, Any]) -> str:
        """Add a value and return its placeholder."""
        placeholder = f":v{len(self._values)}"
        self._values[placeholder] = attribute
        return placeholder

    def path(self, name: str, member: str | None = None) -> str:
        """Return the path of a top-level attribute, or of a member of it, with an alias for each part.

        Without aliases, DynamoDB would not accept the dots in ids of entries or the slashes in other names.
        """
        aliases = self._names
        path = aliases.setdefault(name, f"#n{len(aliases)}")
        return path if member is None else f"{path}.{aliases.setdefault(member, f'#n{len(aliases)}')}"

    def set(self, name: str, attribute: dict[str, Any], member: str | None = None) -> None:
        """SET a top-level attribute, or a member of it if it is a map."""
        self._add_part("SET", f"{self.path(name, member)} = {self.value(attribute)}")

    def set_due(self, due: float) -> None:
        """SET the time at which the watchdog must look, and the partition key of the index ``due``."""
        self.set("due", pack_number(due))
        self.set("due_bucket", {"S": DUE_BUCKET})

    def set_if_absent(self, name: str, attribute: dict[str, Any]) -> None:
        """SET a top-level attribute, unless the stored item already has it."""
        path = self.path(name)
        self._add_part("SET", f"{path} = if_not_exists({path}, {self.value(attribute)})")

    def remove(self, name: str, member: str | None = None) -> None:
        """REMOVE an attribute, or a member of it; one that is not there is no error."""
        self._add_part("REMOVE", self.path(name, member))

    def add(self, name: str, amount: int) -> None:
        """ADD to a top-level number, which begins at 0."""
        self._add_part("ADD", f"{self.path(name)} {self.value({'N': str(amount)})}")

    def add_to_set(self, name: str, members: Sequence[str]) -> None:
        """ADD members to a top-level set of texts."""
        self._add_part("ADD", f"{self.path(name)} {self.value({'SS': list(members)})}")

    def take_from_set(self, name: str, members: Sequence[str]) -> None:
        """DELETE members from a top-level set of texts; those that are not there are no error."""
        self._add_part("DELETE", f"{self.path(name)} {self.value({'SS': list(members)})}")

    def _add_part(self, clause: str, part: str) -> None:
        before = self._clauses.get(clause)
        self._clauses[clause] = f"{clause} {part}" if before is None else f"{before}, {part}"

    def condition(self, text: str) -> None:
        """Add a condition; all must hold."""
        self._conditions.append(f"({text})")

    def arguments(self) -> dict[str, Any]:
        """Return the keyword arguments of ``update_item``."""
        out: dict[str, Any] = {}
        if self._clauses:
            out["UpdateExpression"] = " ".join(self._clauses.values())
        if self._conditions:
            out["ConditionExpression"] = " AND ".join(self._conditions)
        if self._names:
            out["ExpressionAttributeNames"] = dict(zip(self._names.values(), self._names, strict=True))
        if self._values:
            out["ExpressionAttributeValues"] = self._values
        return out
