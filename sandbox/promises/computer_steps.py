"""Check many steps of computers in one write: the bot makes them while it waits for no person.

The store does not say which computer answered what in between, so a search finds out: it looks for legal
steps that cause exactly the events in the log.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from bot.rooms.stored import write_game
from engine import Event, Game, Question, Reply, answer, time_out
from engine.facts import Voted

#: The maximum number of states to search. The log nearly always determines the next step.
MOST_TRIED = 20_000


class NoLegalSteps(Exception):
    """No legal steps of the computers lead from one game to the other."""


def replay_steps(game: Game, seats: Container[int], told: Sequence[Event], after: Game) -> Game:
    """Find steps of these seats that cause exactly the events ``told`` and lead to the stored game ``after``.

    Return the game after them. A meeting closes once all its seats have picked. Raises NoLegalSteps.
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
    raise NoLegalSteps


def _steps(
    game: Game, seats: Container[int], rest: Sequence[Event], last: Question | None
) -> list[tuple[Game, Sequence[Event]]]:
    """Return the possible next steps, the most likely first: each answer of the next of these seats."""
    question = game.question
    if question is None:
        return []
    if question.meeting and None not in question.answers:
        return [time_out(game)]
    given = last.answers if last is not None and last.number == question.number else None
    for at, seat in enumerate(question.seats):
        if question.answers[at] is not None or seat not in seats or (given and given[at] is None):
            continue
        first = _reported_ballot(question, at, rest) if given is None else given[at]
        order = sorted(range(len(question.options[at])), key=lambda choice: choice != first)
        return [answer(game, Reply(seat, question.number, choice)) for choice in order]
    return []


def _reported_ballot(question: Question, at: int, rest: Sequence[Event]) -> int | None:
    """Return the option that the log reports as this seat's ballot; None for any other question."""
    votes = next((event.fact.ballots for event in rest if isinstance(event.fact, Voted)), None)
    options = question.options[at]
    vote = None if votes is None else votes[question.seats[at]]
    return options.index(vote) if vote in options else None
