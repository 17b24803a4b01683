"""``python -m sandbox bot``: a real bot on this machine, for trying it with friends before any cloud.

The same entries that Lambda calls, fed by long polling, on a table in a file. ``BOT_TOKEN`` is the token that
@BotFather gave; ``TELEGRAM_API_URL`` may name another Bot API server.
"""

import argparse
import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from handlers.build import build
from handlers.commands import registrations
from handlers.setup import registering
from infra.settings import TELEGRAM_API_URL, Settings, SettingsError
from infra.telegram import Gateway
from infra.wire import Unauthorized, WireError
from sandbox.desk import TABLE
from sandbox.dynamodb import Client
from sandbox.local.polling import Polling
from sandbox.local.table import InUse, kept_table
from sandbox.queue import DeskQueue
from scripts.catalogues import compile_all

FOLDER = Path(".local")


class CannotStart(RuntimeError):
    """Something that the person at the keyboard has to mend; the text says what."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help=f"where games are kept (default: {FOLDER})"
    )
    parser.add_argument(
        "--take-over",
        action="store_true",
        help="remove a webhook that the bot has: its deployment falls silent",
    )


def run(args: argparse.Namespace) -> None:
    """Be the bot until Ctrl-C."""
    compile_all()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with (
            contextlib.suppress(KeyboardInterrupt),
            opened(os.environ, args.folder, args.take_over) as polling,
        ):
            name = polling.built.app.username
            print(
                f"@{name} listens. Add it to a group and send /newgame there. (Ctrl-C stops it)", flush=True
            )
            polling.run()
    except (CannotStart, InUse, SettingsError) as error:
        raise SystemExit(f"bot: {error}") from None
    except Unauthorized:
        raise SystemExit("bot: Telegram does not take BOT_TOKEN") from None


@contextlib.contextmanager
def opened(
    environment: Mapping[str, str],
    folder: Path,
    take_over: bool = False,
    clock: Callable[[], float] = time.time,
) -> Iterator[Polling]:
    """A bot that is ready to poll, with everything the last process left queued.

    Raises CannotStart, InUse, SettingsError, Unauthorized.
    """
    token = environment.get("BOT_TOKEN", "")
    if not token:
        raise CannotStart("BOT_TOKEN is not set; @BotFather gives one")
    url = environment.get("TELEGRAM_API_URL") or TELEGRAM_API_URL
    name = _introduce(token, url.rstrip("/"), take_over)
    # A file for each bot: another token must not find the games of this one.
    with kept_table(folder / f"{token.partition(':')[0]}.sqlite3") as table:
        settings = Settings.from_environment(
            {
                "TABLE_NAME": TABLE,
                "QUEUE_URL": "http://queue.invalid/local",
                "BOT_TOKEN": token,
                "BOT_USERNAME": name,
                "TELEGRAM_API_URL": url,
                "WEBHOOK_SECRET": table.secret(),
            }
        )
        queue = DeskQueue(clock)
        built = build(
            settings,
            dynamodb=Client(table),  # type: ignore[arg-type]
            sqs=lambda: queue,  # type: ignore[arg-type,return-value]
            clock=clock,
        )
        polling = Polling(built, queue, clock=clock)
        polling.resume(table)
        try:
            yield polling
        finally:
            built.app.gateway.close()


def _introduce(token: str, url: str, take_over: bool) -> str:
    """The bot's name, after its commands and profile were registered and nothing keeps it from polling."""
    gateway = Gateway(lambda fresh: token, url)

    def call(method: str, params: Mapping[str, Any]) -> Any:
        return gateway.run(gateway.call(method, params))

    try:
        name = str(call("getMe", {})["username"])
        hook = call("getWebhookInfo", {})["url"]
        if hook and not take_over:
            raise CannotStart(f"@{name} has a webhook: it is deployed. Take another bot, or --take-over")
        if hook:
            call("deleteWebhook", {})
        for language, texts in registrations().items():
            for method, params in registering(language, texts):
                call(method, params)
    except Unauthorized:
        raise
    except WireError as error:
        raise CannotStart(f"Telegram does not answer as it should: {error}") from None
    finally:
        gateway.close()
    return name
