"""Call any Bot API method through python-telegram-bot."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import time
from collections.abc import Callable, Coroutine, Mapping
from datetime import timedelta
from typing import Any, TypeVar

import httpx
from telegram import Bot, InputFile
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    RetryAfter,
    TelegramError,
)
from telegram.request import BaseRequest, HTTPXRequest

from infra.configuration import TELEGRAM_API_URL
from infra.secrets import SecretUnavailable
from infra.telegram.errors import (
    NOT_MODIFIED,
    AnswerLost,
    Migrated,
    RetryLater,
    Unauthorized,
    UpdatesElsewhere,
    WireError,
    classify_refusal,
)

T = TypeVar("T")

# Without this setting, python-telegram-bot warns with every ``RetryAfter`` that ``retry_after`` has an old
# type.
os.environ.setdefault("PTB_TIMEDELTA", "true")

# httpx logs addresses, which contain the token; python-telegram-bot logs answers it cannot read.
for _name, _level in {"httpx": "WARNING", "httpcore": "WARNING", "telegram": "CRITICAL"}.items():
    logging.getLogger(_name).setLevel(_level)

#: Seconds to wait for a call's answer, unless the caller gives another number.
TIMEOUT = 8.0
_CONNECT_TIMEOUT = 3.0
_CONNECTIONS = 32
#: Seconds after which an idle connection is not used again. While Lambda freezes the process, Telegram may
#: close the connection. A call on it would fail, and nobody would know whether it was carried out.
_KEPT_ALIVE = 20.0
#: Seconds to wait after a 429 that gives no time.
_DEFAULT_RETRY = 5.0


class _RawBot(Bot):
    """A ``Bot`` whose calls return Telegram's own JSON.

    The typed methods would build objects that nobody reads, and ``do_api_request`` warns about every
    method that has a typed twin.
    """

    __slots__ = ()

    async def raw(self, method: str, params: dict[str, Any], seconds: float) -> Any:
        connect = min(seconds, _CONNECT_TIMEOUT)
        limits: dict[str, Any] = {"read_timeout": seconds, "write_timeout": seconds}
        return await self._post(method, params, **limits, connect_timeout=connect, pool_timeout=connect)


class Loop:
    """Runs coroutines one after another on the same loop.

    ``asyncio.run`` would close its loop each time, and the HTTP client's connections with it.
    """

    def __init__(self) -> None:
        self._runner: asyncio.Runner | None = None

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run to the end. Not for use inside a running loop."""
        if self._runner is None:
            # Made at the first use, not at the start. With SnapStart, Lambda takes a snapshot of the process
            # after the start, and the snapshot must not contain the loop's selector.
            self._runner = asyncio.Runner()
        return self._runner.run(coroutine)

    def close(self) -> None:
        """Close the loop; a later ``run`` opens a new one."""
        if self._runner is not None:
            self._runner.close()
            self._runner = None


