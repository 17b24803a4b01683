"""The engine's bench measures what it says."""

import pytest

from engine import Setup
from sandbox.bench.engine import main, profile, share_of, shares, speed


def test_a_share_comes_with_its_interval() -> None:
    won = shares(Setup("classic@1", 5), 50)
    part, margin = share_of("liberal", won)
    assert part + share_of("fascist", won)[0] == pytest.approx(100)
    assert 5 < margin < 15


def test_the_speed_is_measured_against_a_loop_that_only_draws() -> None:
    measured = speed(seconds=0.1)
    assert measured.games > 0
    assert measured.answers > 50 * measured.games
    assert measured.times_the_minimal_loop > 1


def test_the_bench_commands_print_what_they_measured(capsys: pytest.CaptureFixture[str]) -> None:
    main(["speed", "--seconds", "0.05"])
    main(["shares", "--players", "7", "--games", "20"])
    printed = capsys.readouterr().out
    assert "answers per second: " in printed
    assert "7 players: Liberals " in printed
    assert "tottime" in profile(games=1)
    main(["profile", "--games", "1"])
    assert "function calls" in capsys.readouterr().out
