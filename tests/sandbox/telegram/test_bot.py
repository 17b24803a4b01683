"""The real python-telegram-bot plays the same scenes in process and over HTTP."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup
from telegram.constants import KeyboardButtonStyle, ParseMode
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, RetryAfter
from telegram.request import HTTPXRequest

from sandbox.telegram import FloodLimits, Telegram
from sandbox.telegram.transport import Server, StandinRequest

from .conftest import make_world, png

Stage = Callable[[Telegram], Any]


@asynccontextmanager
async def in_process(tg: Telegram) -> AsyncIterator[Bot]:
    request = StandinRequest(tg)
    yield Bot(tg.token, request=request, get_updates_request=request)


@asynccontextmanager
async def over_http(tg: Telegram) -> AsyncIterator[Bot]:
    request = HTTPXRequest()
    async with Server(tg) as server:
        try:
            yield Bot(tg.token, base_url=f"{server.url}/bot", request=request, get_updates_request=request)
        finally:
            await request.shutdown()


@pytest.fixture(params=[in_process, over_http])
def stage(request: pytest.FixtureRequest) -> Stage:
    return request.param


KEYS = InlineKeyboardMarkup([[
    InlineKeyboardButton("Ja", callback_data="1:ja", style=KeyboardButtonStyle.SUCCESS),
    InlineKeyboardButton("Nein", callback_data="1:nein", style=KeyboardButtonStyle.DANGER),
]])  # fmt: skip


def test_a_message_is_posted_edited_answered_and_deleted(stage: Stage, world: Any) -> None:
    tg, group = world.tg, world.group

    async def scene() -> None:
        async with stage(tg) as bot:
            sent = await bot.send_message(
                group.id,
                "Elect <b>Bob &amp; Cem</b>?",
                ParseMode.HTML,
                reply_markup=KEYS,
                protect_content=True,
            )
            assert sent.text == "Elect Bob & Cem?"
            assert sent.text_html == "Elect <b>Bob &amp; Cem</b>?"
            tap = tg.tap(world.bob, group.messages[sent.message_id], "1:ja")
            (update,) = await bot.get_updates(timeout=0)
            query = update.callback_query
            assert (query.id, query.data, query.from_user.id) == (tap.id, "1:ja", world.bob.id)
            await bot.answer_callback_query(query.id, "Ja it is", show_alert=True)
            await bot.edit_message_text("Bob is elected", group.id, sent.message_id)
            with pytest.raises(BadRequest, match=r"(?i)message is not modified"):
                await bot.edit_message_text("Bob is elected", group.id, sent.message_id)
            again = await bot.send_message(group.id, "Again")
            await bot.delete_message(group.id, again.message_id)

    asyncio.run(scene())
    (view,) = tg.chat_view(group)
    assert (view.text, view.protected, view.mine) == ("Bob is elected", True, True)
    (toast,) = tg.toasts(world.bob)
    assert (toast.text, toast.alert) == ("Ja it is", True)
    calls = ("sendMessage", "editMessageText", "answerCallbackQuery")
    assert [sum(call.ok for call in tg.journal.of(method)) for method in calls] == [2, 1, 1]
    assert [call.method for call in tg.journal if not call.ok] == ["editMessageText"]
    assert not tg.violations


def test_a_picture_is_uploaded_once_and_then_sent_by_its_file_id(stage: Stage, world: Any) -> None:
    tg, group = world.tg, world.group

    async def scene() -> None:
        async with stage(tg) as bot:
            sent = await bot.send_photo(group.id, png(400, 300), "<i>board</i>", parse_mode=ParseMode.HTML)
            assert [size.width for size in sent.photo] == [320, 400]
            file_id = sent.photo[-1].file_id
            again = await bot.send_photo(group.id, file_id, has_spoiler=True, reply_markup=KEYS)
            assert again.has_media_spoiler
            await bot.edit_message_caption(group.id, again.message_id, caption="now with words")
            with pytest.raises(BadRequest, match=r"(?i)there is no text in the message"):
                await bot.edit_message_text("x", group.id, sent.message_id)

    asyncio.run(scene())
    views = tg.chat_view(group)
    assert [view.photo.data for view in views] == [png(400, 300), png(400, 300)]
    assert [view.text for view in views] == ["board", "now with words"]
    assert views[1].spoiler
    sent = [sum(call.ok for call in tg.journal.of(method)) for method in ("sendPhoto", "editMessageCaption")]
    assert sent == [2, 1]
    assert [bool(call.files) for call in tg.journal.of("sendPhoto")] == [True, False]
    assert not tg.violations


def test_errors_arrive_as_the_library_names_them(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")
    world = make_world(time.time, limits=FloodLimits(per_group_minute=None, per_chat_second=1))
    tg = world.tg
    old = tg.add_group("Old", [world.ann], type="group")
    new = tg.migrate(old)

    async def scene() -> None:
        async with stage(tg) as bot:
            with pytest.raises(Forbidden, match=r"(?i)can't initiate conversation"):
                await bot.send_message(world.ann.id, "x")
            with pytest.raises(ChatMigrated) as moved:
                await bot.send_message(old.id, "x")
            assert moved.value.new_chat_id == new.id
            await bot.send_message(world.group.id, "x")
            with pytest.raises(RetryAfter) as wait:
                await bot.send_message(world.group.id, "y")
            assert wait.value.retry_after == timedelta(seconds=1)
            bot._token, bot._base_url = "1:wrong", bot._base_url.replace(tg.token, "1:wrong")
            with pytest.raises(InvalidToken):
                await bot.send_message(world.group.id, "z")

    asyncio.run(scene())
