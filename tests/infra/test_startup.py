"""A cold start: no garbage collection before the first answer, one AWS session, no needless imports."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys

import pytest

from infra import aws, startup

SCRIPT = """
import gc, importlib.util, json, sys
import handlers.webhook
from infra import startup
steps = [gc.isenabled(), gc.get_freeze_count()]
startup.note_answer()
steps += [gc.isenabled(), gc.get_freeze_count() > 10_000]
gc.unfreeze()
startup.note_answer()
steps.append(gc.get_freeze_count())
# The modules that answer a tap in a game are loaded now; most first answers need no others.
from bot.conversation.game import game_routes
needless = {
    "telegram.ext", "aws_lambda_powertools", "resvg_py", "openskill", "babel",
    "bot.conversation.lobby.lobby", "bot.conversation.lobby.sealing", "bot.display.lobby",
    "bot.conversation.private.commands", "bot.conversation.private.finished",
    "bot.conversation.refused", "handlers.service.upkeep",
    "bot.records.archive", "bot.records.leaderboard",
    "infra.store.archives",
}
found = sorted(needless & set(sys.modules))
assert all(importlib.util.find_spec(name) for name in needless), "one of them has another name now"
print(json.dumps([steps, found]))
"""


def in_a_process(**environment: str) -> tuple[list[object], list[str]]:
    """Return the script's output, from a separate process."""
    given = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**given, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    steps, needless = json.loads(ran.stdout)
    return steps, needless


def test_in_lambda_garbage_waits_for_the_first_answer() -> None:
    steps, needless = in_a_process(AWS_LAMBDA_FUNCTION_NAME="desk")
    assert steps == [False, 0, True, True, 0]
    assert needless == []


def test_elsewhere_the_garbage_collector_is_left_alone() -> None:
    steps, _ = in_a_process()
    assert steps == [True, 0, True, False, 0]
    startup.note_answer()
    assert gc.isenabled()


def test_all_clients_come_from_one_session() -> None:
    assert aws.session() is aws.session()


@pytest.mark.parametrize("service", ["dynamodb", "secretsmanager", "sqs"])
def test_clients_give_up_as_soon_as_they_are_told(service: str) -> None:
    client = aws.client(
        service,
        connect=1,
        read=2,
        tries=3,
        region_name="eu-central-1",
        aws_access_key_id="nobody",
        aws_secret_access_key="nothing",
    )
    config = client.meta.config
    assert (config.connect_timeout, config.read_timeout) == (1, 2)
    assert config.retries["total_max_attempts"] == 3
    client.close()
