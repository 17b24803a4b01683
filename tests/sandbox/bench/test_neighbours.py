"""Other tables do not notice neighbours who make trouble, and the benchmark would show it if they did."""

from __future__ import annotations

import pytest

from infra.outbox import plan
from sandbox.bench.neighbours import TROUBLES, Impact, forum, measure_impact

SECONDS = 120


@pytest.mark.thorough
def test_nobodys_acts_delay_another_table() -> None:
    found = measure_impact(TROUBLES["all of them"], SECONDS)
    assert found.reached, found
    assert found.messages > 40


def test_both_figures_count() -> None:
    assert Impact(9, 1.0, 3.0, 2.0, 100 * 1024).reached
    assert not Impact(9, 1.0, 3.0, 2.1, 100).reached
    assert not Impact(9, 1.0, 3.0, 2.0, 100 * 1024 + 1).reached


@pytest.mark.detector
def test_a_forum_that_uses_up_the_pace_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "was_paused_lately", lambda remembered, chat, now: False)
    assert not measure_impact([forum], 4 * SECONDS).reached
