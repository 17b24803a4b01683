"""A real bot on this machine, for trying it with friends before any cloud.

The entries that Lambda calls, fed by long polling, on a table in a file.
"""

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bot.display.commands import registrations
from handlers.service.build import build
from handlers.setup import registering
from infra.configuration import TELEGRAM_API_URL, Configuration
from infra.telegram.errors import Unauthorized, WireError
from infra.telegram.gateway import Gateway
from local import upkeep
from local.dynamodb import Client
from local.polling import Polling
from local.queue import DelayQueue
from local.sqlite_table import SqliteTable, open_table

TABLE = "chancellery"


class CannotStart(RuntimeError):
    """Something that the person at the keyboard has to mend; the text says what."""


@contextlib.contextmanager
def opened(
    environment: Mapping[str, str],
    folder: Path,
    take_over: bool = False,
    clock: Callable[[], float] = time.time,
) -> Iterator[Polling]:
    """A bot that is ready to poll, with everything the last process left queued.

    Raises CannotStart, InUse, ConfigurationError, Unauthorized.
    """
    token = environment.get("BOT_TOKEN", "")
    if not token:
        raise CannotStart("BOT_TOKEN is not set; @BotFather gives one")
    url = environment.get("TELEGRAM_API_URL") or TELEGRAM_API_URL
    name = _introduce(token, url.rstrip("/"), take_over)
    # A file for each bot: another token must not find the games of this one.
    with open_table(folder / f"{token.partition(':')[0]}.sqlite3") as table:
        configuration = Configuration.from_environment(
            {
                "TABLE_NAME": TABLE,
                "QUEUE_URL": "http://queue.invalid/home",
                "BOT_TOKEN": token,
                "BOT_USERNAME": name,
                "TELEGRAM_API_URL": url,
                "WEBHOOK_SECRET": table.secret(),
                "BEACON": environment.get("BEACON", ""),
            }
        )
        queue = DelayQueue(clock)
        built = build(
            configuration,
            dynamodb=Client(table),  # type: ignore[arg-type]
            sqs=lambda: queue,  # type: ignore[arg-type,return-value]
            clock=clock,
        )
        number = token.partition(":")[0]
        heartbeat = upkeep.heartbeat_file(folder, number)
        polling = Polling(
            built,
            queue,
            table,
            clock=clock,
            heard=lambda: upkeep.write_heartbeat(heartbeat, clock),
            daily=lambda: _copied(table, folder, number, clock()),
        )
        polling.resume()
        try:
            yield polling
        finally:
            built.app.gateway.close()


def _copied(table: SqliteTable, folder: Path, number: str, now: float) -> None:
    """Make the copy of the day. A full disk is no reason to stop playing."""
    try:
        table.copy_of_the_day(folder, number, now)
    except (OSError, sqlite3.Error) as error:
        print(f"no copy of the store could be made ({error})", flush=True)


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