class Gateway:
    """Calls Bot API methods and sorts failures into the few kinds in ``infra.telegram.errors``.

    Args:
        token: returns the bot's token; given True, it reads the token again (after a 401).
        api_url: the address of Telegram, or of a stand-in.
        request: the transport; by default one HTTP client for all calls.
        loop: the event loop for ``run``; by default the gateway makes one.
        clock: returns seconds; used to decide when idle connections are too old.
    """

    def __init__(
        self,
        token: Callable[[bool], str],
        api_url: str = TELEGRAM_API_URL,
        request: BaseRequest | None = None,
        *,
        loop: Loop | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._token = token
        self._api_url = api_url
        self._request = request
        self._loop = loop or Loop()
        self._clock = clock
        self._used = clock()
        self._calls = 0
        self._open = False
        self._bot: _RawBot | None = None

    def __repr__(self) -> str:
        return f"Gateway({self._api_url!r})"

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine that uses this gateway, from code that is not asynchronous."""
        return self._loop.run(coroutine)

    def close(self) -> None:
        """Close connections and loop; a later call opens new ones."""
        if self._request is not None and self._open:
            self._loop.run(self._request.shutdown())
            self._open = False
        self._loop.close()

    async def own_id(self) -> int:
        """Return the bot's own user id, which its token begins with."""
        return int((await self._prepare_bot()).token.partition(":")[0])

    async def call(
        self,
        method: str,
        params: Mapping[str, Any],
        files: Mapping[str, bytes] | None = None,
        *,
        wait: float | None = None,
    ) -> Any:
        """Call a method by its Bot API name. Parameters must be JSON values; None leaves a parameter out.

        Args:
            files: contents to upload, by the parameter or the ``attach://`` name that refers to them.
            wait: the most seconds for the whole call; ``TIMEOUT`` by default.

        Returns Telegram's ``result`` (a dictionary, a list, True). An edit that changes nothing: True.

        Raises RetryLater, Refused, Migrated, Unauthorized or AnswerLost: see ``infra.telegram.errors``.
        """
        arguments: dict[str, Any] = dict(params)
        for name, content in (files or {}).items():
            arguments[name] = InputFile(content, filename=f"{name}.png")
        seconds = TIMEOUT if wait is None else wait
        bot = await self._prepare_bot()
        self._calls += 1
        try:
            # The library's time-outs apply to each step of a request; this one covers all of it.
            async with asyncio.timeout(seconds):
                try:
                    return await bot.raw(method, dict(arguments), seconds)
                except InvalidToken:
                    return await self._renew_bot(bot).raw(method, dict(arguments), seconds)
        except TimeoutError:
            raise AnswerLost("TimeoutError") from None
        except InvalidToken:
            raise Unauthorized("Telegram does not take the token") from None
        except TelegramError as error:
            text = error.message.lower().removeprefix("forbidden: ").removeprefix("bad request: ")
            if isinstance(error, BadRequest) and NOT_MODIFIED in text:
                return True
            raise _translate_error(error, text) from None
        finally:
            self._calls -= 1
            self._used = self._clock()

    async def _prepare_bot(self) -> _RawBot:
        if self._request is None:
            self._request = _http_request(self._api_url)
        if self._open and not self._calls and self._clock() - self._used > _KEPT_ALIVE:
            await self._request.shutdown()
            self._open = False
        if not self._open:
            # Never use ``Bot.initialize``: it would ask Telegram who we are before the first answer.
            await self._request.initialize()
            self._open = True
        if self._bot is None:
            self._bot = self._with_token(fresh=False)
        return self._bot

    def _renew_bot(self, refused: _RawBot) -> _RawBot:
        # Several calls may be refused at once. The first reads the token again for all of them.
        if self._bot is None or self._bot is refused:
            self._bot = self._with_token(fresh=True)
        return self._bot

    def _with_token(self, *, fresh: bool) -> _RawBot:
        try:
            token = self._token(fresh)
        except SecretUnavailable:
            raise Unauthorized("the token cannot be read") from None
        return _RawBot(
            token, base_url=f"{self._api_url}/bot", request=self._request, get_updates_request=self._request
        )


def _http_request(api_url: str) -> HTTPXRequest:
    # The certificates are read once, so that opening the client again is cheap; plain HTTP needs none.
    verify: Any = httpx.create_ssl_context() if api_url.startswith("https:") else False
    limits = httpx.Limits(max_connections=_CONNECTIONS, keepalive_expiry=_KEPT_ALIVE)
    return HTTPXRequest(connection_pool_size=_CONNECTIONS, httpx_kwargs={"limits": limits, "verify": verify})


def _translate_error(error: TelegramError, text: str) -> WireError:
    match error:
        case RetryAfter():
            after = error.retry_after
            seconds = after.total_seconds() if isinstance(after, timedelta) else float(after)
            return RetryLater(seconds, flood=True)
        case Conflict():
            return UpdatesElsewhere()
        case ChatMigrated():
            return Migrated(error.new_chat_id)
        case Forbidden():
            return classify_refusal(text, forbidden=True)
        case BadRequest():  # it inherits from NetworkError, but repeating it would not help
            return classify_refusal(text, forbidden=False)
    if text.startswith("too many requests"):
        found = re.search(r"retry after (\d+)", text)
        return RetryLater(float(found[1]) if found else _DEFAULT_RETRY, flood=True)
    if text.startswith("request entity too large"):
        return classify_refusal(text, forbidden=False)
    if isinstance(error.__cause__, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout):
        return RetryLater(1.0)
    return AnswerLost(type(error.__cause__ or error).__name__)
