"""An archived game is dealt again from its proof and answered as its log says."""

import random

import pytest

from ai.explain import from_plain, play_again
from bot.records.archive import ReplayableGame
from bot.rooms.sealing import Proof
from engine import Chance, Event, Reply, Setup, answer, start, time_out, view
from engine.events import NOBODY
from engine.facts import ClockAnswered
from sandbox.archived_game import find_answers, to_explainable
from sandbox.setups import every_setup

PROOF = Proof("5eed" * 16)
SETUPS = [setup for setup in every_setup() if setup.players in (5, 8, 11)]


def named(setup: Setup) -> str:
    return f"{setup.ruleset}-{setup.players}-" + "+".join(f"{n}={v}" for n, v in setup.options.items())


def some_game(setup: Setup, chance: Chance) -> tuple[Event, ...]:
    """Return a random game in which some seats leave their decisions to the clock."""
    rng = random.Random(named(setup))
    game, told = start(setup, chance)
    log = [*told]
    while (question := game.question) is not None:
        missed = [] if question.meeting or rng.random() < 0.8 else [rng.choice(question.seats)]
        for seat, options in zip(question.seats, question.options, strict=True):
            if seat not in missed:
                game, told = answer(game, Reply(seat, question.number, rng.randrange(len(options))))
                log += told
        if question.meeting or missed:
            game, told = time_out(game)
            log += told
    return tuple(log)


@pytest.mark.parametrize("setup", SETUPS, ids=named)
def test_the_answers_of_any_archived_game_are_found_in_its_log(setup: Setup) -> None:
    chance = PROOF.chance(setup, 4)
    log = some_game(setup, chance)
    game, told = start(setup, chance)
    again = [*told]
    for one in find_answers(setup, chance, log):
        game, told = answer(game, one) if isinstance(one, Reply) else time_out(game)
        again += told
    assert tuple(again) == log
    assert game.question is None


def test_an_archived_game_is_written_as_explain_reads_it() -> None:
    setup = Setup("classic@1", 7)
    log = some_game(setup, PROOF.chance(setup, 9))
    setup, chance, given, claims = from_plain(to_explainable(ReplayableGame(9, PROOF, log, ())))
    *_, (_, events, _) = play_again(setup, chance, given)
    assert events == log[: len(events)]
    assert view(events, None).table.round == view(log, None).table.round
    assert claims == []


def test_an_impossible_recorded_game_is_refused() -> None:
    setup = Setup("classic@1", 5)
    log = some_game(setup, PROOF.chance(setup, 1))
    with pytest.raises(ValueError, match="deals another game"):
        to_explainable(ReplayableGame(2, PROOF, log, ()))
    with pytest.raises(ValueError, match="no answers lead"):
        to_explainable(
            ReplayableGame(1, PROOF, (*log[:-1], Event(ClockAnswered("ballot", (9,)), NOBODY)), ())
        )
