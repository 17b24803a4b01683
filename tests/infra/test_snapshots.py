"""Processes restored from one snapshot share no randomness, and had no open socket."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

#: A program that starts as in Lambda, then continues twice, as restored copies do.
SCRIPT = """
import gc, json, os, secrets, socket, sys, uuid

starting = ["now"]

def watched(draw):
    def call(*given, **named):
        assert not starting, "drawn at the start"
        return draw(*given, **named)
    return call

drawing = [(secrets, name) for name in ("token_hex", "token_bytes", "randbits", "choice")]
for module, name in (*drawing, (uuid, "uuid4"), (uuid, "uuid1")):
    setattr(module, name, watched(getattr(module, name)))
import handlers.setup, handlers.wakeup, handlers.webhook
starting.clear()
from handlers.service.build import shared

sockets = [one for one in gc.get_objects() if isinstance(one, socket.socket)]
kept = shared.cache_info().currsize
print(json.dumps([len(sockets), kept]), flush=True)
for _ in range(2):
    child = os.fork()
    if not child:
        from infra.store.items import new_owner
        built = shared()
        print(json.dumps([built.app.room_service.entropy(), new_owner()]), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""
ENVIRONMENT = {
    "TABLE_NAME": "rooms", "QUEUE_URL": "http://queue.invalid/rooms", "BOT_USERNAME": "some_bot",
    "BOT_TOKEN": "1234567890:" + "A" * 35, "WEBHOOK_SECRET": "secret",
    "AWS_DEFAULT_REGION": "eu-central-1", "AWS_LAMBDA_FUNCTION_NAME": "desk",
}  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_copies_of_a_fresh_start_draw_different_numbers() -> None:
    command, environment = [sys.executable, "-c", SCRIPT], {**os.environ, **ENVIRONMENT}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    (sockets, kept), one, other = (json.loads(line) for line in ran.stdout.splitlines())
    assert (sockets, kept) == (0, 0), "clients are made by the first request"
    assert set(one).isdisjoint(other)
    assert all(len(drawn) >= 8 for drawn in (*one, *other))
