"""Fixtures: a Telegram with virtual time, a group of three people and our bot."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from sandbox.telegram import Chat, FloodLimits, Telegram, User, VirtualClock


@dataclass
class World:
    tg: Telegram
    clock: VirtualClock
    ann: User
    bob: User
    cem: User
    group: Chat

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        return self.tg.call(method, params)

    def ok(self, method: str, **params: Any) -> Any:
        answer = self.call(method, **params)
        assert answer["ok"], answer
        return answer["result"]

    def refused(self, method: str, **params: Any) -> tuple[int, str]:
        answer = self.call(method, **params)
        assert not answer["ok"], answer
        return answer["error_code"], answer["description"]

    def say(self, text: str = "Guten Abend", **params: Any) -> Any:
        sent = self.ok("sendMessage", chat_id=self.group.id, text=text, **params)
        return self.group.messages[sent["message_id"]]


def make_world(
    clock: Callable[[], float] | None = None, *, validated: bool = True, limits: FloodLimits | None = None
) -> World:
    virtual = VirtualClock()
    tg = Telegram(clock or virtual, validated=validated)
    tg.flood.limits = limits
    ann, bob, cem = tg.add_user("Ann", language_code="en"), tg.add_user("Bob"), tg.add_user("Cem")
    return World(tg, virtual, ann, bob, cem, tg.add_group("The Chancellery", [ann, bob, cem]))


@pytest.fixture
def world() -> World:
    return make_world()


def keyboard(*rows: list[tuple[str, str]]) -> dict[str, Any]:
    buttons = [[{"text": text, "callback_data": data} for text, data in row] for row in rows]
    return {"inline_keyboard": buttons}


def png(width: int = 4, height: int = 3, shade: int = 0) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + bytes([shade]) * width) * height
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts
