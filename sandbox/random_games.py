"""List every setup that can be played, and play games in which every seat chooses at random."""

import random
from collections.abc import Iterator

from engine import OFFERED, Chance, Event, Game, Reply, Setup, answer, start, time_out
from engine.ruleset import Ruleset
from engine.setups import option_sets


def every_setup(rulesets: tuple[Ruleset, ...] = OFFERED) -> Iterator[Setup]:
    """Yield each ruleset with each number of players and each set of options."""
    for rules in rulesets:
        for players in rules.players:
            for options in option_sets(rules, players).values():
                yield Setup(rules.id, players, options)


def random_key(rng: random.Random) -> str:
    """Return a random key for a game's ``Chance``."""
    return rng.randbytes(32).hex()


def play_random_game(setup: Setup, rng: random.Random) -> tuple[Game, list[Event], int]:
    """Play a whole game: every asked seat answers once, each option as likely as any other.

    Return the game at its end, all events, and the number of answers. A meeting is closed by the clock once
    everybody has answered.
    """
    game, told = start(setup, Chance(random_key(rng)))
    events = list(told)
    answers = 0
    while (question := game.question) is not None:
        for seat, options in zip(question.seats, question.options, strict=True):
            game, told = answer(game, Reply(seat, question.number, int(rng.random() * len(options))))
            events += told
            answers += 1
        if question.meeting:
            game, told = time_out(game)
            events += told
    return game, events, answers
