"""The locks against each other: what ships, plays and builds are the versions that the tests run with."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def locked(name: str) -> dict[str, frozenset[str]]:
    """Return the hashes that a lock allows, by pin (``babel==2.18.0``, and where it holds)."""
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if re.match(r"[a-z0-9]", line)]
    return {line.split(" --hash")[0].strip(): frozenset(re.findall(r"--hash=(\S+)", line)) for line in lines}


@pytest.mark.parametrize("name", ["runtime.txt", "play.txt", "build.txt"])
def test_ships_plays_and_builds_are_locked_as_tested(name: str) -> None:
    tested = {pin.partition(" ;")[0]: hashes for pin, hashes in locked("dev.txt").items()}
    pins = {pin.partition(" ;")[0]: hashes for pin, hashes in locked(name).items()}
    assert pins
    assert all(pins.values()), "a pin without a hash"
    assert pins == {pin: tested.get(pin) for pin in pins}


def test_the_desk_plays_on_all_that_ships() -> None:
    assert locked("runtime.txt").keys() <= locked("play.txt").keys()
