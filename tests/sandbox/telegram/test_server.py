"""Over HTTP: real webhook delivery, long polling, forms of every kind."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from aiohttp import web

from sandbox.telegram import SECRET_HEADER
from sandbox.telegram.server import Server

Answer = Callable[[web.Request], Awaitable[web.Response]]


@asynccontextmanager
async def webhook(answer: Answer) -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_post("/hook", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    finally:
        await runner.cleanup()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - nothing tells us
            await asyncio.sleep(0.005)


def test_updates_reach_the_webhook_with_the_secret_and_the_reply_is_carried_out(
    build: Any, keyboard: Any
) -> None:
    world = build(time.time)
    seen: list[tuple[str | None, dict[str, Any]]] = []

    async def hook(request: web.Request) -> web.Response:
        update = await request.json()
        seen.append((request.headers.get(SECRET_HEADER), update))
        if "callback_query" not in update:
            return web.Response()
        query_id = update["callback_query"]["id"]
        return web.json_response(
            {"method": "answerCallbackQuery", "callback_query_id": query_id, "text": "Ja"}
        )

    async def scene() -> None:
        async with webhook(hook) as url, Server(world.tg):
            world.ok("setWebhook", url=url, secret_token="s3cret")
            world.tg.send(world.ann, world.group, "/newgame ü")
            world.tg.tap(world.bob, world.say(reply_markup=keyboard([("Ja", "j")])), "j")
            await until(lambda: bool(world.tg.toasts(world.bob)))

    asyncio.run(scene())
    assert [secret for secret, _ in seen] == ["s3cret", "s3cret"]
    assert seen[0][1]["message"]["text"] == "/newgame ü"
    assert world.tg.delivery.pending() == []


def test_different_players_taps_arrive_side_by_side_and_one_players_in_turn(
    build: Any, keyboard: Any
) -> None:
    world = build(time.time)
    inside: list[int] = []
    together: list[list[int]] = []

    async def hook(request: web.Request) -> web.Response:
        user = (await request.json())["callback_query"]["from"]["id"]
        inside.append(user)
        await asyncio.sleep(0.1)
        together.append(sorted(inside))
        inside.remove(user)
        return web.Response()

    async def scene() -> None:
        async with webhook(hook) as url, Server(world.tg):
            world.ok("setWebhook", url=url)
            message = world.say(reply_markup=keyboard([("Ja", "j")]))
            for user in (world.ann, world.ann, world.bob, world.cem):
                world.tg.tap(user, message, "j")
            await until(lambda: world.tg.delivery.delivered == 4)

    asyncio.run(scene())
    assert together[0] == sorted(user.id for user in (world.ann, world.bob, world.cem))
    assert together[-1] == [world.ann.id]


def test_a_refused_update_is_sent_again(build: Any) -> None:
    world = build(time.time)
    tries: list[str] = []

    async def hook(request: web.Request) -> web.Response:
        tries.append((await request.json())["message"]["text"])
        return web.Response(status=503 if len(tries) == 1 else 200)

    async def scene() -> None:
        async with webhook(hook) as url, Server(world.tg):
            world.ok("setWebhook", url=url)
            world.tg.send(world.ann, world.group, "/one")
            world.tg.send(world.ann, world.group, "/two")
            await until(lambda: world.tg.delivery.delivered == 2)

    asyncio.run(scene())
    assert tries == ["/one", "/one", "/two"]
    assert world.ok("getWebhookInfo")["last_error_message"] == "Wrong response from the webhook: 503"


def test_a_long_poll_ends_when_something_happens_or_its_time_is_over(build: Any) -> None:
    world = build(time.time)

    async def scene() -> tuple[list[Any], float, list[Any], float]:
        async with Server(world.tg) as server, aiohttp.ClientSession() as session:
            url = f"{server.url}/bot{world.tg.token}/getUpdates"

            async def poll(patience: int, offset: int) -> tuple[list[Any], float]:
                start = time.monotonic()
                async with session.post(url, json={"timeout": patience, "offset": offset}) as response:
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


def test_the_same_call_may_come_as_json_form_query_or_multipart(build: Any, png: Any) -> None:
    world = build(time.time)
    keys = {"inline_keyboard": [[{"text": "Ja", "callback_data": "j"}]]}
    fields = {"chat_id": str(world.group.id), "text": "x", "reply_markup": json.dumps(keys)}

    async def scene() -> list[int]:
        async with Server(world.tg) as server, aiohttp.ClientSession() as session:
            base = f"{server.url}/bot{world.tg.token}"
            form = aiohttp.FormData({"chat_id": fields["chat_id"]})
            form.add_field("photo", png(), filename="board.png")
            statuses = []
            for sent in (
                session.post(f"{base}/sendMessage", json=fields | {"reply_markup": keys}),
                session.post(f"{base}/sendmessage", data=fields),
                session.get(f"{base}/sendMessage", params=fields),
                session.post(f"{base}/sendPhoto", data=form),
                session.post(f"{base}/sendMessage", data=b"{", headers={"Content-Type": "application/json"}),
                session.post(f"{server.url}/bot1:wrong/getMe"),
            ):
                async with sent as response:
                    statuses.append(response.status)
            return statuses

    assert asyncio.run(scene()) == [200, 200, 200, 200, 400, 401]
    views = world.tg.chat_view(world.group)
    assert [view.labels() for view in views] == [["Ja"]] * 3 + [[]]
    assert views[-1].photo == png()


def test_a_picture_may_come_in_pieces_of_any_size(build: Any, png: Any) -> None:
    world = build(time.time)
    picture = png() + bytes(40_000)
    mark = b"--between"
    field = b'\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
    file = field.replace(b"%s", b'photo"; filename="board.png', 1)
    body = b"".join(
        (mark, field % (b"chat_id", str(world.group.id).encode()), mark, file % picture, mark, b"--\r\n")
    )
    inside = body.index(picture) + 5_000

    async def scene() -> bytes:
        async with Server(world.tg) as server:
            port = int(server.url.rsplit(":", 1)[1])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            head = (
                f"POST /bot{world.tg.token}/sendPhoto HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"
                f"Content-Type: multipart/form-data; boundary=between\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            # Fewer bytes than a boundary has: aiohttp reads on, gets too many and puts some back.
            for piece in (head.encode() + body[:inside], body[inside : inside + 3], body[inside + 3 :]):
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.1)
            answer = await reader.read()
            writer.close()
            await writer.wait_closed()
            return answer

    assert asyncio.run(scene()).startswith(b"HTTP/1.1 200")
    assert world.tg.chat_view(world.group)[-1].photo == picture


def test_a_fault_can_cut_the_line(build: Any) -> None:
    world = build(time.time)

    def cut(call: Any) -> None:
        raise ConnectionResetError

    world.tg.before_call.append(cut)

    async def scene() -> bool:
        async with Server(world.tg) as server, aiohttp.ClientSession() as session:
            try:
                async with session.post(f"{server.url}/bot{world.tg.token}/getMe"):
                    return False
            except aiohttp.ClientError:
                return True

    assert asyncio.run(scene())
