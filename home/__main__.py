"""``python -m home``: be the bot until Ctrl-C.

``BOT_TOKEN`` is the token that @BotFather gave; ``TELEGRAM_API_URL`` may name another Bot API server. The
catalogues must be compiled (``make bot`` does that first).
"""

import argparse
import contextlib
import os
import signal
import sys
from pathlib import Path

from home.bot import CannotStart, opened
from home.kept_table import InUse
from infra.configuration import ConfigurationError
from infra.telegram.errors import Unauthorized

FOLDER = Path(".local")


def main(arguments: list[str]) -> None:
    """Parse the command line and be the bot. Ends with a sentence on stderr where it cannot start."""
    parser = argparse.ArgumentParser(prog="python -m home", description="chancellery on this machine")
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help=f"where games are kept (default: {FOLDER})"
    )
    parser.add_argument(
        "--take-over",
        action="store_true",
        help="remove a webhook that the bot has: its deployment falls silent",
    )
    args = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with (
            contextlib.suppress(KeyboardInterrupt),
            opened(os.environ, args.folder, args.take_over) as polling,
        ):
            name = polling.built.app.hearing.username
            print(
                f"@{name} listens. Add it to a group and send /newgame there. (Ctrl-C stops it)", flush=True
            )
            polling.run()
    except (CannotStart, InUse, ConfigurationError) as error:
        raise SystemExit(f"bot: {error}") from None
    except Unauthorized:
        raise SystemExit("bot: Telegram does not take BOT_TOKEN") from None


if __name__ == "__main__":
    main(sys.argv[1:])
