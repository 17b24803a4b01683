"""Archives can be read."""

import random

import pytest
from pydantic_core import from_json, to_json

from bot.records.archive import SCHEMA, decode_archive
from bot.records.ratings import result_of
from bot.rooms.stored import NewerSchema, write_log
from engine import Setup
from sandbox.random_games import play_random_game


@pytest.mark.parametrize("ruleset", ["classic@1", "online@1", "red-dawn@1", "xl@1"])
def test_an_archive_is_read(ruleset: str) -> None:
    _, log, _ = play_random_game(Setup(ruleset, 8), random.Random(3))
    rows = from_json(to_json(write_log(log)))
    archived = decode_archive(to_json({"schema": SCHEMA, "log": rows, "claims": [], "result": {}}))
    assert archived.log == tuple(log)
    assert archived.result == result_of(log)


def test_an_archive_with_a_fact_of_newer_code_is_left_alone() -> None:
    with pytest.raises(NewerSchema):
        decode_archive(to_json({"schema": SCHEMA, "log": [["moon/landed", None, {}]]}))
