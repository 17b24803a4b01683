"""Check the health of the bot on one machine, and copy its store."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

#: A bot is unwell after this many seconds without an answer from Telegram. A poll takes at most 35 seconds.
SILENT = 180.0
#: A bot is also unwell if a message has waited for this many seconds.
WAITING = 900.0
#: How many daily copies to keep.
KEPT = 7
#: How many copies from before a start, and from before an upgrade, to keep.
STARTS, UPGRADES = 3, 5
#: For this many seconds after a copy at a start, another start makes no copy, unless the code has changed. So
#: frequent restarts do not push out older copies.
APART = 3600
BACKUPS = "backups"


def heartbeat_file(folder: Path, number: str) -> Path:
    """Return the file that is written after each poll that Telegram answers. It holds the trouble, if any."""
    return folder / f"{number}.alive"


def write_heartbeat(path: Path, clock: Callable[[], float] = time.time, trouble: str | None = None) -> None:
    """Note that the bot is running, and the trouble that it has. Raises OSError."""
    if not path.exists():
        path.touch(mode=0o600)
    if trouble or path.stat().st_size:
        path.write_text(trouble or "", "utf-8")
    now = clock()
    os.utime(path, (now, now))


def find_trouble(path: Path, clock: Callable[[], float] = time.time) -> str | None:
    """Return why the bot cannot receive, store or send, or None if it is well."""
    try:
        silent = clock() - path.stat().st_mtime
        trouble = path.read_text("utf-8")
    except FileNotFoundError:
        return "the bot has never run in this folder"
    # If the clock was set back meanwhile, the last heartbeat is in the future.
    if abs(silent) > SILENT:
        return f"nothing heard from Telegram for {abs(silent):.0f} s"
    return trouble or None


def copy(file: sqlite3.Connection, to: Path) -> None:
    """Copy a whole store. A file at ``to`` is replaced once the copy is complete.

    Raises OSError or sqlite3.Error.
    """
    to.parent.mkdir(0o700, parents=True, exist_ok=True)
    part = to.with_name(f"{to.name}.part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    try:
        with closing(sqlite3.connect(part)) as out:
            file.backup(out)
        part.replace(to)
    finally:
        # Half a copy would keep a full disk full.
        part.unlink(missing_ok=True)


def copy_of_the_day(file: sqlite3.Connection, folder: Path, number: str, now: float) -> Path:
    """Copy a store into the folder's backups under today's date, and delete the oldest copies."""
    backups = folder / BACKUPS
    for left in backups.glob(f"{number}-*.part"):  # left by a process that was killed
        left.unlink()
    to = backups / f"{number}-{datetime.fromtimestamp(now, UTC):%Y-%m-%d}.sqlite3"
    copy(file, to)
    for old in sorted(backups.glob(f"{number}-????-??-??.sqlite3"))[:-KEPT]:
        old.unlink()
    return to


def copy_at_start(file: sqlite3.Connection, folder: Path, number: str, now: float, *, upgrade: bool) -> None:
    """Copy a store before any update is handled: ``…-before-…`` for an upgrade, else ``…-start-…``."""
    backups = folder / BACKUPS
    starts, upgrades = (sorted(backups.glob(f"{number}-{kind}-*.sqlite3")) for kind in ("start", "before"))
    if not upgrade and any(0 <= now - old.stat().st_mtime < APART for old in [*starts, *upgrades]):
        return
    to = backups / f"{number}-{'before' if upgrade else 'start'}-{_stamp(now)}.sqlite3"
    copy(file, to)
    os.utime(to, (now, now))
    others, most = (upgrades, UPGRADES) if upgrade else (starts, STARTS)
    for old in [one for one in others if one != to][: 1 - most]:
        old.unlink()


def set_aside(path: Path, folder: Path, number: str, now: float) -> Path:
    """Copy a store's file into the backups as it is, even if it is damaged. Raises OSError."""
    to = folder / BACKUPS / f"{number}-replaced-{_stamp(now)}.sqlite3"
    to.parent.mkdir(0o700, parents=True, exist_ok=True)
    to.touch(mode=0o600)
    shutil.copyfile(path, to)
    return to


def give_to_owner(path: Path, folder: Path) -> None:
    """If root made ``path``, give it to the owner of ``folder``. Raises OSError."""
    if os.geteuid() == 0:
        owner = folder.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def damage(file: sqlite3.Connection) -> str | None:
    """Check a store. Returns SQLite's first complaint, or None. Raises sqlite3.DatabaseError."""
    found = str(file.execute("PRAGMA integrity_check(1)").fetchone()[0])
    return None if found == "ok" else found


def damage_of(path: Path) -> str | None:
    """Check a copy of a store. Returns the first complaint, or None."""
    if not path.is_file():
        return "there is no such file"
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as file:
            file.execute("SELECT count(*) FROM items").fetchone()
            file.execute("SELECT value FROM secret").fetchone()
            return damage(file)
    except sqlite3.Error as error:
        return str(error)


def release() -> str:
    """Return a name for the code that runs here. A change in any of its Python files changes the name."""
    root, seen = Path(__file__).resolve().parent.parent, hashlib.sha256()
    for package in ("ai", "bot", "engine", "handlers", "infra", "local"):
        for path in sorted((root / package).rglob("*.py")):
            seen.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return seen.hexdigest()[:16]


def _stamp(now: float) -> str:
    return f"{datetime.fromtimestamp(now, UTC):%Y-%m-%d-%H%M%S}"
