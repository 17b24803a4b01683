"""A cold start: no garbage collection before the first answer, one AWS session, no needless imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys

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
# Most first answers do not need these.
needless = {
    "telegram.ext", "aws_lambda_powertools", "resvg_py", "openskill", "babel", "ai", "bot.display.pictures",
}
found = sorted(needless & set(sys.modules))
assert all(importlib.util.find_spec(name) for name in needless), "one of them has another name now"
print(json.dumps([steps, found]))
"""


def test_in_lambda_garbage_waits_for_the_first_answer() -> None:
    given = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment = {**given, "AWS_LAMBDA_FUNCTION_NAME": "desk"}
    command = [sys.executable, "-c", SCRIPT]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    steps, needless = json.loads(ran.stdout)
    assert steps == [False, 0, True, True, 0]
    assert needless == []
