"""A real bot on this machine, to try it with friends without a cloud.

It passes updates from long polling to the Lambda handlers, on a table in a file.
"""

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from handlers.service.build import Built, build
from handlers.service.completeness import check
from infra.configuration import TELEGRAM_API_URL, Configuration
from infra.store.table import StoreUnavailable
from infra.telegram.errors import AnswerLost, RetryLater, Unauthorized, WireError
from infra.telegram.gateway import Gateway
from local import upkeep
from local.bot_socket import serve_socket, socket_path
from local.dynamodb import Client
from local.polling import Polling
from local.queue import DelayQueue
from local.sqlite_table import open_table

TABLE = "chancellery"
#: The most seconds that a start spends on registering commands.
REGISTERING = 30.0


class CannotStart(RuntimeError):
    """The person at the keyboard has to fix something first. The text says what."""


@contextlib.contextmanager
def opened(
    environment: Mapping[str, str],
    folder: Path,
    take_over: bool = False,
    clock: Callable[[], float] = time.time,
) -> Iterator[Polling]:
    """Yield a bot that is ready to poll. Everything that the last process left is queued.

    Raises CannotStart, InUse, Unusable, ConfigurationError, Unauthorized, Incomplete.
    """
    check()
    token = environment.get("BOT_TOKEN", "")
    if not token:
        raise CannotStart("BOT_TOKEN is not set; @BotFather gives one")
    url = environment.get("TELEGRAM_API_URL") or TELEGRAM_API_URL
    name = _introduce(token, url.rstrip("/"), take_over)
    number = token.partition(":")[0]
    # One file per bot: another bot must not find this bot's games. A new token of the same bot has the same
    # number, so it finds them.
    with open_table(folder / f"{number}.sqlite3") as table:
        _tried("copy of the store", lambda: table.copy_at_start(folder, number, clock(), upkeep.release()))
        configuration = Configuration.from_environment(
            {
                "TABLE_NAME": TABLE,
                "QUEUE_URL": "http://queue.invalid/home",
                "BOT_TOKEN": token,
                "BOT_USERNAME": name,
                "TELEGRAM_API_URL": url,
                "WEBHOOK_SECRET": table.secret(),
                "BEACON": environment.get("BEACON", ""),
                "SETUP_REVISION": environment.get("SETUP_REVISION") or "home",
            }
        )
        queue = DelayQueue(clock)
        built = build(
            configuration,
            dynamodb=Client(table),  # type: ignore[arg-type]
            sqs=lambda: queue,  # type: ignore[arg-type,return-value]
            clock=clock,
        )
        heartbeat = upkeep.heartbeat_file(folder, number)
        polling = Polling(
            built,
            queue,
            table,
            clock=clock,
            heard=lambda trouble: _beat(heartbeat, clock, trouble),
            daily=lambda: _tried("copy of the store", lambda: table.copy_of_the_day(folder, number, clock())),
        )
        polling.resume()
        _register(built, clock)
        try:
            with contextlib.ExitStack() as leaving:
                # The operator's command line reaches the bot by a socket, if the folder takes one.
                serving = serve_socket(socket_path(folder, number), table.run, queue.put)
                _tried("socket", lambda: leaving.enter_context(serving))
                yield polling
        finally:
            built.app.gateway.close()


def _tried(what: str, do: Callable[[], object]) -> None:
    """Do something that the bot can do without. If it fails, say so and go on."""
    try:
        do()
    except (OSError, sqlite3.Error) as error:
        print(f"no {what} could be made ({error})", flush=True)


def _beat(path: Path, clock: Callable[[], float], trouble: str | None) -> None:
    """Write the heartbeat. If that fails, the health check notices."""
    with contextlib.suppress(OSError):
        upkeep.write_heartbeat(path, clock, trouble)


def _register(built: Built, clock: Callable[[], float]) -> None:
    """Register commands and profile, unless that is done. If some of it fails, the watchdog tries again."""
    assert built.upkeep is not None
    with contextlib.suppress(StoreUnavailable):
        if not built.upkeep.register(clock() + REGISTERING):
            print("Telegram does not take commands and profile for now; trying again later", flush=True)


def _introduce(token: str, url: str, take_over: bool) -> str:
    """Return the bot's name. Raises CannotStart if something keeps it from polling."""
    with contextlib.closing(Gateway(lambda fresh: token, url)) as gateway:

        def call(method: str) -> Any:
            return gateway.run(gateway.call(method, {}))

        try:
            name = str(call("getMe")["username"])
            hook = call("getWebhookInfo")["url"]
            if hook and not take_over:
                deployed = f"@{name} has a webhook at {urlsplit(hook).hostname}: it is deployed"
                raise CannotStart(f"{deployed}. Take another bot, or --take-over")
            if hook:
                call("deleteWebhook")
        except Unauthorized:
            raise
        except WireError as error:
            if isinstance(error, AnswerLost) or (isinstance(error, RetryLater) and not error.flood):
                raise CannotStart(f"Telegram is out of reach at {url}; is there a network?") from None
            raise CannotStart(f"Telegram does not answer as it should: {error}") from None
    return name
