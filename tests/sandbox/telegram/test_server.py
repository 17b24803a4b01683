"""Over HTTP: long polling, forms of every kind."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import aiohttp

from sandbox.telegram.transport import Server

from .conftest import make_world, png


def test_a_long_poll_ends_on_news_or_time() -> None:
    world = make_world(time.time)

    async def scene() -> tuple[list[Any], float, list[Any], float]:
        async with Server(world.tg) as server, aiohttp.ClientSession() as session:
            url = f"{server.url}/bot{world.tg.token}/getUpdates"

            async def poll(patience: int, offset: int) -> tuple[list[Any], float]:
                start = time.monotonic()
                async with session.post(url, data={"timeout": patience, "offset": offset}) as response:
                    return (await response.json())["result"], time.monotonic() - start

            polling = asyncio.create_task(poll(20, 0))
            await asyncio.sleep(0.1)
            world.tg.send(world.ann, world.group, "/now")
            told, waited = await polling
            empty, patience = await poll(1, told[-1]["update_id"] + 1)
            return told, waited, empty, patience

    told, waited, empty, patience = asyncio.run(scene())
    assert told[0]["message"]["text"] == "/now"
    assert waited < 5
    assert empty == []
    assert patience >= 0.9
    assert len(world.tg.journal.of("getUpdates")) == 2


def test_a_call_may_come_as_a_form_with_or_without_files() -> None:
    world = make_world(time.time)
    keys = {"inline_keyboard": [[{"text": "Ja", "callback_data": "j"}]]}
    fields = {"chat_id": str(world.group.id), "text": "x", "reply_markup": json.dumps(keys)}

    async def scene() -> list[int]:
        async with Server(world.tg) as server, aiohttp.ClientSession() as session:
            base = f"{server.url}/bot{world.tg.token}"
            form = aiohttp.FormData({"chat_id": fields["chat_id"]})
            form.add_field("photo", png(), filename="board.png")
            statuses = []
            for sent in (
                session.post(f"{base}/sendMessage", data=fields),
                session.post(f"{base}/sendmessage", data=fields),
                session.post(f"{base}/sendPhoto", data=form),
                session.post(f"{server.url}/bot1:wrong/getMe"),
            ):
                async with sent as response:
                    statuses.append(response.status)
            return statuses

    assert asyncio.run(scene()) == [200, 200, 200, 401]
    views = world.tg.chat_view(world.group)
    assert [view.labels() for view in views] == [["Ja"]] * 2 + [[]]
    photo = views[-1].photo
    assert photo is not None
    assert photo.data == png()
