"""`python -m local` as a process: killed in the middle of a game, started again, played on."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from sandbox.telegram import User

from .telegram_thread import ServedGroup

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def running(environment: dict[str, str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run the command, and kill it without warning at the end of the block if it still runs.

    It starts deaf to Ctrl-C, like a shell's background processes. It runs without coverage, because a signal
    may leave coverage's lock taken, and then the process would hang.
    """
    deaf = ("sh", "-c", 'trap "" INT; exec "$@"', "sh")
    command = [*deaf, sys.executable, "-m", "local", "--folder", str(folder)]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_PROCESS")}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**inherited, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert "listens" in process.stdout.readline()
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def play(people: ServedGroup, tapped: set[tuple[int, str]], rounds: int | None = None) -> None:
    """Press the first button of each prompt, until the end or for this many prompts."""
    done = 0
    while not over(people) and (rounds is None or done < rounds):
        people.until(lambda: people.prompts(tapped) or over(people))
        for user, message, choice in people.prompts(tapped):
            people.tap(user, message, choice)
            tapped.add((user.id, choice))
            done += 1


def over(people: ServedGroup) -> bool:
    return re.search("🏁 .* wins?!", people.texts()) is not None


def is_seated(people: ServedGroup, user: User) -> bool:
    return user.first_name in people.lobby().text


@pytest.mark.thorough
def test_a_game_survives_a_kill(people: ServedGroup, environment: dict[str, str], tmp_path: Path) -> None:
    tapped: set[tuple[int, str]] = set()
    with running(environment, tmp_path) as process:
        people.say(people.people[0], "/newgame")
        people.until(lambda: "who is in" in people.texts())
        for user in people.people:
            people.press(user, people.lobby(), "join")
            people.until(partial(is_seated, people, user))
        people.press(people.people[0], people.lobby(), "start")
        play(people, tapped, rounds=8)
        process.send_signal(signal.SIGKILL)
    with running(environment, tmp_path) as process:
        play(people, tapped, rounds=8)
        process.send_signal(signal.SIGTERM)
        # At once, except after a call that does not notice; the longest one is a poll of 25 seconds.
        assert process.wait(60) == 0
        assert process.stdout is not None
        # Calls in progress are given up in order. (If the signal comes in a weak reference's callback, Python
        # prints and drops it, and the loop ends after its step. asyncio may say that it came between two.)
        dropped = r"(?s)Exception ignored in: <function WeakSet.*?KeyboardInterrupt"
        told = re.sub(dropped, "", process.stdout.read())
        assert not re.search("never retrieved|was destroyed|Exception ignored", told)
    assert people.telegram.violations == []
