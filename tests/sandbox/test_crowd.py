"""Rooms played at once by several processes, some of which are killed. The judge notices a broken bot."""

import argparse
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from sandbox import crowd, measurements
from sandbox.crowd import CrowdFigures, RunSettings, play
from sandbox.crowd.report import write_report
from tests.installed import needs_dynoxide
from tests.sandbox import broken_workers

pytestmark = pytest.mark.timeout(300)
#: The most seconds of a run, for busy machines. Usually it takes a few.
SMALL = RunSettings(rooms=3, workers=3, seed=2, seconds=250)
KILLING = RunSettings(rooms=3, workers=3, seed=3, kill=15, seconds=250)


@pytest.fixture(autouse=True)
def dynoxide() -> None:
    needs_dynoxide()


@pytest.fixture(scope="module")
def undisturbed() -> CrowdFigures:
    """Return the figures of a small run without kills."""
    needs_dynoxide()
    return play(SMALL)


def test_simultaneous_rooms_all_end_with_every_tap_once(undisturbed: CrowdFigures) -> None:
    verdict = undisturbed.verdict
    assert verdict.broken == []
    assert (verdict.rooms, verdict.ended, verdict.lost, verdict.doubled) == (3, 3, 0, 0)
    assert verdict.proven == 3, "each game was dealt from the round that was sealed"
    assert verdict.computers > 0
    assert verdict.twice > 0
    assert verdict.taps > verdict.answers > 0
    assert (undisturbed.messages > 0, undisturbed.lost_messages, undisturbed.doubled_messages) == (True, 0, 0)


def test_the_command_fails_by_what_was_broken(
    undisturbed: CrowdFigures, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs: list[RunSettings] = []
    written: list[str] = []

    def played(settings: RunSettings) -> CrowdFigures:
        runs.append(settings)
        return undisturbed

    monkeypatch.setattr(crowd, "play", played)
    monkeypatch.setattr(crowd, "write_report", lambda runs, command: written.append(command))
    parser = argparse.ArgumentParser()
    crowd.add_arguments(parser)
    options = parser.parse_args(["--rooms", "3", "--workers", "2", "--kill", "9", "--report"])
    assert crowd.run(options) == 0
    assert [(settings.rooms, settings.workers, settings.kill) for settings in runs] == [
        (3, 2, None),
        (3, 2, 9),
    ]
    assert written == ['make crowd ARGS="--report --rooms 3 --workers 2 --kill 9 --seed 1"']
    capsys.readouterr()

    broken = replace(undisturbed, verdict=replace(undisturbed.verdict, broken=["a tap is lost"]))
    monkeypatch.setattr(crowd, "play", lambda settings: broken)
    assert crowd.run(options) == 1
    assert "a tap is lost" in capsys.readouterr().out


def test_people_do_get_into_each_others_way(undisturbed: CrowdFigures) -> None:
    assert undisturbed.conflicts > 10
    assert undisturbed.killed == 0


@pytest.mark.thorough
def test_workers_that_are_killed_lose_nothing_and_double_no_tap() -> None:
    played = play(KILLING)
    assert played.verdict.broken == []
    assert (played.verdict.ended, played.verdict.lost, played.verdict.doubled) == (3, 0, 0)
    assert played.killed > 2


@pytest.mark.detector
@pytest.mark.parametrize(
    ("prepare", "settings", "said"),
    [
        (broken_workers.ignores_the_version, SMALL, "has not ended"),
        (broken_workers.forgets_update_ids, replace(SMALL, repeated=0.5), "applied twice"),
        (broken_workers.takes_a_lost_race_for_won, SMALL, "has not ended"),
        # Without a lease, two senders double a message, or one removes what the other still has to store.
        (broken_workers.has_no_lease, SMALL, "doubled|has not ended"),
        (broken_workers.clears_before_it_sends, replace(SMALL, kill=1), "messages: |has not ended"),
    ],
)
def test_a_bot_broken_on_purpose_is_noticed(
    prepare: Callable[[], None], settings: RunSettings, said: str
) -> None:
    # A bot that hangs takes all of its time. Other runs end within a tenth of it.
    broken = play(replace(settings, rooms=2, seconds=100), prepare).verdict.broken
    assert any(re.search(said, what) for what in broken), broken[:10]


def test_both_runs_become_a_section_of_the_measurements(
    undisturbed: CrowdFigures, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[measurements.Section] = []
    monkeypatch.setattr("sandbox.crowd.report.write", lambda section, command: written.append(section))
    write_report([undisturbed, undisturbed], "make crowd")
    (section,) = written
    assert section.title in measurements.ORDER
    assert "| games that ended | 3 | 3 |" in section.lines
