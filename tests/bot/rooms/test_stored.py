"""A room's games come back from JSON as they were, and misfits are refused."""

import random
from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from bot.rooms.sealing import Proof
from bot.rooms.stored import NewerSchema, StoredGameField, read_log, write_game, write_log
from engine import Chance, Game, Setup, fold, start
from engine.facts import Fact
from sandbox.random_games import every_setup, play_random_game

GAME: TypeAdapter[Game] = TypeAdapter(StoredGameField)


@pytest.mark.parametrize("kind", Fact.kinds.values(), ids=Fact.kinds)
def test_every_kind_of_fact_says_how_it_is_read(kind: Any) -> None:
    assert TypeAdapter(kind).core_schema


def test_events_of_random_games_come_back_from_json() -> None:
    rng = random.Random(1)
    by_ruleset = {setup.ruleset: setup for setup in every_setup()}
    assert len(by_ruleset) > 3
    for setup in by_ruleset.values():
        _, log, _ = play_random_game(setup, rng)
        assert list(read_log(from_json(to_json(write_log(log))))) == log


@pytest.mark.parametrize("setup", {setup.ruleset: setup for setup in every_setup()}.values(), ids=str)
def test_a_game_comes_back_from_json_without_its_table(setup: Setup) -> None:
    game, log = start(setup, Chance("00" * 32))
    stored = from_json(to_json(write_game(game)))
    assert "table" not in stored
    table = fold([event.fact for event in log])
    assert replace(GAME.validate_python(stored), table=table) == game


def game() -> dict[str, Any]:
    begun, _ = start(Setup("classic@1", 5), Chance("00" * 32))
    stored: dict[str, Any] = from_json(to_json(write_game(begun)))
    return stored


@pytest.mark.parametrize("torn", [None, [], {}, {"setup": {}}])
def test_a_torn_game_is_refused(torn: Any) -> None:
    with pytest.raises(ValidationError):
        GAME.validate_python(torn)
    with pytest.raises(ValidationError):
        GAME.validate_python({**game(), "asked": "often"})


def test_what_a_later_version_added_to_a_game_is_left_out() -> None:
    assert GAME.validate_python({**game(), "more": [1]}) == GAME.validate_python(game())


def test_a_fact_that_nobody_here_knows_is_of_newer_code() -> None:
    with pytest.raises(NewerSchema):
        read_log([["of-tomorrow", None, {}]])


def test_a_fact_that_lacks_something_is_torn() -> None:
    (name, _, _), *_ = from_json(to_json(write_log(start(Setup("classic@1", 5), Chance("00" * 32))[1])))
    with pytest.raises(ValidationError):
        read_log([[name, None, {}]])


def test_a_proof_keeps_where_another_beacon_is() -> None:
    proofs, kept = TypeAdapter(Proof), Proof("5e" * 32, round=7)
    assert b"beacon" not in proofs.dump_json(kept)
    other = replace(kept, beacon="https://beacon.example/c0ffee")
    assert proofs.validate_json(proofs.dump_json(other)) == other
