"""Find computers' steps from their events."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine import Chance, Event, Game, Reply, Setup, answer, start
from engine.facts import Nominated
from sandbox.promises.computer_steps import NoLegalSteps, replay_steps
from sandbox.promises.history import decided

CHANCE = Chance("5eed" * 16)


def played(game: Game, answers: int) -> tuple[Game, tuple[Event, ...]]:
    """Return the game after this many answers, always the last option, and the events."""
    told: tuple[Event, ...] = ()
    for _ in range(answers):
        question = game.question
        assert question is not None
        at = question.answers.index(None)
        game, events = answer(game, Reply(question.seats[at], question.number, len(question.options[at]) - 1))
        told += events
    return game, told


@pytest.mark.parametrize("answers", [1, 4, 6, 13, 20, 31])
@pytest.mark.parametrize("ruleset", ["classic@1", "red-dawn@1", "xl@1"])
def test_whatever_was_answered_is_found_again(ruleset: str, answers: int) -> None:
    first, _ = start(Setup(ruleset, 7), CHANCE)
    later, told = played(first, answers)
    assert replay_steps(first, range(7), told, later) == later


def test_what_was_told_otherwise_is_no_way() -> None:
    first, _ = start(Setup("classic@1", 7), CHANCE)
    later, told = played(first, 1)
    (nominated,) = told
    assert isinstance(nominated.fact, Nominated)
    wrong = replace(nominated, fact=replace(nominated.fact, chancellor=first.question.seats[0]))  # type: ignore[union-attr]
    with pytest.raises(NoLegalSteps):
        replay_steps(first, range(7), (wrong,), later)


def test_nothing_told_of_a_game_that_went_on_is_no_way() -> None:
    first, _ = start(Setup("classic@1", 7), CHANCE)
    later, _ = played(first, 1)
    with pytest.raises(NoLegalSteps):
        replay_steps(first, range(7), (), later)


def test_a_seat_that_is_no_computer_is_not_answered_for() -> None:
    first, _ = start(Setup("classic@1", 7), CHANCE)
    assert first.question is not None
    later, told = played(first, 1)
    with pytest.raises(NoLegalSteps):
        replay_steps(first, set(range(7)) - set(first.question.seats), told, later)


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
    assert decided(then, now((*had[:at], 0, *had[at + 1 :]))) == [
        Reply(answered.question.seats[at], answered.question.number, 0)
    ]
    assert decided(then, now((None, *had[1:]))) == []
