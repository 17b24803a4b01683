"""Whole games with minds on all seats: each ends, every answer is legal, and they claim as they go.

AI_GAMES=200 python -m pytest tests/ai/test_games.py    # of each ruleset × size × set of options
"""

import os
import random

import pytest

from engine import Chance, Setup, view
from sandbox.computer_games import NOVICE, RANDOM, SEASONED, play_computer_game
from sandbox.random_games import every_setup
from tests.engine.rulesets.games import planned

#: The number of games of each setup; 0: one each of a few cheap setups of every ruleset, with all options.
GAMES = int(os.environ.get("AI_GAMES", "0"))
SETUPS = list(every_setup())

#: Boards that a group may make, with features that no printed board has.
BOARDS = [Setup("red-dawn@1", 7, {}, planned())]


def few() -> list[Setup]:
    """Return the smallest table of each ruleset with every set of options, and a large one with all on."""
    found: list[Setup] = []
    for name in dict.fromkeys(setup.ruleset for setup in SETUPS):
        own = [setup for setup in SETUPS if setup.ruleset == name]
        least = min(setup.players for setup in own)
        found += [setup for setup in own if setup.players in (least, least + 1)]
        found.append(max(own, key=lambda setup: (setup.players, len(setup.options))))
    return found


def named(setup: Setup) -> str:
    options = "+".join(f"{name}={value}" for name, value in setup.options.items())
    return f"{setup.ruleset}-{setup.players}-{options or 'none'}{'-own-board' if setup.board else ''}"


@pytest.mark.timeout(0)
@pytest.mark.parametrize("setup", [*(SETUPS if GAMES else few()), *BOARDS], ids=named)
def test_every_game_of_minds_ends(setup: Setup) -> None:
    for number in range(max(1, GAMES)):
        rng = random.Random(f"{named(setup)}/{number}")
        levels = [rng.choice([SEASONED, SEASONED, NOVICE, RANDOM]) for _ in range(setup.players)]
        # If GAMES is 0, large tables have one seasoned seat, which still reads the whole game.
        if not GAMES and setup.players > 9:
            levels = [SEASONED] + [NOVICE] * (setup.players - 1)
        # An illegal answer raises Illegal.
        played = play_computer_game(setup, Chance(rng.randbytes(32).hex()), levels)
        seen = view(played.events, None)
        assert seen.table.winners
        assert all(0 <= claim.at <= len(seen.facts) for claim in played.claims)


def test_minds_claim_what_they_govern() -> None:
    played = play_computer_game(Setup("classic@1", 7), Chance("2a" * 32), [SEASONED] * 7)
    kinds = {claim.kind for claim in played.claims}
    assert {"president", "chancellor"} <= kinds
    assert len({(claim.seat, claim.round, claim.kind) for claim in played.claims}) == len(played.claims)


def test_the_same_game_is_played_the_same_way_again() -> None:
    setup, computers = Setup("red-dawn@1", 8), [SEASONED, NOVICE] * 4
    games = [play_computer_game(setup, Chance("2b" * 32), computers) for _ in range(2)]
    assert games[0].events == games[1].events
    assert games[0].claims == games[1].claims
