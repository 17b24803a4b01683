"""Storms: a bot with a pace stays within Telegram's limits, and a worse pace is noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infra.outbox import outbox_sender
from infra.store import pace
from sandbox import measurements, processes, storm
from sandbox.__main__ import main
from sandbox.storm import simulation
from sandbox.storm.figures import LEAST_WAITING, Figures, measure
from sandbox.storm.report import section
from sandbox.storm.telegram import IN_A_GROUP, LOCKED, REFUSALS, TAKEN, StormTelegram
from sandbox.telegram import VirtualClock

ROOMS, SECONDS = 60, 20


@pytest.fixture(scope="module", autouse=True)
def people_in_a_hurry() -> Iterator[None]:
    """Have everybody answer within six seconds, so that a few rooms are more than Telegram takes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulation, "THINKING", (1.0, 6.0))
        yield


@pytest.fixture(scope="module")
def paced(people_in_a_hurry: None) -> Figures:
    return measure(ROOMS, SECONDS, limited=True)


@pytest.fixture(scope="module")
def unpaced(people_in_a_hurry: None) -> Figures:
    return measure(ROOMS, SECONDS, limited=False)


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
    assert ROOMS * simulation.PLAYERS < paced.sent <= most, "ballots alone are one for each seat"


@pytest.mark.thorough
def test_the_same_storm_comes_to_the_same_figures(paced: Figures) -> None:
    assert measure(ROOMS, SECONDS, limited=True) == paced
    assert measure(ROOMS, SECONDS, limited=True, seed=2) != paced


@pytest.mark.thorough
def test_limited_chats_hold_up_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "FULL", SECONDS / 2)
    monkeypatch.setattr(simulation, "SLOW", 5.0)
    found = measure(ROOMS, 3 * SECONDS, limited=True, chats=True)
    assert found.reached, found
    assert found.chats
    assert found.full > 2, "their limits are felt, in a group and in private"


def test_a_limited_chat_refuses_until_its_time() -> None:
    clock = VirtualClock()
    telegram = StormTelegram(clock, lambda person, answers: None)
    telegram.generous, telegram.slow, telegram.full = False, {-1: 30.0}, {5: clock() + 60}

    def taken(method: str, chat: int) -> bool:
        return telegram.answer(method, {"chat_id": chat})[0] == 200

    assert [taken("sendMessage", chat) for chat in (-1, -1, 5, 6)] == [True, False, False, True]
    assert taken("editMessageText", -1), "slow mode is for posts"
    clock.advance(31)
    assert [taken("sendMessage", chat) for chat in (-1, 5)] == [True, False]
    clock.advance(30)
    assert taken("sendMessage", 5)


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
    patch.setattr(outbox_sender, "slot_runs_of", lambda messages: [])


@pytest.mark.detector
@pytest.mark.parametrize(
    ("break_it", "noticed"),
    [
        (_too_fast, lambda found: found.refused > found.sent / 20),
        (_too_slow, lambda found: found.rate < 25),
        (_forgetful, lambda found: found.drained is None or found.rate < 25),
    ],
    ids=["twice too fast", "half too slow", "forgets its slots"],
)
def test_a_broken_pace_is_noticed(
    break_it: Callable[[pytest.MonkeyPatch], None],
    noticed: Callable[[Figures], bool],
    monkeypatch: pytest.MonkeyPatch,
    paced: Figures,
) -> None:
    break_it(monkeypatch)
    found = measure(ROOMS, SECONDS, limited=True)
    assert not found.reached
    assert noticed(found), found
    assert not noticed(paced)


class TestFigures:
    @pytest.mark.parametrize(
        "worse",
        [
            {"rate": 24.9},
            {"refused": 51},
            {"wakeups": 15.1},
            {"longest": 1.5 * 900 / 27 + 0.1},
            {"drained": None},
        ],
        ids=lambda worse: next(iter(worse)),
    )
    def test_each_of_them_counts(self, worse: dict[str, Any]) -> None:
        good = Figures(400, 60, True, 1000, 50, 27.0, 15.0, 900, 5.0, 30.0, 50.0, 9)
        assert good.reached
        assert not replace(good, **worse).reached

    def test_a_drizzle_is_not_judged_and_may_wait_for_a_flush(self) -> None:
        drizzle = Figures(3, 60, True, 30, 0, None, 0.0, 5, 0.2, 0.3, 2.9, 0)
        assert (drizzle.judged, drizzle.bound, drizzle.reached) == (False, 3.0, True)
        assert replace(drizzle, waiting=LEAST_WAITING).judged


