"""Rooms played at once by several processes, some of which are killed. The judge notices a broken bot."""

import argparse
import re
from dataclasses import replace

import pytest

from infra.store.items import Change, Conflict, RoomItem
from infra.store.rooms import Rooms
from sandbox import crowd
from sandbox.crowd import Played, RunSettings, play
from tests.installed import needs_dynoxide
from tests.system.mutants import MUTANTS

pytestmark = pytest.mark.timeout(300)
#: The most seconds of a run, for busy machines. Usually it takes a few.
SMALL = RunSettings(rooms=2, workers=3, seed=2, seconds=250)
KILLING = RunSettings(rooms=3, workers=3, seed=3, kill=150, seconds=250)


@pytest.fixture(scope="module")
def undisturbed() -> Played:
    needs_dynoxide()
    return play(SMALL)


def test_simultaneous_rooms_all_end_with_every_tap_once(undisturbed: Played) -> None:
    assert undisturbed.broken == []
    figures = undisturbed.figures
    ended = ("games that ended", "dealt as sealed", "killed", "messages doubled")
    assert [figures[name] for name in ended] == [2, 2, 0, 0]
    assert min(figures["taps that answer"], figures["steps of games"]) > 50
    assert min(figures[name] for name in ("updates repeated", "messages")) > 0
    assert figures["conflicts"] > 10, "people do get into each other's way"


def test_the_command_fails_by_what_was_broken(
    undisturbed: Played, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written: list[tuple[str, list[str], str]] = []
    monkeypatch.setattr(crowd, "play", lambda settings: undisturbed)
    monkeypatch.setattr(crowd, "write", lambda *given: written.append(given))
    parser = argparse.ArgumentParser()
    crowd.add_arguments(parser)
    options = parser.parse_args(["--rooms", "3", "--workers", "2", "--kill", "9", "--report"])
    assert crowd.run(options) == 0
    ((title, lines, command),) = written
    assert command == 'make crowd ARGS="--report --rooms 3 --workers 2 --kill 9 --seed 1"'
    assert title == "Crowd"
    assert lines[0] == "|  | undisturbed | processes killed |"
    assert "| games that ended | 2 | 2 |" in lines
    broken = replace(undisturbed, broken=["a tap is lost"])
    monkeypatch.setattr(crowd, "play", lambda settings: broken)
    assert crowd.run(options) == 1
    assert "a tap is lost" in capsys.readouterr().out


@pytest.mark.thorough
def test_killed_processes_lose_nothing_and_double_no_tap() -> None:
    needs_dynoxide()
    played = play(KILLING)
    assert played.broken == []
    assert played.figures["games that ended"] == 3
    assert played.figures["killed"] > 2


def ignores_the_version(patch: pytest.MonkeyPatch) -> None:
    """Let the later of two simultaneous writes replace the earlier one."""
    save = Rooms.save

    def over_others(self: Rooms, before: RoomItem, change: Change) -> RoomItem | Conflict:
        saved = save(self, before, change)
        while isinstance(saved, Conflict) and saved.item is not None:
            saved = save(self, replace(before, version=saved.item.version), change)
        return saved

    patch.setattr(Rooms, "save", over_others)


@pytest.mark.detector
@pytest.mark.parametrize(("mutant", "settings", "said"), [
    ("ignores_the_version", SMALL, "applied twice|no legal step|is lost"),
    ("forgets_update_ids", replace(SMALL, repeated=0.5), "applied twice"),
    ("takes_a_lost_race_for_won", SMALL, "is lost"),
    ("has_no_lease", SMALL, "doubled|could not be processed"),
    ("clears_before_it_sends", replace(SMALL, kill=50), "lost: "),
])  # fmt: skip
def test_a_bot_broken_on_purpose_is_noticed(
    mutant: str, settings: RunSettings, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_dynoxide()
    (MUTANTS | {"ignores_the_version": ignores_the_version})[mutant](monkeypatch)
    broken = play(settings).broken
    assert any(re.search(said, what) for what in broken), broken[:10]
