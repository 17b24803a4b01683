"""Carries updates to a real webhook by HTTP, several queues side by side, each strictly one at a time."""

from __future__ import annotations

import asyncio
import json

import aiohttp

from .core import Telegram
from .delivery import Json, Pending, Response

#: Seconds that Telegram waits for a webhook's reply.
REPLY_TIMEOUT = 60.0


class Courier:
    """The scheduler of webhook deliveries on one event loop.

    Time must be real: ``tg.clock`` is ``time.time``.
    """

    def __init__(self, tg: Telegram) -> None:
        self.tg = tg
        self._news = asyncio.Event()
        self._session: aiohttp.ClientSession | None = None
        self._loop_task: asyncio.Task[None] | None = None
        self._carrying: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Begin to carry."""
        timeout = aiohttp.ClientTimeout(total=REPLY_TIMEOUT)
        self._session = aiohttp.ClientSession(timeout=timeout)
        self._loop_task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Drop what is on its way (it counts as failed) and close the connections."""
        tasks = [task for task in (self._loop_task, *self._carrying) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._session is not None:
            await self._session.close()

    def wake(self) -> None:
        """Something is waiting, or a queue is free again (on the courier's own event loop)."""
        self._news.set()

    async def _run(self) -> None:
        while True:
            self._news.clear()
            webhook = self.tg.delivery.webhook
            wait: float | None = None
            if webhook is not None:
                for pending in self.tg.delivery.ready():
                    update, headers = self.tg.delivery.begin(pending)
                    task = asyncio.create_task(self._carry(pending, webhook.url, update, headers))
                    self._carrying.add(task)
                    task.add_done_callback(self._carried)
                moment = self.tg.delivery.next_at()
                if moment is not None and len(self._carrying) < webhook.max_connections:
                    wait = max(0.01, moment - self.tg.clock())
            try:
                await asyncio.wait_for(self._news.wait(), wait)
            except TimeoutError:
                continue

    def _carried(self, task: asyncio.Task[None]) -> None:
        self._carrying.discard(task)
        self._news.set()

    async def _carry(self, pending: Pending, url: str, update: Json, headers: dict[str, str]) -> None:
        assert self._session is not None
        response: Response | None = None
        try:
            body = json.dumps(update, ensure_ascii=False).encode()
            async with self._session.post(url, data=body, headers=headers) as reply:
                response = Response(reply.status, await reply.read(), dict(reply.headers))
        except (aiohttp.ClientError, TimeoutError):
            response = None
        finally:
            self.tg.delivery.finish(pending, response)
