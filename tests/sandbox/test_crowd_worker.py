"""A crowd's worker, seen from the parent's end of its pipe."""

import json
import signal
import threading
import time
from collections.abc import Iterator
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

import boto3
import pytest

from infra.store.rooms import Rooms
from local.invocation import webhook_event
from sandbox.crowd.worker import PACE, WAKEUP, WEBHOOK, WorkerSettings, crowd_clock, work
from sandbox.dynoxide import Dynoxide
from sandbox.harness import ENVIRONMENT, SECRET, TABLE
from sandbox.schema import create_table
from sandbox.telegram import Telegram
from sandbox.telegram.transport import serve
from tests.installed import dynoxide_running


@pytest.fixture
def table() -> Iterator[Dynoxide]:
    with dynoxide_running() as server:
        client = boto3.client("dynamodb", **server.client_arguments)
        create_table(client, TABLE)
        client.close()
        yield server


@pytest.fixture(autouse=True)
def interrupts() -> Iterator[None]:
    """Restore Ctrl-C, which a worker ignores, because here the worker runs in this process."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


class Parent(threading.Thread):
    """Give a worker one job after another, and pass its calls to Telegram."""

    def __init__(self, pipe: Connection, telegram: Telegram, jobs: list[tuple[Any, ...]]) -> None:
        super().__init__(daemon=True)
        self.pipe, self.telegram, self.jobs = pipe, telegram, jobs
        self.heard: list[tuple[Any, ...]] = []

    def run(self) -> None:
        """Run until the jobs are done."""
        while True:
            said = self.pipe.recv()
            self.heard.append(said)
            if said[0] == "call":
                self.pipe.send(("answer", said[1], serve(self.telegram, *said[2:])))
            elif said[0] in ("ready", "done"):
                if not self.jobs:
                    break
                self.pipe.send(self.jobs.pop(0))
        self.pipe.send(("answer", 99, (200, b"")))  # for no call: it is ignored
        self.pipe.close()


def employed(table: Dynoxide, telegram: Telegram, jobs: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return a worker's messages about these jobs."""
    ours, theirs = Pipe()
    parent = Parent(ours, telegram, jobs)
    parent.start()
    environment = {**ENVIRONMENT, "BOT_TOKEN": telegram.token}
    work(theirs, WorkerSettings(time.time(), environment, table.client_arguments))
    parent.join(10)
    theirs.close()
    return parent.heard


def test_a_worker_answers_an_update_and_counts_what_it_saved(table: Dynoxide) -> None:
    telegram = Telegram(time.time)
    telegram.call("setWebhook", {"url": "https://bot.invalid/", "secret_token": SECRET})
    anna = telegram.add_user("Anna", started=True)
    group = telegram.add_group("The Reichstag", [anna])
    telegram.send(anna, group, "/newgame")
    update, headers = telegram.delivery.begin(telegram.delivery.heads()[0])
    event = webhook_event(update, headers)
    heard = employed(table, telegram, [(WEBHOOK, event, 0.0), (WEBHOOK, event, 0.0), (WAKEUP, {}, 0.0)])
    done = [said[1:4] for said in heard if said[0] == "done"]
    assert done == [({"statusCode": 200}, 1, 0), ({"statusCode": 200}, 0, 0), ({}, 0, 0)]
    assert len(telegram.chat_view(group)) == 2, "the command, and the lobby once"


def test_an_invocation_that_fails_is_told_and_the_worker_goes_on(
    table: Dynoxide, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Rooms, "due", lambda self, until: 1 / 0)
    heard = employed(table, Telegram(time.time), [(WAKEUP, {}, 0.0), (WAKEUP, {"Records": []}, 0.0)])
    told = [said[1]["error"] for said in heard if said[0] == "log"]
    assert told == ["ZeroDivisionError"]
    assert [said[1] for said in heard if said[0] == "done"] == [None, {"batchItemFailures": []}]


def test_a_wakeup_that_comes_too_early_goes_back_to_the_queue(table: Dynoxide) -> None:
    body = json.dumps({"room": "room#-1", "at": time.time() + 500, "reason": "lease", "attempt": 0})
    event = {"Records": [{"messageId": "1", "body": body}]}
    heard = employed(table, Telegram(time.time), [(WAKEUP, event, 0.0)])
    (queued,) = [said for said in heard if said[0] == "queue"]
    assert 490 < queued[2] <= 501


def test_the_crowds_time_is_slow_and_leaps() -> None:
    began = time.time() - 100
    clock = crowd_clock(began)
    assert clock() == pytest.approx(began + 100 * PACE, abs=1)
    clock.leapt = 1000
    assert clock() == pytest.approx(began + 100 * PACE + 1000, abs=1)
