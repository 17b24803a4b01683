"""Term limits as the group sees them: one reading for words and picture, and it is the engine's."""

import random
from collections import Counter

import pytest

from bot.display.pictures.scene import scene_of
from bot.rooms.rounds import term_limited
from engine import KNOWN, Chance, Event, Reply, Ruleset, answer, start, time_out, view
from engine.facts import LimitsWaived
from sandbox.random_games import every_setup
from tests.bot.display.test_board_in_words import marks
from tests.engine.builders import Play
from tests.engine.test_election import last_two

MARK = "term limits"


def limited(play: Play) -> tuple[int, ...]:
    """Return the seats that the players' list marks; the picture must mark the same seats."""
    said = tuple(seat for seat in range(play.setup.players) if MARK in marks(play, seat))
    seats = scene_of(play.view(None)).seats
    assert said == tuple(number for number, seat in enumerate(seats) if seat.limited)
    return said


@pytest.mark.rule("R1.10", "R1.11", "R1.12")
@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
def test_whoever_is_marked_is_who_a_candidate_cannot_nominate(rules: Ruleset) -> None:
    rng, marked = random.Random(rules.name), Counter[int]()
    for setup in every_setup((rules,)):
        game, told = start(setup, Chance(rng.randbytes(32).hex()))
        events: list[Event] = list(told)
        while (question := game.question) is not None:
            if question.step == "nominate":
                seen = view(events, None)
                able = {seat for seat in seen.table.able() if seat != question.seats[0]}
                nobody = term_limited(seen)
                assert set(question.options[0]) == able - set(nobody)
                marked[len(nobody)] += 1
            for seat, options in zip(question.seats, question.options, strict=True):
                yes = question.step == "ballot" and rng.random() < 0.6
                choice = 0 if yes else rng.randrange(len(options))
                game, told = answer(game, Reply(seat, question.number, choice))
                events += told
            if question.meeting:
                game, told = time_out(game)
                events += told
        assert term_limited(view(events, None)) == ()
    assert set(marked) == {0, 1, 2}


@pytest.mark.rule("R1.10")
def test_while_a_government_is_in_office_nobody_is_marked_yet() -> None:
    play = Play(7).govern("l", 2)
    assert limited(play) == (0, 2)
    play.nominate(3)
    assert limited(play) == (0, 2)
    play.vote("j" * 7)
    assert limited(play) == ()
    play.session("l")
    assert limited(play) == (1, 3)


@pytest.mark.rule("R1.12")
def test_while_term_limits_do_not_count_nobody_is_marked() -> None:
    play = last_two()
    assert limited(play) == (4,)
    play.reject()
    assert play.told(LimitsWaived)
    assert limited(play) == ()


def test_after_the_end_nobody_is_marked() -> None:
    play = Play(7).rounds(4, "l")
    assert len(limited(play)) == 2
    play.govern("l")
    assert play.table.winners
    assert limited(play) == ()


@pytest.mark.rule("R1.12")
def test_the_dead_are_not_marked() -> None:
    play = Play(7).ready(3)
    play.elect(play.harmless).session("f")
    chancellor = play.table.chancellor
    play.target(chancellor)
    assert chancellor in play.table.last_elected
    assert limited(play) == (play.table.last_elected[0],)