class TestTelegram:
    @pytest.fixture
    def clock(self) -> VirtualClock:
        return VirtualClock()

    @pytest.fixture
    def telegram(self, clock: VirtualClock) -> StormTelegram:
        made = StormTelegram(clock, lambda person, answers: None)
        made.generous = False
        return made

    def sends(self, telegram: StormTelegram, chat: int, count: int = 1) -> list[int]:
        params = {"chat_id": chat, "text": "x"}
        return [telegram.answer("sendMessage", params)[0] for _ in range(count)]

    def test_takes_thirty_at_once_and_thirty_a_second(
        self, telegram: StormTelegram, clock: VirtualClock
    ) -> None:
        assert self.sends(telegram, 5, TAKEN + 2) == [200] * TAKEN + [429] * 2
        clock.advance(0.5)
        assert self.sends(telegram, 6, TAKEN // 2 + 1) == [200] * (TAKEN // 2) + [429]
        assert (len(telegram.sent), len(telegram.refused)) == (45, 3)

    def test_takes_twenty_a_minute_in_a_group(self, telegram: StormTelegram, clock: VirtualClock) -> None:
        assert self.sends(telegram, -5, IN_A_GROUP + 1) == [200] * IN_A_GROUP + [429]
        assert self.sends(telegram, -6) == [200], "another group has a minute of its own"
        clock.advance(60)
        assert self.sends(telegram, -5) == [200]

    def test_locks_out_who_keeps_knocking_and_for_longer_each_time(
        self, telegram: StormTelegram, clock: VirtualClock
    ) -> None:
        for seconds in (LOCKED, 2 * LOCKED):
            self.sends(telegram, 5, TAKEN + REFUSALS + 1)
            clock.advance(seconds - 0.5)
            assert self.sends(telegram, 6) == [429]
            clock.advance(61)
            assert self.sends(telegram, 6) == [200]

    def test_toasts_are_not_counted(self, telegram: StormTelegram) -> None:
        self.sends(telegram, 5, TAKEN)
        assert telegram.answer("answerCallbackQuery", {"callback_query_id": "1"})[0] == 200
        assert telegram.toasts == 1

    def test_a_prompt_says_only_what_can_be_answered(self, clock: VirtualClock) -> None:
        asked: list[tuple[int, list[str]]] = []
        telegram = StormTelegram(clock, lambda person, answers: asked.append((person, answers)))
        row = [{"callback_data": "answer|1|0"}, {"callback_data": "claim|1"}, {"url": "https://t.me/x"}]
        markup = {"inline_keyboard": [row]}
        telegram.answer("sendMessage", {"chat_id": 5, "text": "x", "reply_markup": markup})
        telegram.answer("sendMessage", {"chat_id": -5, "text": "x", "reply_markup": markup})
        telegram.answer("sendMessage", {"chat_id": 5, "text": "x"})
        assert asked == [(5, ["answer|1|0"])]


class TestTheCommand:
    @pytest.mark.thorough
    def test_storms_run_in_processes_of_their_own(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "measurements.md"
        monkeypatch.setattr(storm, "write", lambda told, command: measurements.write(told, command, path))
        few = ["storm", "--rooms", "3", "--before", "2", "--chats", "4", "--seconds", "12", "--jobs", "1"]
        assert main(few) == 0
        said = capsys.readouterr().out
        assert "| 2 without a pace, 120 s |" in said
        assert "| 3, 12 s |" in said
        assert "| 4 with limited chats, 12 s |" in said
        assert said.strip() in path.read_text()
        assert "`make storm`" in path.read_text()
        assert main([*few, "--dry"]) == 0

    def test_a_storm_below_its_figures_fails(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        asked: list[tuple[int, int, bool, bool]] = []

        def made_up(rooms: int, seconds: int, *, limited: bool, chats: bool) -> Figures:
            asked.append((rooms, seconds, limited, chats))
            slow = rooms == 700
            return Figures(rooms, seconds, limited, 9000, 0, 20.0 if slow else 27.0, 9.0, 900, 1, 6, 9, 9)

        class Here:
            def __init__(self, jobs: int, mp_context: object) -> None: ...

            def __enter__(self) -> Here:
                return self

            def __exit__(self, *error: object) -> None: ...

            map = staticmethod(map)

        monkeypatch.setattr(storm, "measure", made_up)
        monkeypatch.setattr(processes, "ProcessPoolExecutor", Here)
        assert main(["storm", "--rooms", "400", "--before", "700", "--chats", "300", "--dry"]) == 0
        paced = [(400, storm.SECONDS, True, False), (300, storm.SECONDS, True, True)]
        assert asked == [*paced, (700, storm.SHORT, False, False)]
        assert main(["storm", "--rooms", "400,700", "--before", "", "--chats", "", "--dry"]) == 1
        assert "The bot delays messages noticeably at all of these sizes." in capsys.readouterr().out


def test_the_report_says_what_one_bot_carries() -> None:
    calm = Figures(100, 600, True, 11750, 0, None, 3.4, 70, 0.2, 2.4, 2.5, 1)
    busy = Figures(250, 600, True, 15945, 2, 26.6, 13.0, 1143, 8.4, 38.3, 67.7, None)
    told = section([replace(calm, limited=False), calm, busy])
    assert told.title == "Storm"
    assert told.lines[2].startswith("| 100 without a pace, 600 s | 11,750 | – | 0 | 70 |")
    assert told.lines[3].endswith("| 3.5 s | 3.4 | 1 s | – |")
    assert told.lines[4].endswith("| 67.7 s | 64.5 s | 13.0 | never | no |")
    assert "**100 such games at once**" in told.lines[-1]
