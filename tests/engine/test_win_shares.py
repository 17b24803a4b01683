"""Who wins when everybody plays at random: a check of the rules as a whole.

Measured elsewhere, over many games with ballots, choices and targets uniformly random: Liberals win
23.7, 23.8, 23.5, 23.8, 22.4 and 22.0 % at 5 to 10 players. A wrong rule moves these by several per cent.
More games by hand: ``python -m sandbox.bench.engine shares --games 20000``.
"""

import pytest

from engine import Setup
from sandbox.bench.engine import share_of, shares

#: Per cent of games that Liberals win, by players.
LIBERALS = {5: 23.7, 6: 23.8, 7: 23.5, 8: 23.8, 9: 22.4, 10: 22.0}
#: Four standard deviations of 2,000 games, and half a per cent for the other measurement's own error.
BAND = 4 * 0.95 + 0.5


@pytest.mark.parametrize("players", LIBERALS)
def test_random_play_is_won_as_often_as_elsewhere(players: int) -> None:
    won = shares(Setup("classic@1", players), 2_000, seed=players)
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
