"""Looking after the bot on one machine: whether it is alive, and copies of its store."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

#: A bot that has not heard from Telegram for so many seconds is not well. A poll takes half a minute at most.
SILENT = 180.0
#: So many daily copies are kept.
KEPT = 7
BACKUPS = "backups"


def heartbeat_file(folder: Path, number: str) -> Path:
    """The file that is touched whenever Telegram has answered a poll."""
    return folder / f"{number}.alive"


def write_heartbeat(path: Path, clock: Callable[[], float] = time.time) -> None:
    """Say that the bot lives."""
    path.touch(mode=0o600)
    now = clock()
    os.utime(path, (now, now))


def silent_for(path: Path, clock: Callable[[], float] = time.time) -> float | None:
    """For how many seconds the bot has heard nothing from Telegram; None: it never did."""
    try:
        return clock() - path.stat().st_mtime
    except FileNotFoundError:
        return None


def copy(file: sqlite3.Connection, to: Path) -> None:
    """Copy a whole store; what is at ``to`` is replaced once the copy is whole.

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
        # On a disk that is full the half of a copy would keep it so.
        part.unlink(missing_ok=True)


def copy_of_the_day(file: sqlite3.Connection, folder: Path, number: str, now: float) -> Path:
    """Copy a store into the folder's backups under its day, and let the oldest go."""
    kept = folder / BACKUPS
    for left in kept.glob(f"{number}-*.part"):  # by a process that was killed
        left.unlink()
    to = kept / f"{number}-{datetime.fromtimestamp(now, UTC):%Y-%m-%d}.sqlite3"
    copy(file, to)
    for old in sorted(kept.glob(f"{number}-????-??-??.sqlite3"))[:-KEPT]:
        old.unlink()
    return to
