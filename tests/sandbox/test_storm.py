"""Storms: a bot with a pace stays within Telegram's limits, and a worse pace is noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infra.outbox import outbox_sender
from infra.store import pace
from sandbox import measurements, storm
from sandbox.__main__ import main
from sandbox.storm import LEAST_WAITING, LOCKED, REFUSALS, TAKEN, Figures, StormFlood, measure
from sandbox.telegram.calls import Refusal

ROOMS, SECONDS = 60, 20


@pytest.fixture(scope="module", autouse=True)
def people_in_a_hurry() -> Iterator[None]:
    """Have everybody answer within six seconds, so that a few rooms are more than Telegram takes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storm, "THINKING", (1.0, 5.0))
        patch.setattr(storm, "LOOKING", 1.0)
        yield


@pytest.fixture(scope="module")
def paced(people_in_a_hurry: None) -> Figures:
    return measure(ROOMS, SECONDS, paced=True)


@pytest.fixture(scope="module")
def unpaced(people_in_a_hurry: None) -> Figures:
    return measure(ROOMS, SECONDS, paced=False)


def test_a_paced_bot_reaches_every_figure_in_a_small_storm(paced: Figures) -> None:
    assert paced.reached, paced
    assert paced.waiting > 300, "it is more than goes out at once"
    assert paced.rate is not None
    assert 25 <= paced.rate <= TAKEN
    assert paced.drained is not None
    assert 0 < paced.usual <= paced.late <= paced.longest <= paced.bound
    assert 0 < paced.wakeups <= 15


def test_what_was_sent_lies_between_what_must_and_what_can_be(paced: Figures) -> None:
    assert paced.drained is not None
    most = TAKEN + TAKEN * (SECONDS + paced.drained)
    assert ROOMS * storm.PLAYERS < paced.sent <= most, "ballots alone are one for each seat"


@pytest.mark.thorough
def test_the_same_storm_comes_to_the_same_figures(paced: Figures) -> None:
    assert measure(ROOMS, SECONDS, paced=True) == paced
    assert measure(ROOMS, SECONDS, paced=True, seed=2) != paced


@pytest.mark.thorough
def test_a_bot_without_pace_is_seen_to_be_locked_out(paced: Figures, unpaced: Figures) -> None:
    assert not unpaced.reached
    assert unpaced.refused > unpaced.sent
    assert unpaced.sent < paced.sent / 3
    assert unpaced.drained is None
    assert unpaced.usual > 5 * paced.usual


def _too_fast(patch: pytest.MonkeyPatch) -> None:
    """A pace of twice Telegram's limit."""
    honest = pace.Pace.__init__
    patch.setattr(pace.Pace, "__init__", lambda self, table, clock: honest(self, table, clock, 60.0))


def _too_slow(patch: pytest.MonkeyPatch) -> None:
    """A pace of half of Telegram's limit."""
    honest = pace.Pace.__init__
    patch.setattr(pace.Pace, "__init__", lambda self, table, clock: honest(self, table, clock, 14.0))


def _forgetful(patch: pytest.MonkeyPatch) -> None:
    """A pace that takes new slots each time instead of keeping the room's slots."""
    sender = outbox_sender.OutboxSender
    honest = sender._take_missing_slots
    patch.setattr(sender, "_take_missing_slots", lambda self, runs, *more: honest(self, [], *more))


@pytest.mark.detector
@pytest.mark.parametrize(("break_it", "noticed"), [
    (_too_fast, lambda found: found.refused > found.sent / 20),
    (_too_slow, lambda found: found.rate < 25),
    (_forgetful, lambda found: found.drained is None or found.rate < 25),
], ids=["twice too fast", "half too slow", "forgets its slots"])  # fmt: skip
def test_a_broken_pace_is_noticed(
    break_it: Callable[[pytest.MonkeyPatch], None],
    noticed: Callable[[Figures], bool],
    monkeypatch: pytest.MonkeyPatch,
    paced: Figures,
) -> None:
    break_it(monkeypatch)
    found = measure(ROOMS, SECONDS, paced=True)
    assert not found.reached
    assert noticed(found), found
    assert not noticed(paced)


class TestFigures:
    @pytest.mark.parametrize("worse", [
        {"rate": 24.9}, {"refused": 51}, {"wakeups": 15.1}, {"longest": 1.5 * 900 / 27 + 0.1},
        {"drained": None},
    ], ids=lambda worse: next(iter(worse)))  # fmt: skip
    def test_each_of_them_counts(self, worse: dict[str, Any]) -> None:
        good = Figures(400, 60, True, 1000, 50, 27.0, 15.0, 900, 5.0, 30.0, 50.0, 9)
        assert good.reached
        assert not replace(good, **worse).reached

    def test_a_drizzle_is_not_judged_and_may_wait_for_a_flush(self) -> None:
        drizzle = Figures(3, 60, True, 30, 0, None, 0.0, 5, 0.2, 0.3, 2.9, 0)
        assert (drizzle.judged, drizzle.bound, drizzle.reached) == (False, 3.0, True)
        assert replace(drizzle, waiting=LEAST_WAITING).judged


def takes(flood: StormFlood, chat: int, now: float, count: int = 1) -> int:
    """Return how many of ``count`` messages a chat takes now."""
    taken = 0
    for _ in range(count):
        with suppress(Refusal):
            flood.check(chat, now)
            flood.count(chat, now)
            taken += 1
    return taken


def test_telegram_takes_thirty_at_once_and_a_second() -> None:
    flood = StormFlood(100.0)
    assert takes(flood, 5, 100.0, TAKEN + 2) == TAKEN
    assert takes(flood, 6, 100.5, TAKEN) == TAKEN // 2
    assert (len(flood.sent), len(flood.refused)) == (45, 17)


def test_telegram_locks_out_for_longer_each_time() -> None:
    flood, now = StormFlood(100.0), 100.0
    for seconds in (LOCKED, 2 * LOCKED):
        takes(flood, 5, now, TAKEN + REFUSALS + 1)
        assert takes(flood, 6, now + seconds - 0.5) == 0
        now += seconds + 61
        assert takes(flood, 6, now) == 1


def test_a_storm_below_its_figures_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def made_up(order: list[Any], *_: Any, **__: Any) -> Iterator[tuple[Any, Figures]]:
        for rooms, seconds, paced in order:
            rate = 20.0 if rooms == 700 else 27.0
            figures = Figures(rooms, seconds, paced, 9000, 0, rate, 9.0, 900, 1, 6, 9, 9)
            yield (rooms, seconds, paced), figures

    path = tmp_path / "measurements.md"
    path.write_text("# Figures\n\n## Bundle\n\nkept\n\n## Storm\n\nold date\n\nThe method.\n\nold\n")
    monkeypatch.setattr(
        storm, "write", lambda title, lines, command: measurements.write(title, lines, command, path)
    )
    monkeypatch.setattr(storm, "play_in_processes", made_up)
    assert main(["storm", "--rooms", "400", "--before", "700"]) == 0
    said = capsys.readouterr().out
    for row in ("700 without a pace, 120 s", "400, 600 s"):
        assert f"| {row} | 9,000 |" in said
    text = path.read_text()
    assert text.startswith("# Figures\n\n## Bundle\n\nkept\n\n## Storm\n\n*")
    assert f"`make storm`*\n\nThe method.\n\n{said.strip()}\n" in text
    assert "old" not in text
    assert main(["storm", "--rooms", "400,700", "--before", "", "--dry"]) == 1
