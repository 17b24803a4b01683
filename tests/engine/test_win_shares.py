"""Random play's winners: a check of the rules as a whole.

Measured elsewhere, over many games with ballots, choices and targets uniformly random: Liberals win
23.7, 23.8, 23.5, 23.8, 22.4 and 22.0 % at 5 to 10 players. A wrong rule moves these by several per cent,
most wrong rules at all sizes: so the sizes are compared together, too, which takes fewer games.
``ENGINE_GAMES=2000`` plays so many of each size, and the bands are narrower.
"""

import math
import os
import random
from collections import Counter
from functools import cache

import pytest

from engine import Setup, view
from sandbox.random_games import play_random_game

#: The percentage of games that Liberals win, by players.
LIBERALS = {5: 23.7, 6: 23.8, 7: 23.5, 8: 23.8, 9: 22.4, 10: 22.0}
GAMES = max(500, int(os.environ.get("ENGINE_GAMES", "0").partition(":")[0]))
REASONS = {"liberal-track", "fascist-track", "hitler-killed", "hitler-elected"}


def band(games: int) -> float:
    """Return four standard deviations of this many games, plus 0.5 % for the other figures' error."""
    return 4 * 42.5 / math.sqrt(games) + 0.5


@cache
def won(players: int) -> Counter[tuple[tuple[str, ...], str]]:
    """Return how often each side won, and why, at this size."""
    rng, setup = random.Random(players), Setup("classic@1", players)
    tables = [view(play_random_game(setup, rng)[1], None).table for _ in range(GAMES)]
    return Counter((table.winners or (), table.reason or "") for table in tables)


def liberals(games: Counter[tuple[tuple[str, ...], str]]) -> float:
    """Return the percentage of these games that Liberals won."""
    return 100 * sum(count for (winners, _), count in games.items() if "liberal" in winners) / games.total()


@pytest.mark.parametrize("players", LIBERALS)
@pytest.mark.quick("6")
def test_random_play_is_won_as_often_as_elsewhere(players: int) -> None:
    assert abs(liberals(won(players)) - LIBERALS[players]) < band(GAMES)


@pytest.mark.thorough
def test_random_play_at_all_sizes_matches_elsewhere() -> None:
    part = liberals(sum([won(players) for players in LIBERALS], Counter()))
    assert abs(part - sum(LIBERALS.values()) / len(LIBERALS)) < band(GAMES * len(LIBERALS))


@pytest.mark.parametrize("players", LIBERALS)
@pytest.mark.quick("6")
def test_random_play_ends_in_every_known_way(players: int) -> None:
    assert {reason for _, reason in won(players)} == REASONS
    assert all(winners == (_party(reason),) for winners, reason in won(players))


def _party(reason: str) -> str:
    return "liberal" if reason in ("liberal-track", "hitler-killed") else "fascist"
