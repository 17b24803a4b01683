"""The engine's benchmark measures what it says."""

from sandbox.bench.engine import profile, speed


def test_the_speed_is_measured_against_a_loop_that_only_draws() -> None:
    measured = speed(seconds=0.1)
    assert measured.games > 0
    assert measured.answers > 50 * measured.games
    assert measured.times_the_minimal_loop > 1


def test_where_the_time_goes_is_told_by_function() -> None:
    told = profile(games=1)
    assert "tottime" in told
    assert "function calls" in told
