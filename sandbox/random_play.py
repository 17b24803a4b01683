"""Games in which every seat chooses at random, straight on the engine."""

import random

from engine import Chance, Event, Game, Reply, Setup, answer, start, time_out


def key(rng: random.Random) -> str:
    """Return a key for a game's chance."""
    return rng.randbytes(32).hex()


def random_game(setup: Setup, rng: random.Random) -> tuple[Game, list[Event], int]:
    """Play a whole game: every asked seat answers once, each option as likely as any other.

    Return the game at its end, all events, and the number of answers. Meetings close by time, when everybody
    has answered.
    """
    game, told = start(setup, Chance(key(rng)))
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
