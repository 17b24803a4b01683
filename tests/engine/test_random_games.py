"""Whole random games of every ruleset, size and set of options: see ``soak`` for what is checked.

``ENGINE_GAMES=2000 pytest tests/engine/test_random_games.py`` plays more of them (200 by default), and
``ENGINE_GAMES=4000:6000`` a range of numbered games, so that a long soak can go on where it stopped.
"""

import os
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import KNOWN, Illegal, Setup, board_of, fold, ruleset
from engine.custom import problems
from engine.ruleset import Ruleset
from engine.setups import fits, option_sets
from sandbox.random_games import every_setup, play_random_game
from tests.engine import soak
from tests.engine.builders import tiles_of

WANTED, _, UP_TO = os.environ.get("ENGINE_GAMES", "200").partition(":")
#: The number of games that Hypothesis makes for each ruleset, and the numbered games.
EACH = 1 if UP_TO else max(1, round(int(WANTED) / len(KNOWN)))
NUMBERED = range(int(WANTED), int(UP_TO)) if UP_TO else range(20)
ALL_OF_THEM = settings(
    max_examples=EACH, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


@st.composite
def setups(draw: Any, rules: Ruleset) -> Setup:
    """Draw any setup of a ruleset: every option with any value that fits with the others."""
    setup = Setup(rules.id, draw(st.sampled_from(list(rules.players))))
    for name, choice in rules.options.items():
        value = draw(st.sampled_from(choice.values))
        chosen = replace(setup, options={**setup.options, name: value})
        setup = chosen if fits(chosen) else setup
    return setup


@pytest.mark.rule("R6.9")
@pytest.mark.timeout(0)
@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
def test_any_game_keeps_its_tiles_its_secrets_and_its_end(rules: Ruleset) -> None:
    @ALL_OF_THEM
    @given(setups(rules), st.integers(0, 2**64 - 1))
    def any_game(setup: Setup, seed: int) -> None:
        soak.check_game(setup, seed)

    any_game()


@st.composite
def boards(draw: Any, rules: Ruleset) -> Setup:
    """Draw a custom board: any tracks with any powers of the ruleset, any deck, any thresholds."""
    setup = draw(setups(rules))
    rng = random.Random(draw(st.integers(0, 2**64 - 1)))
    base = board_of(setup)
    while True:
        slots = [None, *rules.powers]
        tracks = {colour: (*rng.choices(slots, k=rng.randrange(1, 7)), None) for colour in base.tracks}
        board = replace(
            base,
            tracks=tracks,
            deck={**base.deck, **{colour: rng.randrange(3, 15) for colour in tracks}},
            hitler_knows=rng.random() < 0.5,
            communists_know=rng.random() < 0.5,
            zone=rng.randrange(1, 7),
            veto=rng.randrange(1, 7),
            chaos=rng.randrange(1, 5),
            few=rng.randrange(1, 9),
        )
        if not problems(rules, board, setup.players):
            return replace(setup, board=board)


@pytest.mark.timeout(0)
@pytest.mark.rule("R6.1", "R6.9")
@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
@pytest.mark.quick("xl")
def test_any_game_on_a_board_of_ones_own_holds_as_well(rules: Ruleset) -> None:
    @ALL_OF_THEM
    @given(boards(rules), st.integers(0, 2**64 - 1))
    def any_game(setup: Setup, seed: int) -> None:
        soak.check_game(setup, seed)

    any_game()


@pytest.mark.timeout(0)
def test_numbered_games_can_be_played_in_ranges() -> None:
    for number in NUMBERED:
        soak.check_game(soak.numbered(number), number)
    assert soak.numbered(0) == Setup(KNOWN[0].id, min(KNOWN[0].players))


@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
@pytest.mark.quick("red-dawn")
def test_every_setup_that_a_lobby_offers_plays_to_its_end(rules: Ruleset) -> None:
    for number, setup in enumerate(every_setup((rules,))):
        assert soak.check_game(setup, number).game is not None


@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
def test_what_does_not_fit_is_not_offered(rules: Ruleset) -> None:
    for players in rules.players:
        for options in option_sets(rules, players).values():
            ruleset(rules.id).check(Setup(rules.id, players, options))
    for players in (min(rules.players) - 1, max(rules.players) + 1):
        with pytest.raises(Illegal):
            rules.check(Setup(rules.id, players))


def test_the_checks_find_a_tile_that_came_from_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = tiles_of
    monkeypatch.setattr("tests.engine.soak.tiles_of", lambda table: counted(table) + counted(table))
    with pytest.raises(AssertionError, match="tile"):
        soak.check_game(Setup("classic@1", 7), 1)


def test_the_checks_find_a_table_that_the_facts_do_not_make(monkeypatch: pytest.MonkeyPatch) -> None:
    real = fold
    monkeypatch.setattr("tests.engine.soak.fold", lambda facts, onto=None: real(list(facts)[:-1], onto))
    with pytest.raises(AssertionError, match="fold"):
        soak.check_game(Setup("classic@1", 7), 1)


def test_the_checks_find_a_game_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.facts.Voted.fold", lambda fact, table: setattr(table, "elections", 31))
    with pytest.raises(AssertionError):
        soak.check_game(Setup("classic@1", 7), 1)


def test_random_play_answers_every_question_once() -> None:
    game, events, answers = play_random_game(Setup("classic@1", 5), random.Random(1))
    assert game.question is None
    assert game.table.winners
    assert answers > game.asked > 0
    assert fold(event.fact for event in events) == game.table
