"""The DynamoDB in this process, with its items in a file.

Every write is in the file before it is answered, so that whatever the bot sends follows from something that a
restart finds again. Why so: ``docs/decisions/0010-local-store.md``.
"""

import base64
import json
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from infra.store.items import RoomItem, room_from_attributes
from infra.store.keys import ROOM
from local import upkeep
from local.dynamodb.client import BROKEN
from local.dynamodb.table import Failed, LocalTable, Write

Item = dict[str, Any]
#: A room's attribute that says who sends its outbox now.
LEASE = "lease"
_BYTES = "bytes"
_TABLES = (
    "items (pk TEXT, sk TEXT, item TEXT, PRIMARY KEY (pk, sk))",
    "secret (id INTEGER PRIMARY KEY, value TEXT)",
)


class InUse(RuntimeError):
    """Another process has the file."""


class SqliteTable(LocalTable):
    """A table that keeps its items in an SQLite file."""

    def __init__(self, file: sqlite3.Connection) -> None:
        super().__init__()
        self._file = file
        #: What SQLite said of the last write that it did not take; whoever looks may set it to None.
        self.trouble: str | None = None
        for pk, sk, packed in file.execute("SELECT pk, sk, item FROM items"):
            # The file is ours alone, so that whoever held a lease when it was written is dead.
            self.items[pk, sk] = {name: value for name, value in _decode(packed).items() if name != LEASE}

    def keep(self, writes: Sequence[Write]) -> None:
        """Write what one operation does into the file, all of it or nothing, and then into memory.

        Raises Failed, as DynamoDB does when it is at fault, where the file does not take it.
        """
        try:
            with self._file:
                for write in writes:
                    self._write(write)
        except sqlite3.Error as error:
            self.trouble = str(error)
            raise Failed(BROKEN) from None
        super().keep(writes)

    def rooms(self) -> list[RoomItem]:
        """Every room."""
        return [room_from_attributes(item) for (_, sort), item in self.items.items() if sort == ROOM]

    def copy(self, to: Path) -> None:
        """Copy all of it into another file, as it is between two writes."""
        upkeep.copy(self._file, to)

    def copy_of_the_day(self, folder: Path, number: str, now: float) -> None:
        """Copy all of it into the folder's backups."""
        upkeep.copy_of_the_day(self._file, folder, number, now)

    def secret(self) -> str:
        """A secret of this file's own, made when it is first asked for: deep links are signed with it."""
        with self._file:
            self._file.execute("INSERT OR IGNORE INTO secret VALUES (0, ?)", (secrets.token_urlsafe(32),))
        (secret,) = self._file.execute("SELECT value FROM secret").fetchone()
        return str(secret)

    def _write(self, write: Write) -> None:
        if write.after is not None:
            self._file.execute("REPLACE INTO items VALUES (?, ?, ?)", (*write.key, _encode(write.after)))
        elif write.before is not None:
            self._file.execute("DELETE FROM items WHERE pk = ? AND sk = ?", write.key)


@contextmanager
def open_table(path: Path) -> Iterator[SqliteTable]:
    """A table with the items that the file at ``path`` holds (it is made where there is none).

    Raises InUse while another process has it.
    """
    path.parent.mkdir(0o700, parents=True, exist_ok=True)
    # Secrets of running games are in it.
    path.touch(mode=0o600)
    with closing(sqlite3.connect(path, timeout=0.5)) as file:
        _lock(file, path)
        yield SqliteTable(file)


def _lock(file: sqlite3.Connection, path: Path) -> None:
    try:
        # Held until the file is closed, however the process ends.
        file.execute("PRAGMA locking_mode = EXCLUSIVE")
        with file:
            file.execute("BEGIN EXCLUSIVE")
            for table in _TABLES:
                file.execute(f"CREATE TABLE IF NOT EXISTS {table}")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise InUse(f"{path} is in use by another process") from None
        raise


def _encode(item: Item) -> str:
    return json.dumps(item, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes | bytearray):
        return {_BYTES: base64.b64encode(value).decode()}
    return list(value)


def _decode(packed: str) -> Item:
    def read(value: Item) -> Any:
        # An attribute of that name holds a type and a value, never a text by itself.
        return base64.b64decode(value[_BYTES]) if isinstance(value.get(_BYTES), str) else value

    item: Item = json.loads(packed, object_hook=read)
    return item
