"""Rooms and games are read as pydantic itself would read them, from the same type hints."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from engine import Chance, Question, Setup
from engine.facts import Fact
from engine.turn import Call
from handlers.rooms.model import Claim, Lobby, Player, Room, Settings
from handlers.rooms.shapes import reader, schema
from handlers.rooms.stored import read_log, write_log
from sandbox.random_play import random_game
from sandbox.setups import every_setup


@dataclass(frozen=True, slots=True)
class Inner:
    name: str
    marks: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Outer:
    number: int
    pair: tuple[int, str]
    inner: Inner | None = None
    by_seat: Mapping[int, Inner] = field(default_factory=dict)
    anything: int | str | bool | tuple[int, ...] | None = None


GOOD: list[dict[str, Any]] = [
    {"number": 1, "pair": [2, "x"]},
    {
        "number": 1,
        "pair": [2, "x"],
        "inner": {"name": "a", "marks": ["b", None]},
        "more": "of a later version",
    },
    {"number": 1, "pair": [2, "x"], "by_seat": {"3": {"name": "a"}}},
    *({"number": 1, "pair": [2, "x"], "anything": value} for value in (None, 5, "5", True, [1, 2])),
]
TORN: list[Any] = [
    None,
    [],
    {},
    {"number": "one", "pair": [2, "x"]},
    {"number": 1, "pair": [2]},
    {"number": 1, "pair": [2, "x", 3]},
    {"number": 1, "pair": [2, "x"], "inner": {}},
    {"number": 1, "pair": [2, "x"], "by_seat": {"three": {"name": "a"}}},
]


@pytest.mark.parametrize("given", GOOD, ids=json.dumps)
def test_what_fits_is_read_as_pydantic_reads_it(given: dict[str, Any]) -> None:
    expected = TypeAdapter(Outer).validate_python(given)
    found = reader(Outer)(given)
    assert found == expected
    assert repr(found) == repr(expected)  # 1 and True are equal, but not the same


@pytest.mark.parametrize("given", TORN, ids=json.dumps)
def test_what_does_not_fit_is_refused_as_pydantic_refuses_it(given: Any) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Outer).validate_python(given)
    with pytest.raises(ValueError, match="validation error"):
        reader(Outer)(given)


def test_a_default_that_is_made_is_made_each_time() -> None:
    one, two = (reader(Outer)({"number": 1, "pair": [2, "x"]}) for _ in range(2))
    assert one.by_seat == {}
    assert one.by_seat is not two.by_seat


@pytest.mark.parametrize(
    "shape", [Room, Settings, Lobby, Player, Claim, Setup, Chance, Question | None, tuple[Call, ...]], ids=str
)
def test_everything_that_a_room_is_made_of_can_be_read(shape: Any) -> None:
    assert schema(shape)


@pytest.mark.parametrize("kind", Fact.kinds.values(), ids=Fact.kinds)
def test_every_kind_of_fact_can_be_read(kind: Any) -> None:
    assert schema(kind)


def test_a_type_that_nobody_thought_of_is_refused_when_it_is_first_met() -> None:
    with pytest.raises(TypeError, match="nobody said how to read"):
        schema(set[int])


def test_the_events_of_random_games_of_every_ruleset_come_back_from_json_as_pydantic_reads_them() -> None:
    rng = random.Random(1)
    by_ruleset = {setup.ruleset: setup for setup in every_setup()}
    assert len(by_ruleset) > 3
    for setup in by_ruleset.values():
        _, log, _ = random_game(setup, rng)
        rows = from_json(to_json(write_log(log)))
        assert list(read_log(rows)) == log
        for (name, _, values), event in zip(rows, log, strict=True):
            assert TypeAdapter(Fact.kinds[name]).validate_python(values) == event.fact
