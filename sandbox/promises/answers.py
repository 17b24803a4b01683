"""Find answers that lead to the events in a log, which says what happened but not who answered what.

The search tries answers until the events match. If several answers lead to the same events, it takes the
first. So it checks the steps that computers make in one write while the bot waits for no person, and it
finds the answers of an archived game.
"""

from collections.abc import Container, Iterator, Sequence

from ai.explain import Answered
from bot.rooms.stored import write_game
from engine import Event, Game, Question, Reply, answer, time_out
from engine.facts import ClockAnswered, Voted

#: The maximum number of states to search. The log nearly always determines the next answer.
MOST_TRIED = 20_000


class NoAnswers(ValueError):
    """No answers lead to these events."""


def find_answers(
    game: Game, log: Sequence[Event], seats: Container[int] | None = None, after: Game | None = None
) -> tuple[list[Answered], Game]:
    """Return answers that cause exactly the events in ``log``, and the game after them. Raises NoAnswers.

    Args:
        game: the game before.
        log: the events.
        seats: the seats that may answer; None: all of them, and in a meeting some may be silent.
        after: the game to which the answers must lead; None: any game that is over.
    """
    waiting: list[tuple[Game, int, int, list[Answered]]] = [(game, 0, 0, [])]
    end, known = None if after is None else write_game(after), set[tuple[int, int, str]]()
    for _ in range(MOST_TRIED):
        if not waiting:
            break
        game, at, asked, given = waiting.pop()
        reached = game.question is None if end is None else write_game(game) == end
        if at == len(log) and reached:
            return given, game
        for one, place in reversed([*_tries(game, log[at:], asked, seats, after)]):
            then, told = game, tuple[Event, ...]()
            if not isinstance(one, int):
                then, told = time_out(game) if one is None else answer(game, one)
            # A new question is asked from its first seat on.
            place = place if then.asked == game.asked else 0
            # Equal logs give equal tables. So two games are the same if they also agree in what comes next.
            state = (at + len(told), place, repr((then.agenda, then.question)))
            if tuple(log[at : at + len(told)]) == tuple(told) and state not in known:
                known.add(state)
                so_far = given if isinstance(one, int) else [*given, one]
                waiting.append((then, at + len(told), place, so_far))
    raise NoAnswers("no answers lead to this log with this code")


def _tries(
    game: Game, rest: Sequence[Event], place: int, seats: Container[int] | None, after: Game | None
) -> Iterator[tuple[Answered | int, int]]:
    """Yield the possible next steps, the most likely first, each with the next place to ask.

    ``place``: the first of the question's seats that has not been asked. A step is an answer, the clock
    (None), or a seat that stays silent in a meeting (its number).
    """
    question = game.question
    if question is None:
        return
    first = rest[0].fact if rest else None
    missed = first.seats if isinstance(first, ClockAnswered) else ()
    last = after.question if after is not None else None
    given = last.answers if last is not None and last.number == question.number else None
    for at in range(place, len(question.seats)):
        seat = question.seats[at]
        silent = seat in missed or (given is not None and given[at] is None)
        if silent or question.answers[at] is not None or not (seats is None or seat in seats):
            continue
        for choice in _choices(question, at, rest) if given is None else [given[at]]:
            assert choice is not None
            yield Reply(seat, question.number, choice), at + 1
        if question.meeting and seats is None:
            yield seat, at + 1
        return
    if missed or (question.meeting and (seats is None or None not in question.answers)):
        yield None, 0


def _choices(question: Question, at: int, rest: Sequence[Event]) -> list[int]:
    """Return the options that the log does not rule out. Of several equal tiles, the first counts."""
    kinds = {option: index for index, option in reversed(list(enumerate(question.options[at])))}
    if question.step == "ballot":
        voted = next((event.fact for event in rest[:2] if isinstance(event.fact, Voted)), None)
        vote = None if voted is None else voted.ballots[question.seats[at]]
        if vote is not None:
            return [kinds[vote]]
    return sorted(kinds.values())
