"""The rules as pure functions: start a game, answer, let the clock answer, say what each seat is asked."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from engine.board import Board, Setup, Side
from engine.chance import Chance
from engine.events import Event
from engine.facts import ClockAnswered, Fact, Opened
from engine.frozen import frozen
from engine.question import NONE_ASKED, Illegal, Option, Question, QuestionNumber, Reply, Seat
from engine.ruleset import Ruleset
from engine.rulesets import ruleset
from engine.table import Table
from engine.turn import Call, Turn


@frozen
class Game:
    """A game between two answers: the table, the steps still to come, and at most one open question."""

    setup: Setup
    chance: Chance
    table: Table
    #: The steps still to come with their arguments, the next one last.
    agenda: tuple[Call, ...] = ()
    question: Question | None = None
    #: The number of the latest question.
    asked: QuestionNumber = NONE_ASKED


def start(setup: Setup, chance: Chance) -> tuple[Game, tuple[Event, ...]]:
    """Return a new game and its first events. Raises Illegal if the setup cannot be played.

    >>> game, events = start(Setup("classic@1", 5), Chance("5eed"))
    >>> [event.fact.id for event in events][-2:], game.question.step
    (['shuffled', 'candidacy-passed'], 'nominate')
    >>> start(Setup("classic@1", 4), Chance("5eed"))
    Traceback (most recent call last):
    engine.question.Illegal: too-few-players
    """
    rules = ruleset(setup.ruleset)
    rules.check(setup)
    return _play(Game(setup, chance, Table()), ("deal",), Opened(setup))


def answer(game: Game, reply: Reply) -> tuple[Game, tuple[Event, ...]]:
    """Return the game after a seat's answer, and the events.

    Raises Illegal with the reason ``over``, ``closed`` (another question is open now), ``not-asked``,
    ``no-option`` or ``answered`` (the answer cannot be changed).

    >>> game, _ = start(Setup("classic@1", 5), Chance("5eed"))
    >>> (candidate,) = waiting_on(game)
    >>> voting, told = answer(game, Reply(candidate, game.question.number, choice=0))
    >>> told[0].fact.id, voting.question.step
    ('nominated', 'ballot')
    >>> answer(voting, Reply(candidate, game.question.number, choice=1))
    Traceback (most recent call last):
    engine.question.Illegal: closed
    """
    question = game.question
    if question is None:
        raise Illegal("over")
    if reply.question != question.number:
        raise Illegal("closed")
    if reply.seat not in question.seats:
        raise Illegal("not-asked")
    at = question.seats.index(reply.seat)
    if not 0 <= reply.choice < len(question.options[at]):
        raise Illegal("no-option")
    answers = question.answers
    if answers[at] is not None and not question.changeable:
        raise Illegal("answered")
    answers = (*answers[:at], reply.choice, *answers[at + 1 :])
    if question.meeting or None in answers:
        question = replace(question, answers=answers)
        return Game(game.setup, game.chance, game.table, game.agenda, question, game.asked), ()
    return _play(game, (question.step, question.chosen(answers), *question.args))


def time_out(game: Game) -> tuple[Game, tuple[Event, ...]]:
    """Let the clock answer for the seats that have not answered. Return the next game and the events.

    In an election, a ballot that was not cast stays missing (source: docs/rules.md, R7). The events do not
    say that the clock ended a meeting, because every meeting ends by time. Raises Illegal ("over") if nothing
    is asked.

    >>> game, _ = start(Setup("classic@1", 5), Chance("5eed"))
    >>> game, told = time_out(game)
    >>> [event.fact.id for event in told], game.question.step
    (['clock-answered', 'nominated'], 'ballot')
    """
    question = game.question
    if question is None:
        raise Illegal("over")
    missed = waiting_on(game)
    answers: list[int | None] = list(question.answers)
    drawn = question.clock or ()
    for seat in missed:
        at = question.seats.index(seat)
        # Draw by position, because a hand may hold the same tile twice.
        allowed = [i for i, option in enumerate(question.options[at]) if option in drawn]
        if allowed:
            answers[at] = game.chance.pick(f"clock/{question.number}/{seat}", allowed)
    call = (question.step, question.chosen(tuple(answers)), *question.args)
    return _play(game, call, ClockAnswered(question.step, missed) if missed else None)


def question_for(game: Game, seat: Seat | None) -> Question | None:
    """Return the open question as a seat may see it, or None if the seat is not asked.

    For the group (seat None), it says who is asked what, without the options. It does not name the seats of a
    meeting.

    >>> game, _ = start(Setup("classic@1", 5), Chance("5eed"))
    >>> [seat for seat in range(5) if question_for(game, seat)] == list(waiting_on(game))
    True
    >>> question_for(game, None).step, question_for(game, None).options
    ('nominate', ())
    """
    if game.question is None:
        return None
    return game.question.in_public() if seat is None else game.question.for_seat(seat)


def waiting_on(game: Game) -> tuple[Seat, ...]:
    """Return the seats that have not answered. For a meeting it returns none, because its members are secret.

    >>> game, _ = start(Setup("classic@1", 5), Chance("5eed"))
    >>> game, _ = answer(game, Reply(waiting_on(game)[0], 1, 0))
    >>> waiting_on(answer(game, reply(game, 2, "ja"))[0])
    (0, 1, 3, 4)
    """
    question = game.question
    if question is None or question.meeting:
        return ()
    answers = zip(question.seats, question.answers, strict=True)
    return tuple([seat for seat, given in answers if given is None])


def reply(game: Game, seat: Seat, option: Option) -> Reply:
    """Return a seat's reply to the open question, made from the option instead of its index.

    Raises Illegal with the reason ``over``, ``not-asked`` or ``no-option`` (the seat has no such option).

    >>> game, _ = start(Setup("classic@1", 5), Chance("5eed"))
    >>> (candidate,) = waiting_on(game)
    >>> reply(game, candidate, candidate)
    Traceback (most recent call last):
    engine.question.Illegal: no-option
    """
    question = game.question
    if question is None:
        raise Illegal("over")
    if seat not in question.seats:
        raise Illegal("not-asked")
    options = question.options[question.seats.index(seat)]
    if option not in options:
        raise Illegal("no-option")
    return Reply(seat, question.number, options.index(option))


def board_of(setup: Setup) -> Board:
    """Return the board that a setup is played on.

    >>> board_of(Setup("classic@1", 7)).tracks["fascist"]
    (None, 'investigate', 'special', 'kill', 'kill', None)
    """
    return setup.board or _printed(setup)[1]


def side_of(setup: Setup, table: Table, seat: Seat) -> Side | None:
    """Return a seat's side: its party, or its role if that wins separately, or None if unknown.

    >>> side_of(Setup("classic@1", 5), Table(seats=1, parties=("fascist",), roles=("hitler",)), 0)
    'fascist'
    """
    return ruleset(setup.ruleset).side(table, seat)


def dead_may_return(setup: Setup) -> bool:
    """Return True if dead players may come back to life in this setup.

    >>> dead_may_return(Setup("red-dawn@1", 9, {"secret-roles": "on"}))
    True
    """
    return ruleset(setup.ruleset).dead_return(board_of(setup))


def _printed(setup: Setup) -> tuple[Ruleset, Board, Mapping[str, str]]:
    """Return a setup's ruleset, its printed board, and the values of all options."""
    return _printed_for(setup.ruleset, setup.players, frozenset(setup.options.items()))


@lru_cache(maxsize=256)
def _printed_for(
    ruleset_id: str, players: int, options: frozenset[tuple[str, str]]
) -> tuple[Ruleset, Board, Mapping[str, str]]:
    setup = Setup(ruleset_id, players, dict(options))
    rules = ruleset(ruleset_id)
    return rules, rules.board_for(setup), rules.chosen(setup)


def _play(game: Game, call: tuple[Any, ...], first: Fact | None = None) -> tuple[Game, tuple[Event, ...]]:
    """Run a step with its arguments and the steps that follow, up to the next question.

    ``first`` is a fact to tell before.
    """
    setup = game.setup
    rules, board, options = _printed(setup)
    agenda = [*game.agenda, call]
    turn = Turn(rules, setup.board or board, options, game.chance, game.table.copy(), agenda, game.asked)
    if first is not None:
        turn.tell(first)
    turn.run()
    game = Game(setup, turn.chance, turn.table, tuple(turn.agenda), turn.question, turn.asked)
    return game, tuple(turn.told)
