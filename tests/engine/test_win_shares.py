"""Who wins when everybody plays at random: a check of the rules as a whole.

Measured elsewhere, over many games with ballots, choices and targets uniformly random: Liberals win
23.7, 23.8, 23.5, 23.8, 22.4 and 22.0 % at 5 to 10 players. A wrong rule moves these by several per cent.
More games by hand: ``python -m sandbox.bench.engine shares --games 20000``.
"""

import pytest

from engine import Setup
from sandbox.bench.engine import main, profile, share_of, shares, speed

#: Per cent of games that Liberals win, by players.
LIBERALS = {5: 23.7, 6: 23.8, 7: 23.5, 8: 23.8, 9: 22.4, 10: 22.0}
#: Four standard deviations of 1,000 games, and half a per cent for the other measurement's own error.
BAND = 4 * 1.35 + 0.5


@pytest.mark.parametrize("players", LIBERALS)
def test_random_play_is_won_as_often_as_elsewhere(players: int) -> None:
    won = shares(Setup("classic@1", players), 1_000, seed=players)
    part, _ = share_of("liberal", won)
    assert abs(part - LIBERALS[players]) < BAND
    assert {reason for _, reason in won} == {
        "liberal-track",
        "fascist-track",
        "hitler-killed",
        "hitler-elected",
    }
    assert all(winners == (_party(reason),) for winners, reason in won)


def _party(reason: str) -> str:
    return "liberal" if reason in ("liberal-track", "hitler-killed") else "fascist"


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
