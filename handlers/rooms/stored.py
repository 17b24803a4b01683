"""How games and logs are stored: facts by their class name, and no table (it is the log, folded)."""

from collections.abc import Hashable, Sequence
from dataclasses import asdict, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, cast

from pydantic import PlainSerializer, PlainValidator, TypeAdapter

from engine import Chance, Event, Game, Question, Setup, fold
from engine.facts import Fact
from engine.table import Table
from engine.turn import Call

#: One event: the fact's class name, its audience, its fields.
Row = tuple[str, tuple[int, ...] | None, dict[str, Any]]


@cache
def _adapter(shape: Hashable) -> TypeAdapter[Any]:
    # Built when first needed: a union of all facts would cost each cold start thirty milliseconds.
    return TypeAdapter(shape)


def read_log(rows: Sequence[Any]) -> tuple[Event, ...]:
    """The events of stored rows (or of events, which stay as they are). Raises KeyError, ValueError."""
    return tuple(row if isinstance(row, Event) else _event(row) for row in rows)


def write_log(log: Sequence[Event]) -> list[Row]:
    """The events as rows that JSON can hold."""
    return [(type(event.fact).__name__, event.to, _fields(event.fact)) for event in log]


def read_game(stored: Any) -> Game:
    """The stored part of a game; its table is empty until ``with_table`` lays it."""
    if isinstance(stored, Game):
        return stored
    return Game(
        setup=_adapter(Setup).validate_python(stored["setup"]),
        chance=_adapter(Chance).validate_python(stored["chance"]),
        table=Table(),
        agenda=_adapter(tuple[Call, ...]).validate_python(stored["agenda"]),
        question=_adapter(Question | None).validate_python(stored["question"]),
        asked=stored["asked"],
    )


def write_game(game: Game) -> dict[str, Any]:
    """What is stored of a game: all but its table."""
    return {
        "setup": asdict(game.setup),
        "chance": asdict(game.chance),
        "agenda": game.agenda,
        "question": None if game.question is None else _fields(game.question),
        "asked": game.asked,
    }


def with_table(game: Game, log: Sequence[Event]) -> Game:
    """A game that was read, with the table that its log folds to."""
    table = fold(event.fact for event in log)
    return Game(game.setup, game.chance, table, game.agenda, game.question, game.asked)


def _event(row: Any) -> Event:
    name, to, values = row
    return Event(
        _adapter(cast(Hashable, Fact.kinds[name])).validate_python(values), None if to is None else tuple(to)
    )


def _fields(value: Any) -> dict[str, Any]:
    return {
        field.name: asdict(item) if is_dataclass(item := getattr(value, field.name)) else item  # type: ignore[arg-type]
        for field in fields(value)
    }


StoredLog = Annotated[tuple[Event, ...], PlainValidator(read_log), PlainSerializer(write_log)]
StoredGame = Annotated[Game, PlainValidator(read_game), PlainSerializer(write_game)]
