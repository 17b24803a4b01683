"""The engine's benchmark measures what it says."""

from sandbox.bench.engine import profile, speed


def test_the_speed_is_measured_against_a_loop_that_only_draws() -> None:
    answers, games, ratio = speed(seconds=0.1)
    assert answers > 50 * games > 0
    assert ratio > 1


def test_where_the_time_goes_is_told_by_function() -> None:
    told = profile(games=1)
    assert "tottime" in told
    assert "function calls" in told
