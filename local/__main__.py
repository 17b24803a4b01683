"""``python -m local``: run the bot until Ctrl-C.

``BOT_TOKEN`` is the token that @BotFather gave; ``TELEGRAM_API_URL`` may name another Bot API server. The
translations must be compiled (``make bot`` does that first).
"""

import argparse
import contextlib
import os
import signal
import sqlite3
import sys
import threading
import time
from pathlib import Path

from local import upkeep

FOLDER = Path(".local")


def main(arguments: list[str]) -> None:
    """Parse the command line and run the bot. If it cannot start, it says why on stderr."""
    parser = argparse.ArgumentParser(
        prog="python -m local",
        description="Run chancellery on this machine as a real bot. BOT_TOKEN is its token.",
    )
    add = parser.add_argument
    add("--folder", type=Path, default=FOLDER, help=f"the folder that stores games (default: {FOLDER})")
    about = "remove the bot's webhook, so that its deployment gets no more updates"
    add("--take-over", action="store_true", help=about)
    add("--backup", type=Path, metavar="FILE", help="copy the store of a stopped bot to this file, and exit")
    about = "replace the store of a stopped bot by this copy, and exit"
    add("--restore", type=Path, metavar="FILE", help=about)
    about = "exit with 0 if the bot runs, reaches Telegram, and can store and send; otherwise with 1"
    add("--healthy", action="store_true", help=about)
    args = parser.parse_args(arguments)
    number = os.environ.get("BOT_TOKEN", "").partition(":")[0]
    if args.healthy:
        raise SystemExit(_unwell(args.folder, number))
    if args.backup is not None:
        raise SystemExit(_backup(args.folder, number, args.backup))
    if args.restore is not None:
        raise SystemExit(_restore(args.folder, number, args.restore))
    run_bot(args.folder, args.take_over)


def run_bot(folder: Path, take_over: bool) -> None:
    """Run the bot until somebody stops it."""
    # Imported here, because a health check runs every minute and must not load the whole bot.
    from infra.configuration import ConfigurationError
    from infra.telegram.errors import Unauthorized
    from local.bot import CannotStart, opened
    from local.sqlite_table import InUse, Unusable

    ended = threading.Event()

    def end(number: int, frame: object) -> None:
        # Act like Ctrl-C, because asyncio then cancels the call in progress. If that call ends at the same
        # moment, the signal may have no effect. Then ``ended`` stops the loop.
        ended.set()
        signal.raise_signal(signal.SIGINT)

    signal.signal(signal.SIGTERM, end)
    # A shell starts background processes so that they ignore SIGINT, even the one that ``end`` raises.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with contextlib.suppress(KeyboardInterrupt), opened(os.environ, folder, take_over) as polling:
            name = polling.built.app.room_service.username
            print(
                f"@{name} listens. Add it to a group and send /newgame there. (Ctrl-C stops it)", flush=True
            )
            polling.run(ended.is_set)
    except (CannotStart, InUse, Unusable, ConfigurationError) as error:
        raise SystemExit(f"bot: {error}") from None
    except Unauthorized:
        raise SystemExit("bot: Telegram does not take BOT_TOKEN") from None


def _unwell(folder: Path, number: str) -> str | int:
    """Return a text that says what is wrong with the bot, or 0."""
    if not number:
        return "bot: BOT_TOKEN is not set"
    trouble = upkeep.find_trouble(upkeep.heartbeat_file(folder, number))
    return 0 if trouble is None else f"bot: {trouble}"


def _backup(folder: Path, number: str, to: Path) -> str | int:
    """Copy the store of a stopped bot. Return a text that says why that failed, or 0."""
    from local.sqlite_table import InUse, Unusable, open_table

    path = folder / f"{number}.sqlite3"
    if not number or not path.exists():
        return f"bot: {path} is not there (BOT_TOKEN says which bot it is)"
    try:
        with open_table(path) as table:
            table.copy(to)
    except InUse:
        return f"bot: it runs. Its copy of the day is in {folder / upkeep.BACKUPS}; or stop it first"
    except (OSError, sqlite3.Error) as error:
        return f"bot: {to} cannot be written: {error}"
    except Unusable as error:
        return f"bot: {error}"
    print(f"{path} is copied to {to}")
    return 0


def _restore(folder: Path, number: str, source: Path) -> str | int:
    """Put a copy back. Return a text that says why that failed, or 0."""
    from local.sqlite_table import InUse, Unusable, restore

    if not number:
        return "bot: BOT_TOKEN is not set: which bot is it?"
    try:
        aside = restore(folder, number, source, time.time())
    except InUse:
        return "bot: it runs; stop it first"
    except Unusable as error:
        return f"bot: {error}"
    print(f"{source} is put back" + (f"; what was there is in {aside}" if aside else ""))
    return 0


if __name__ == "__main__":
    main(sys.argv[1:])
