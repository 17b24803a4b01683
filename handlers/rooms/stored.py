"""How games and logs are stored: facts by their class name, and no table (it is the log, folded)."""

from collections.abc import Sequence
from typing import Any

from engine import Chance, Event, Game, Question, Setup, fold
from engine.facts import Fact
from engine.table import Table
from engine.turn import Call
from handlers.rooms.shapes import OWN, reader

#: One event: the fact's class name, its audience, and the fact, whose fields JSON takes for an object.
Row = tuple[str, tuple[int, ...] | None, Fact]


class NewerSchema(Exception):
    """It was written by newer code, which must be the one to touch it."""


def read_log(rows: Sequence[Any]) -> tuple[Event, ...]:
    """The events of stored rows. Raises NewerSchema for facts that this code does not know, ValueError."""
    return tuple([_event(row) for row in rows])


def write_log(log: Sequence[Event]) -> list[Row]:
    """The events as rows that JSON can hold."""
    return [(type(event.fact).__name__, event.to, event.fact) for event in log]


def read_game(stored: Any) -> Game:
    """The stored part of a game; its table is empty until ``with_table`` lays it."""
    return Game(
        setup=reader(Setup)(stored["setup"]),
        chance=reader(Chance)(stored["chance"]),
        table=Table(),
        agenda=reader(tuple[Call, ...])(stored["agenda"]),
        question=reader(Question | None)(stored["question"]),
        asked=stored["asked"],
    )


def write_game(game: Game) -> dict[str, Any]:
    """What is stored of a game: all but its table."""
    return {
        "setup": game.setup,
        "chance": game.chance,
        "agenda": game.agenda,
        "question": game.question,
        "asked": game.asked,
    }


def with_table(game: Game, log: Sequence[Event]) -> Game:
    """A game that was read, with the table that its log folds to."""
    table = fold(event.fact for event in log)
    return Game(game.setup, game.chance, table, game.agenda, game.question, game.asked)


def _event(row: Any) -> Event:
    name, to, values = row
    kind: Any = Fact.kinds.get(name)
    if kind is None:
        raise NewerSchema(name)
    return Event(reader(kind)(values), None if to is None else tuple(to))


OWN[Event] = _event
OWN[Game] = read_game
