"""Our DynamoDB in this process, with its items in a file.

Every write is in the file before it is answered. So everything that a sent message depends on is still there
after a restart. ``docs/decisions/0010-local-store.md`` says why.
"""

import secrets
import sqlite3
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from infra.store.items import RoomItem, read_remembered, room_from_attributes
from infra.store.table import ROOM, StoreRefused
from local import upkeep
from local.dynamodb.client import BROKEN
from local.dynamodb.table import Failed, LocalTable, Write
from local.packing import pack, unpack

Item = dict[str, Any]
#: The room attribute that names the sender of its outbox.
LEASE = "lease"
_TABLES = (
    "items (pk TEXT, sk TEXT, item TEXT, PRIMARY KEY (pk, sk))",
    "secret (id INTEGER PRIMARY KEY, value TEXT)",
    "notes (name TEXT PRIMARY KEY, value TEXT)",
)


class InUse(RuntimeError):
    """Another process has the file open."""


class Unusable(RuntimeError):
    """The file cannot be read or written; the text says what to do."""


class SqliteTable(LocalTable):
    """A table that keeps its items in an SQLite file. Threads take turns."""

    def __init__(self, file: sqlite3.Connection) -> None:
        super().__init__()
        self._file = file
        self._turn = threading.RLock()
        #: SQLite's error for the last write that it refused; a reader may set it to None.
        self.trouble: str | None = None
        for pk, sk, packed in file.execute("SELECT pk, sk, item FROM items"):
            # The file is ours alone, so the process that held a lease at the last write is dead.
            self.items[pk, sk] = {name: value for name, value in unpack(packed).items() if name != LEASE}

    def run(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Do one operation, as ``LocalTable`` does. Raises Failed."""
        with self._turn:
            return super().run(operation, arguments)

    def keep(self, writes: Sequence[Write]) -> None:
        """Write an operation's changes into the file, all or none, and then into memory.

        If the file cannot be written, raises Failed, like a fault of DynamoDB.
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
        """Return every room that can be read."""
        found = []
        for (_, sort), item in self.items.items():
            with suppress(StoreRefused):
                found += [room_from_attributes(item)] if sort == ROOM else []
        return found

    def copy(self, to: Path) -> None:
        """Copy the whole table into another file, between two writes. Raises OSError or sqlite3.Error."""
        with self._turn:
            upkeep.copy(self._file, to)

    def copy_of_the_day(self, folder: Path, number: str, now: float) -> None:
        """Copy the whole table into the folder's backups. Raises OSError or sqlite3.Error."""
        with self._turn:
            upkeep.copy_of_the_day(self._file, folder, number, now)

    def copy_at_start(self, folder: Path, number: str, now: float, release: str) -> None:
        """Copy the whole table before any update is handled, under another name if the code has changed.

        Raises OSError or sqlite3.Error.
        """
        before = self._note("release")
        if self.items:
            upkeep.copy_at_start(self._file, folder, number, now, upgrade=before != release)
        if before != release:
            self._write_note("release", release)

    def cannot_store(self, now: float) -> str | None:
        """Try a write. Returns SQLite's error, or None if the file takes it."""
        try:
            with self._turn:
                self._write_note("alive", str(now))
        except sqlite3.Error as error:
            return str(error)
        return None

    def waiting_since(self) -> float | None:
        """Return the time since which the oldest message in any room has waited, or None if none waits."""
        stored = [item["remembered"]["M"] for (_, sort), item in list(self.items.items()) if sort == ROOM]
        times = (read_remembered(values).waiting_since for values in stored)
        return min((since for since in times if since is not None), default=None)

    def secret(self) -> str:
        """Return the secret of this file, made at the first call. It is the local bot's webhook secret.

        Raises Unusable.
        """
        try:
            with self._file:
                self._file.execute("INSERT OR IGNORE INTO secret VALUES (0, ?)", (secrets.token_urlsafe(32),))
        except sqlite3.Error as error:
            raise Unusable(f"nothing can be stored ({error})") from None
        (secret,) = self._file.execute("SELECT value FROM secret").fetchone()
        return str(secret)

    def _note(self, name: str) -> str | None:
        found = self._file.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()
        return None if found is None else str(found[0])

    def _write_note(self, name: str, value: str) -> None:
        with self._file:
            self._file.execute("REPLACE INTO notes VALUES (?, ?)", (name, value))

    def _write(self, write: Write) -> None:
        if write.after is not None:
            self._file.execute("REPLACE INTO items VALUES (?, ?, ?)", (*write.key, pack(write.after)))
        elif write.before is not None:
            self._file.execute("DELETE FROM items WHERE pk = ? AND sk = ?", write.key)


@contextmanager
def open_table(path: Path) -> Iterator[SqliteTable]:
    """Yield a table with the items in the file at ``path``, which is created if it is missing.

    Raises InUse while another process has it, and Unusable if it is damaged or cannot be written.
    """
    try:
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        # It contains the secrets of running games.
        path.touch(mode=0o600)
        # SQLite also writes a journal into the folder. If it cannot, it would say so only at the first write.
        with tempfile.TemporaryFile(dir=path.parent):
            pass
        file = sqlite3.connect(path, timeout=0.5, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise Unusable(f"{path} cannot be written ({_said(error)})") from None
    with closing(file):
        yield _loaded(file, path)


def _loaded(file: sqlite3.Connection, path: Path) -> SqliteTable:
    try:
        lock(file, path)
        if (wrong := upkeep.damage(file)) is not None:
            raise Unusable(f"{path} is damaged ({wrong}). {_MEND}")
        return SqliteTable(file)
    except sqlite3.OperationalError as error:
        raise Unusable(f"{path} cannot be used ({error})") from None
    except (sqlite3.Error, ValueError, KeyError) as error:
        raise Unusable(f"{path} is damaged ({error}). {_MEND}") from None


_MEND = "Put a copy back with --restore: docs/operating.md, Backups"


def lock(file: sqlite3.Connection, path: Path) -> None:
    """Keep every other process out until this one closes the file or ends in any way. Raises InUse."""
    try:
        file.execute("PRAGMA locking_mode = EXCLUSIVE")
        with file:
            file.execute("BEGIN EXCLUSIVE")
            for table in _TABLES:
                file.execute(f"CREATE TABLE IF NOT EXISTS {table}")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise InUse(f"{path} is in use by another process") from None
        raise


def restore(folder: Path, number: str, source: Path, now: float) -> Path | None:
    """Replace a stopped bot's store by a copy. Returns the new path of the old store, if there was one.

    A journal that a killed process left would spoil the new store, so it is deleted. Raises InUse. Raises
    Unusable if the copy is incomplete, or the store cannot be written.
    """
    path = folder / f"{number}.sqlite3"
    if (wrong := upkeep.damage_of(source)) is not None:
        raise Unusable(f"{source} is no copy of a store ({wrong}); nothing was changed")
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=0.5)) as old:
            had = path.stat().st_size > 0
            with suppress(sqlite3.Error):  # it is damaged, which is why it is replaced
                lock(old, path)
            aside = upkeep.set_aside(path, folder, number, now) if had else None
            part = path.with_name(f"{path.name}.part")
            with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as copied:
                upkeep.copy(copied, part)
            for made in (part, *([aside, aside.parent] if aside else [])):
                upkeep.give_to_owner(made, folder)
        for left in ("-journal", "-wal", "-shm"):
            path.with_name(path.name + left).unlink(missing_ok=True)
        part.replace(path)
    except (OSError, sqlite3.Error) as error:
        raise Unusable(f"{path} cannot be written ({_said(error)})") from None
    return aside


def _said(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
