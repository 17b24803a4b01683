"""Computers' steps while nobody waits for a person: many in one write.

Nothing stored says who answered what in between; the log tells it. A way is looked for that is legal at every
step and tells just what was told.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from bot.rooms.stored import write_game
from engine import Event, Game, Question, Reply, answer, time_out
from engine.facts import Voted

#: The most steps taken back in the search: the log nearly always shows which step it was.
MOST_TRIED = 20_000


class NoWay(Exception):
    """No legal steps of these seats lead from one game to the other."""


def played_on(game: Game, seats: Container[int], told: Sequence[Event], after: Game) -> Game:
    """Return the game after steps of these seats that tell just this and lead to the stored game ``after``.

    A meeting closes by itself once all who meet have picked. Raises NoWay.
    """
    end = write_game(after)
    waiting = [(game, 0)]
    for _ in range(MOST_TRIED):
        if not waiting:
            break
        game, heard = waiting.pop()
        if heard == len(told) and write_game(game) == end:
            return game
        for step, events in reversed(_steps(game, seats, told[heard:], after.question)):
            if tuple(told[heard : heard + len(events)]) == tuple(events):
                waiting.append((step, heard + len(events)))
    raise NoWay


def _steps(
    game: Game, seats: Container[int], rest: Sequence[Event], last: Question | None
) -> list[tuple[Game, Sequence[Event]]]:
    """Return what may come next, the likeliest first.

    An answer of the first such seat that has not given one.
    """
    question = game.question
    if question is None:
        return []
    if question.meeting and None not in question.answers:
        return [time_out(game)]
    given = last.answers if last is not None and last.number == question.number else None
    for at, seat in enumerate(question.seats):
        if question.answers[at] is not None or seat not in seats or (given and given[at] is None):
            continue
        first = _told(question, at, rest) if given is None else given[at]
        order = sorted(range(len(question.options[at])), key=lambda choice: choice != first)
        return [answer(game, Reply(seat, question.number, choice)) for choice in order]
    return []


def _told(question: Question, at: int, rest: Sequence[Event]) -> int | None:
    """Return a ballot from the report of all of them, or None for any other question."""
    votes = next((event.fact.ballots for event in rest if isinstance(event.fact, Voted)), None)
    options = question.options[at]
    vote = None if votes is None else votes[question.seats[at]]
    return options.index(vote) if vote in options else None
