"""The stored form of games and logs: facts with their ids, but no table, which is folded from the log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, TypeAdapter
from pydantic_core import CoreSchema, core_schema

from engine import Chance, Event, Game, Question, QuestionNumber, Seat, Setup, View, fold, seen, view
from engine.facts import Fact, GameOver
from engine.frozen import frozen
from engine.table import Table
from engine.turn import Call

#: One event: the fact's id, its audience, and the fact, whose fields become a JSON object.
StoredEvent = tuple[str, tuple[Seat, ...] | None, Fact]


class NewerSchema(Exception):
    """The data was written by newer code, so this code must not change it."""


@frozen
class StoredGame:
    """The stored part of a game: everything except its table."""

    setup: Setup
    chance: Chance
    agenda: tuple[Call, ...]
    question: Question | None
    asked: QuestionNumber


def read_log(rows: Sequence[Any]) -> tuple[Event, ...]:
    """Return the events of stored rows. Raises NewerSchema for unknown facts, ValueError for bad rows."""
    # All facts of one kind are read at once, because single calls take twice as long.
    values = defaultdict(list)
    for name, _, one in rows:
        values[name].append(one)
    facts = {name: iter(_facts(name).validate_python(each)) for name, each in values.items()}
    return tuple([Event(next(facts[name]), None if to is None else tuple(to)) for name, to, _ in rows])


def write_log(log: Sequence[Event]) -> list[StoredEvent]:
    """Return the events as rows for JSON."""
    return [(event.fact.id, event.to, event.fact) for event in log]


def read_game(game: StoredGame) -> Game:
    """Return the game from its stored part. Its table is empty until ``codec`` folds it from the log."""
    return Game(game.setup, game.chance, Table(), game.agenda, game.question, game.asked)


def write_game(game: Game) -> StoredGame:
    """Return the stored part of a game."""
    return StoredGame(game.setup, game.chance, game.agenda, game.question, game.asked)


class _GameSerializer:
    """Makes pydantic read and write a game as its stored part."""

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        # One schema serves reading and writing, and shares its parts with the rest of a room.
        part = handler.generate_schema(StoredGame)
        written = core_schema.plain_serializer_function_ser_schema(write_game, return_schema=part)
        return core_schema.no_info_after_validator_function(read_game, part, serialization=written)


#: A game as a room stores it.
StoredGameField = Annotated[Game, _GameSerializer]


@cache
def _facts(name: str) -> TypeAdapter[list[Fact]]:
    """Return a reader for facts of this id. It is made at its first use, because no game has all kinds."""
    kind = Fact.kinds.get(name)
    if kind is None:
        raise NewerSchema(name)
    return TypeAdapter(list[kind])  # type: ignore[valid-type]


# --- event log ----------------------------------------------------------------------------------------------
# The log of a game: its events, and each seat's view of them.


class EventLog(tuple[Event, ...]):
    """The events of a game. A seat's view is folded at the first call and cached in the log.

    The messages after one tap need the same view several times; one answer used the group's view eight times.
    Some also need the view from before the tap. So a later view is folded onto an earlier one.
    """

    #: The log that this one follows (see ``followed_by``), if any.
    _before: EventLog | None = None

    def followed_by(self, events: Sequence[Event]) -> EventLog:
        """Return the log with further events."""
        log = EventLog((*self, *events))
        log._before = self
        return log

    def view(self, seat: Seat | None) -> View:
        """Return the knowledge of a seat, or of the group, after all events."""
        views: dict[Seat | None, View] = self.__dict__.setdefault("_views", {})
        if seat in views:
            return views[seat]
        # Fold the newer events onto the view of the latest earlier log that has cached it. If none has, a
        # seat's view is folded from all events. The group's is needed from before a tap as well, so it is
        # folded there first.
        log = self._before
        while log is not None and seat not in log.__dict__.get("_views", {}):
            if seat is None and log._before is None:
                break
            log = log._before
        # The end of a game reveals everything that was secret before.
        if log is None or isinstance(self[-1].fact, GameOver):
            views[seat] = view(self, seat)
        else:
            known, more = log.view(seat), seen(self, seat, len(log))
            views[seat] = View(seat, fold(more, known.table), (*known.facts, *more))
        return views[seat]
