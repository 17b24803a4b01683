"""A DynamoDB in process whose items are kept in a file: moto does the work, SQLite remembers.

Every write reaches the file before its answer reaches the bot, so that whatever the bot sends follows from
something that a restart finds again. Why not another local DynamoDB: `docs/decisions/local-store.md`.
"""

import base64
import json
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from moto import mock_aws

from infra.items import RoomItem, room_from_attributes
from infra.keys import ROOM
from infra.schema import create_table
from infra.table import dynamodb_client
from sandbox.desk import CREDENTIALS, TABLE

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

Attributes = dict[str, Any]
_BYTES = "bytes"


class InUse(RuntimeError):
    """Another process has the file."""


class Kept:
    """The low-level client of a table whose items a file keeps. Knows the operations that the bot uses."""

    def __init__(self, client: "DynamoDBClient", file: sqlite3.Connection) -> None:
        self._client = client
        self._file = file
        self.meta = client.meta

    def get_item(self, **arguments: Any) -> Any:
        """As the client's own."""
        return self._client.get_item(**arguments)

    def query(self, **arguments: Any) -> Any:
        """As the client's own."""
        return self._client.query(**arguments)

    def put_item(self, **arguments: Any) -> Any:
        """As the client's own; the item is in the file before this returns."""
        answer = self._client.put_item(**arguments)
        self._keep([_key(arguments["Item"])])
        return answer

    def update_item(self, **arguments: Any) -> Any:
        """As the client's own; the item is in the file before this returns."""
        answer = self._client.update_item(**arguments)
        self._keep([arguments["Key"]])
        return answer

    def delete_item(self, **arguments: Any) -> Any:
        """As the client's own; the item is out of the file before this returns."""
        answer = self._client.delete_item(**arguments)
        self._keep([arguments["Key"]])
        return answer

    def transact_write_items(self, **arguments: Any) -> Any:
        """As the client's own; all of it is in the file before this returns, or nothing."""
        answer = self._client.transact_write_items(**arguments)
        actions = [body for action in arguments["TransactItems"] for body in action.values()]
        self._keep([body.get("Key") or _key(body["Item"]) for body in actions])
        return answer

    def rooms(self) -> Iterator[RoomItem]:
        """Every room in the file."""
        rows = self._file.execute("SELECT item FROM items WHERE sk = ?", (ROOM,)).fetchall()
        return (room_from_attributes(_decode(packed)) for (packed,) in rows)

    def secret(self) -> str:
        """A secret of this file's own, made when it is first asked for: deep links are signed with it."""
        with self._file:
            self._file.execute("INSERT OR IGNORE INTO secret VALUES (0, ?)", (secrets.token_urlsafe(32),))
        (secret,) = self._file.execute("SELECT value FROM secret").fetchone()
        return str(secret)

    def _keep(self, keys: Sequence[Attributes]) -> None:
        with self._file:
            for key in keys:
                item = self._client.get_item(TableName=TABLE, Key=key).get("Item")
                name = key["pk"]["S"], key["sk"]["S"]
                if item is None:
                    self._file.execute("DELETE FROM items WHERE pk = ? AND sk = ?", name)
                else:
                    self._file.execute("REPLACE INTO items VALUES (?, ?, ?)", (*name, _encode(item)))


@contextmanager
def kept_table(path: Path) -> Iterator[Kept]:
    """A table with the items that the file at ``path`` holds (it is made where there is none).

    Raises InUse while another process has it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = sqlite3.connect(path, timeout=0.5)
    try:
        _lock(file, path)
        with mock_aws():
            client = dynamodb_client(**CREDENTIALS)
            create_table(client, TABLE)
            for (packed,) in file.execute("SELECT item FROM items"):
                client.put_item(TableName=TABLE, Item=_decode(packed))
            yield Kept(client, file)
    finally:
        file.close()


def _lock(file: sqlite3.Connection, path: Path) -> None:
    try:
        # Held until the file is closed, however the process ends.
        file.execute("PRAGMA locking_mode = EXCLUSIVE")
        with file:
            file.execute("BEGIN EXCLUSIVE")
            file.execute(
                "CREATE TABLE IF NOT EXISTS items (pk TEXT, sk TEXT, item TEXT, PRIMARY KEY (pk, sk))"
            )
            file.execute("CREATE TABLE IF NOT EXISTS secret (id INTEGER PRIMARY KEY, value TEXT)")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise InUse(f"{path} is in use by another process") from None
        raise


def _key(item: Mapping[str, Any]) -> Attributes:
    return {"pk": item["pk"], "sk": item["sk"]}


def _encode(item: Mapping[str, Any]) -> str:
    return json.dumps(item, default=lambda value: {_BYTES: base64.b64encode(value).decode()})


def _decode(packed: str) -> Attributes:
    def read(value: Attributes) -> Any:
        return base64.b64decode(value[_BYTES]) if isinstance(value.get(_BYTES), str) else value

    item: Attributes = json.loads(packed, object_hook=read)
    return item
