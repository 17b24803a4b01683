"""The answers of archived games and of computers are found in the log."""

import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ai.explain import from_plain, play_again
from bot.records.archive import ReplayableGame
from bot.rooms.sealing import Proof
from engine import Chance, Event, Game, Reply, Setup, answer, start, time_out, view
from engine.events import NOBODY
from engine.facts import ClockAnswered, Nominated
from sandbox.explainable import to_explainable
from sandbox.promises.answers import NoAnswers, find_answers
from sandbox.promises.history import decided
from sandbox.random_games import every_setup
from tests.engine.builders import open_question, seats

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
    for one in find_answers(game, log[len(told) :])[0]:
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
            ReplayableGame(1, PROOF, (*log[:-1], Event(ClockAnswered("ballot", seats(9)), NOBODY)), ())
        )


CHANCE = Chance("5eed" * 16)


def played(game: Game, answers: int) -> tuple[Game, tuple[Event, ...]]:
    """Return the game after this many answers, always the last option, and the events."""
    told: tuple[Event, ...] = ()
    for _ in range(answers):
        question = open_question(game)
        at = question.answers.index(None)
        game, events = answer(game, Reply(question.seats[at], question.number, len(question.options[at]) - 1))
        told += events
    return game, told


@pytest.mark.parametrize("answers", [1, 4, 6, 13, 20, 31])
@pytest.mark.parametrize("ruleset", ["classic@1", "red-dawn@1", "xl@1"])
def test_whatever_was_answered_is_found_again(ruleset: str, answers: int) -> None:
    first, _ = start(Setup(ruleset, 7), CHANCE)
    later, told = played(first, answers)
    assert find_answers(first, told, range(7), later)[1] == later


def test_what_was_told_otherwise_is_no_way() -> None:
    first, _ = start(Setup("classic@1", 7), CHANCE)
    later, told = played(first, 1)
    (nominated,) = told
    assert isinstance(nominated.fact, Nominated)
    wrong = replace(nominated, fact=replace(nominated.fact, chancellor=first.question.seats[0]))  # type: ignore[union-attr]
    with pytest.raises(NoAnswers):
        find_answers(first, (wrong,), range(7), later)


def test_nothing_told_of_a_game_that_went_on_is_no_way() -> None:
    first, _ = start(Setup("classic@1", 7), CHANCE)
    later, _ = played(first, 1)
    with pytest.raises(NoAnswers):
        find_answers(first, (), range(7), later)


def test_a_seat_that_is_no_computer_is_not_answered_for() -> None:
    first, _ = start(Setup("classic@1", 7), CHANCE)
    assert first.question is not None
    later, told = played(first, 1)
    with pytest.raises(NoAnswers):
        find_answers(first, told, set(range(7)) - set(first.question.seats), later)


def test_a_withdrawn_answer_is_no_computers_decision() -> None:
    voting, _ = played(start(Setup("classic@1", 7), CHANCE)[0], 1)
    assert voting.question is not None
    answered, _ = played(voting, 2)
    assert answered.question is not None
    then = cast(Any, SimpleNamespace(game=answered, computer_seats=range(7)))

    def now(answers: tuple[int | None, ...]) -> dict[str, Any]:
        return {"game": {"question": {"number": answered.question.number, "answers": answers}}}  # type: ignore[union-attr]

    had = answered.question.answers
    at = had.index(None)
    instead = Reply(answered.question.seats[at], answered.question.number, 0)
    assert decided(then, now((*had[:at], 0, *had[at + 1 :]))) == [instead]
    assert decided(then, now((None, *had[1:]))) == []
